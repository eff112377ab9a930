import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Test } from 'supertest';
import { setMemberRole, saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { TestService } from '../../support/service/service.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { type TestTenant } from '../../support/tenant.js';

/** Each of the administrators has a role of their own, which allows everything that a change needs. */
interface Chief {
  readonly actor: Actor;
  readonly roleId: string;
}

describe('Somebody who can manage both roles and members always stays', () => {
  let service: TestService;
  let second: SecondInstance;
  let tenant: TestTenant;
  beforeAll(async () => {
    service = await TestService.shared();
    second = await SecondInstance.start(service);
  });
  afterAll(() => second.stop());
  beforeEach(async () => {
    tenant = await service.tenant();
  });

  const administrators = async () => {
    const rows = await service.query(
      `SELECT FROM members m JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
        WHERE m.tenant_id = $1 AND r.permissions @> '{roles.manage,members.manage}'`,
      [tenant.id],
    );
    return rows.length;
  };
  const chiefs = async (count: number): Promise<Chief[]> => {
    const made: Chief[] = [];
    for (let n = 0; n < count; n += 1) {
      const actor = await tenant.as('guest');
      const { id: roleId } = await saveRole(tenant, ['roles.manage', 'members.manage']);
      await setMemberRole(tenant, actor, roleId);
      made.push({ actor, roleId });
    }
    return made;
  };

  /** How an administrator can lose it by themselves. */
  const losses: [string, (chief: Chief, lesser: string) => Test][] = [
    ['leave', ({ actor }) => actor.delete(`/members/${actor.userId}`)],
    ['step down', ({ actor }, lesser) => actor.put(`/members/${actor.userId}`, { roleId: lesser })],
    [
      'take it from their own role',
      ({ actor, roleId }) => actor.put(`/roles/${roleId}`, { name: `Former ${roleId}`, permissions: [] }),
    ],
  ];

  it.each(losses)('409: for the last of several who %s at the same time', async (_, lose) => {
    const { id: lesser } = await saveRole(tenant, []);
    for (let round = 0; round < 3; round += 1) {
      const all = await chiefs(round === 0 ? 4 : 3);
      const responses = await Promise.all(
        all.map((chief, n) => lose(n % 2 ? chief : { ...chief, actor: second.actor(chief.actor) }, lesser)),
      );
      const refused = responses.filter(({ status }) => status !== 200 && status !== 204);
      expect(refused.map(({ status, body }) => [status, (body as { type: string }).type])).toEqual([
        [409, '/problems/member.last-administrator'],
      ]);
      expect(await administrators()).toBe(1);
      // The one who stayed goes, so that the next round begins without.
      await service.query(
        `UPDATE members SET role_id = $2 WHERE tenant_id = $1
            AND role_id IN (SELECT id FROM roles WHERE tenant_id = $1 AND permissions @> '{roles.manage}')`,
        [tenant.id, lesser],
      );
      await tenant.increaseAccessVersion();
    }
  });

  it('409 or 403: for the last of several, each of whom goes another way, or sends another one away', async () => {
    const { id: lesser } = await saveRole(tenant, []);
    const [one, two, three] = (await chiefs(3)) as [Chief, Chief, Chief];
    const responses = await Promise.all([
      one.actor.delete(`/members/${two.actor.userId}`),
      second.actor(two.actor).put(`/members/${three.actor.userId}`, { roleId: lesser }),
      three.actor.put(`/roles/${one.roleId}`, { name: 'Former', permissions: [] }),
      one.actor.put(`/members/${one.actor.userId}`, { roleId: lesser }),
    ]);
    expect(await administrators()).toBeGreaterThan(0);
    expect(responses.filter(({ status }) => status < 300).length).toBeGreaterThan(0);
    for (const { status } of responses) expect([200, 204, 403, 409]).toContain(status);
  });

  it('403: for one of two who take it from each other at the same time', async () => {
    await tenant.as('administrator');
    const { id: lesser } = await saveRole(tenant, []);
    for (let round = 0; round < 5; round += 1) {
      const [one, two] = (await chiefs(2)) as [Chief, Chief];
      const responses = await Promise.all([
        one.actor.put(`/members/${two.actor.userId}`, { roleId: lesser }),
        second.actor(two.actor).put(`/members/${one.actor.userId}`, { roleId: lesser }),
      ]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 403]);
    }
  });
});
