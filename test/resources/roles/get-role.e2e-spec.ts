import { beforeEach, describe, expect, it } from '@jest/globals';
import { ALL_PERMISSIONS } from '../../../src/common/vocabulary/permissions.js';
import { saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { notModified } from '../../support/operations/not-modified.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('GetRole', () => {
  let tenant: TestTenant;
  let auditor: Actor;
  let role: { id: string; name: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    auditor = await tenant.as('auditor');
    role = await saveRole(tenant, ['tags.manage', 'files.update', 'files.read'], 'Clerk');
  });
  notModified(() => auditor.get(`/roles/${role.id}`));

  it('returns 200 with a custom role, its entity tag and sorted permissions, for an uppercase id too', async () => {
    const response = await auditor.get(`/roles/${role.id.toUpperCase()}`).expect(200);
    expect(response.body).toEqual({
      id: role.id,
      key: null,
      name: 'Clerk',
      isBuiltIn: false,
      permissions: ['files.read', 'files.update', 'tags.manage'],
    });
    expect(response.headers.etag).toMatch(/^"[^"]+"$/);
  });

  it('returns 200 with a built-in role', async () => {
    const id = await tenant.roleId('administrator');
    const response = await auditor.get(`/roles/${id}`);
    expect(response.body).toEqual({
      id,
      key: 'administrator',
      name: 'Administrator',
      isBuiltIn: true,
      permissions: ALL_PERMISSIONS,
    });
  });
});
