import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Test } from 'supertest';
import { setMemberRole, saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { service } from '../../support/service/shared-service.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { type TestTenant } from '../../support/tenant.js';

/** An administrator with a role of their own. */
interface Administrator {
  readonly actor: Actor;
  readonly roleId: string;
}

describe('The last administrator of a tenant', () => {
  let second: SecondInstance;
  let tenant: TestTenant;
  beforeAll(async () => {
    second = await SecondInstance.start(service);
  });
  afterAll(() => second.stop());
  beforeEach(async () => {
    tenant = await service.tenant();
  });

  const countAdministrators = async () => {
    const rows = await service.query(
      `SELECT FROM members m JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
        WHERE m.tenant_id = $1 AND r.permissions @> '{roles.manage,members.manage}'`,
      [tenant.id],
    );
    return rows.length;
  };
  const createAdministrators = async (count: number): Promise<Administrator[]> => {
    const made: Administrator[] = [];
    for (let n = 0; n < count; n += 1) {
      const actor = await tenant.as('guest');
      const { id: roleId } = await saveRole(tenant, ['roles.manage', 'members.manage']);
      await setMemberRole(tenant, actor, roleId);
      made.push({ actor, roleId });
    }
    return made;
  };

  /** The ways in which administrators can give up their rights. */
  const losses: [string, (administrator: Administrator, lesser: string) => Test][] = [
    ['leave', ({ actor }) => actor.delete(`/members/${actor.userId}`)],
    ['change their role', ({ actor }, lesser) => actor.put(`/members/${actor.userId}`, { roleId: lesser })],
    [
      'empty their own role',
      ({ actor, roleId }) => actor.put(`/roles/${roleId}`, { name: `Former ${roleId}`, permissions: [] }),
    ],
  ];

  it.each(losses)('gets 409 when several administrators %s at the same time', async (_, lose) => {
    const { id: lesser } = await saveRole(tenant, []);
    for (let round = 0; round < 3; round += 1) {
      const all = await createAdministrators(round === 0 ? 4 : 3);
      const responses = await Promise.all(
        all.map((administrator, n) =>
          lose(
            n % 2 ? administrator : { ...administrator, actor: second.actor(administrator.actor) },
            lesser,
          ),
        ),
      );
      const refused = responses.filter(({ status }) => status !== 200 && status !== 204);
      expect(refused.map(({ status, body }) => [status, (body as { type: string }).type])).toEqual([
        [409, '/problems/member.last-administrator'],
      ]);
      expect(await countAdministrators()).toBe(1);
      // Remove the rights of the remaining administrator, so that the next round starts with none.
      await service.query(
        `UPDATE members SET role_id = $2 WHERE tenant_id = $1
            AND role_id IN (SELECT id FROM roles WHERE tenant_id = $1 AND permissions @> '{roles.manage}')`,
        [tenant.id, lesser],
      );
      await tenant.increaseAccessVersion();
    }
  });

  it('gets 409 or 403 when several administrators lose their rights in different ways', async () => {
    const { id: lesser } = await saveRole(tenant, []);
    const [one, two, three] = (await createAdministrators(3)) as [
      Administrator,
      Administrator,
      Administrator,
    ];
    const responses = await Promise.all([
      one.actor.delete(`/members/${two.actor.userId}`),
      second.actor(two.actor).put(`/members/${three.actor.userId}`, { roleId: lesser }),
      three.actor.put(`/roles/${one.roleId}`, { name: 'Former', permissions: [] }),
      one.actor.put(`/members/${one.actor.userId}`, { roleId: lesser }),
    ]);
    expect(await countAdministrators()).toBeGreaterThan(0);
    expect(responses.filter(({ status }) => status < 300).length).toBeGreaterThan(0);
    for (const { status } of responses) expect([200, 204, 403, 409]).toContain(status);
  });

  it('gets 403 when two administrators change the role of each other at the same time', async () => {
    await tenant.as('administrator');
    const { id: lesser } = await saveRole(tenant, []);
    for (let round = 0; round < 5; round += 1) {
      const [one, two] = (await createAdministrators(2)) as [Administrator, Administrator];
      const responses = await Promise.all([
        one.actor.put(`/members/${two.actor.userId}`, { roleId: lesser }),
        second.actor(two.actor).put(`/members/${one.actor.userId}`, { roleId: lesser }),
      ]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 403]);
    }
  });
});
