import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveFileType } from '../../factories/files.js';
import { saveRetention } from '../../factories/retentions.js';
import { type Actor } from '../../support/actor.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('GetFileTypeRetention', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  let fileTypeId: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer');
    fileTypeId = (await saveFileType(tenant)).id;
  });

  it('returns 304 for a current If-None-Match', async () => {
    const { etag = '' } = (await viewer.get(`/file-types/${fileTypeId}/retention`)).headers;
    const response = await viewer.get(`/file-types/${fileTypeId}/retention`).set('If-None-Match', etag);
    expect([response.status, response.text]).toEqual([304, '']);
  });

  it('returns 200 without a period for a file type without a rule', async () => {
    const response = await viewer.get(`/file-types/${fileTypeId}/retention`);
    expect([response.status, response.body]).toEqual([
      200,
      { period: null, startsAt: 'Closing', disposition: 'Review' },
    ]);
  });

  it('returns 200 with the rule', async () => {
    await saveRetention(tenant, fileTypeId, 'P6M', 'EndOfYearOfClosing', 'Transfer');
    const response = await viewer.get(`/file-types/${fileTypeId}/retention`);
    expect([response.status, response.body]).toEqual([
      200,
      { period: 'P6M', startsAt: 'EndOfYearOfClosing', disposition: 'Transfer' },
    ]);
  });
});
