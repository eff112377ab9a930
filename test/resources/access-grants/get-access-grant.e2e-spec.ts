import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('GetAccessGrant', () => {
  let tenant: TestTenant;
  let reader: Actor;
  let guest: Actor;
  let file: string;
  let grant: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    reader = await tenant.as('auditor');
    guest = await tenant.as('guest');
    file = (await saveFile(tenant, guest)).id;
    grant = await saveAccessGrant(tenant, guest, { file });
  });

  it('returns 200 with the grant as in the list, for an uppercase id too', async () => {
    const { items } = (await reader.get('/access-grants')).body as { items: object[] };
    const response = await reader.get(`/access-grants/${grant.toUpperCase()}`);
    expect([response.status, response.body]).toEqual([200, items[0]]);
    expect(response.body).toMatchObject({ id: grant, subjectId: guest.userId, targetId: file });
  });

  it.each([
    ['Active', {}],
    ['Expired', { expiresAt: 'now()' }],
    ['Revoked', { revoked: true }],
  ])('returns 200 for a grant with the status %s', async (status, overrides) => {
    const id = await saveAccessGrant(tenant, guest, { file }, overrides);
    expect((await reader.get(`/access-grants/${id}`)).body).toMatchObject({ id, status });
  });
});
