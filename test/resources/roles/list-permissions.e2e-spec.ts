import { beforeEach, describe, expect, it } from '@jest/globals';
import { PERMISSIONS } from '../../../src/common/vocabulary/permissions.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ListPermissions', () => {
  let tenant: TestTenant;
  let auditor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    auditor = await tenant.as('auditor');
  });

  it('returns 200 with every permission and its description in an array', async () => {
    const response = await auditor.get('/permissions');
    expect([response.status, response.body]).toEqual([
      200,
      Object.entries(PERMISSIONS).map(([key, description]) => ({ key, description })),
    ]);
  });

  it('returns 403 immediately to a member who has lost roles.read', async () => {
    expect((await auditor.get('/permissions')).status).toBe(200);
    await tenant.query(
      `UPDATE roles SET permissions = '{members.read}' WHERE tenant_id = $1 AND key = 'auditor'`,
    );
    await tenant.increaseAccessVersion();
    expectProblem(await auditor.get('/permissions'), 'permission.missing');
  });
});
