import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveFileType } from '../../factories/files.js';
import { saveNumbering } from '../../factories/numberings.js';
import { type Actor } from '../../support/actor.js';
import { notModified } from '../../support/operations/not-modified.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('GetFileTypeNumbering', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  let fileTypeId: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer');
    fileTypeId = (await saveFileType(tenant)).id;
  });
  notModified(() => viewer.get(`/file-types/${fileTypeId}/numbering`));

  it('returns 200 with null for a file type without a pattern', async () => {
    const response = await viewer.get(`/file-types/${fileTypeId}/numbering`);
    expect([response.status, response.body]).toEqual([200, { pattern: null }]);
  });

  it('returns 200 with the pattern, and with next as soon as there is a counter', async () => {
    await saveNumbering(tenant, fileTypeId, 'A-{seq}');
    const first = await viewer.get(`/file-types/${fileTypeId}/numbering`);
    expect(first.body).toEqual({ pattern: 'A-{seq}' });
    await (await tenant.as('editor')).post(`/file-types/${fileTypeId}/files`, { name: 'x' });
    const second = await viewer.get(`/file-types/${fileTypeId}/numbering`);
    expect(second.body).toEqual({ pattern: 'A-{seq}', next: 2 });
    expect(second.headers.etag).not.toBe(first.headers.etag);
  });
});
