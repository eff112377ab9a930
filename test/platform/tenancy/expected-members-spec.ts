import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { saveExpectedMember } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { duringTransaction } from '../../support/locks.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';
import { RAISE_ACCESS_VERSION } from '../../support/database.js';

describe('An expected member', () => {
  let service: TestService;
  let second: SecondInstance;
  let tenant: TestTenant;
  let user: Actor;
  beforeAll(async () => {
    service = await TestService.start();
    second = await SecondInstance.start(service);
  });
  afterAll(async () => {
    await second.stop();
    await service.stop();
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    user = await tenant.nonMember();
    await saveExpectedMember(tenant, user.email.toUpperCase(), await tenant.roleId('editor'));
  });

  const expected = () => service.query('SELECT FROM expected_members WHERE tenant_id = $1', [tenant.id]);

  it('becomes a member at the first request, with one audit entry', async () => {
    expect((await user.get('/files')).status).toBe(200);
    expect((await user.get('/files')).status).toBe(200);
    expect(await tenant.audit()).toEqual([
      {
        actor_id: user.userId,
        actor_name: user.name,
        action: 'MemberAdded',
        subject_type: 'Member',
        subject_id: user.userId,
        summary: `${user.name}: Editor`,
      },
    ]);
    expect(await expected()).toEqual([]);
  });

  it('has access with several concurrent first requests, also on several instances', async () => {
    const requests = Array.from({ length: 8 }, (_, n) => (n % 2 ? user : second.actor(user)).get('/files'));
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses).toEqual(Array(8).fill(200));
    expect(await tenant.audit()).toHaveLength(1);
  });

  it('has access while another request is adding the membership', async () => {
    const response = await duringTransaction(
      service,
      `WITH gone AS (DELETE FROM expected_members WHERE tenant_id = $1 RETURNING role_id),
            turn AS (${RAISE_ACCESS_VERSION})
       INSERT INTO members (tenant_id, user_id, role_id) SELECT $1, $2, role_id FROM gone`,
      [tenant.id, user.userId],
      () => user.get('/files'),
    );
    expect(response.status).toBe(200);
    expect(await tenant.audit()).toEqual([]);
  });

  it('has no access while the address is not verified', async () => {
    const token = await service.issuer.token({
      sub: user.subject,
      email: user.email,
      email_verified: false,
    });
    expectProblem(await user.withToken(token).get('/files'), 'tenant.no-access');
    expect(await expected()).toHaveLength(1);
  });

  it('has no access to other tenants, and gives no access to other users', async () => {
    expectProblem(await user.inTenant(await service.tenant()).get('/files'), 'tenant.no-access');
    expectProblem(await (await tenant.nonMember()).get('/files'), 'tenant.no-access');
    expect(await expected()).toHaveLength(1);
  });
});
