import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveFileType } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { notModified } from '../../support/operations/not-modified.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('GetFileType', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  let type: Awaited<ReturnType<typeof saveFileType>>;
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer');
    type = await saveFileType(tenant);
  });
  notModified(() => viewer.get(`/file-types/${type.id}`));

  it('returns 200 with the file type and its entity tag, for an uppercase id too', async () => {
    const response = await viewer.get(`/file-types/${type.id}`);
    expect(response.status).toBe(200);
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(response.body).toEqual({ ...type, createdAt: timestamp, updatedAt: timestamp });
    const again = await (await tenant.as('guest')).get(`/file-types/${type.id.toUpperCase()}`);
    expect([again.body, again.headers.etag]).toEqual([response.body, response.headers.etag]);
  });
});
