import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveFileType } from '../../factories/files.js';
import { saveRetention } from '../../factories/retentions.js';
import { type Actor } from '../../support/actor.js';
import { notModified } from '../../support/operations/not-modified.js';
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
  notModified(() => viewer.get(`/file-types/${fileTypeId}/retention`));

  it('returns 200 without a period for a file type without a rule', async () => {
    const response = await viewer.get(`/file-types/${fileTypeId}/retention`).expect(200);
    expect(response.body).toEqual({ period: null, startsAt: 'Closing', disposition: 'Review' });
  });

  it('returns 200 with the rule', async () => {
    await saveRetention(tenant, fileTypeId, 'P6M', 'EndOfYearOfClosing', 'Transfer');
    const response = await viewer.get(`/file-types/${fileTypeId}/retention`).expect(200);
    expect(response.body).toEqual({ period: 'P6M', startsAt: 'EndOfYearOfClosing', disposition: 'Transfer' });
  });
});
