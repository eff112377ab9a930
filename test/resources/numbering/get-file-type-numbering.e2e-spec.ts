import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveFileType } from '../../factories/files.js';
import { saveNumbering } from '../../factories/numberings.js';
import { type Actor } from '../../support/actor.js';
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

  it('returns 304 for a current If-None-Match', async () => {
    const { etag = '' } = (await viewer.get(`/file-types/${fileTypeId}/numbering`)).headers;
    const response = await viewer.get(`/file-types/${fileTypeId}/numbering`).set('If-None-Match', etag);
    expect([response.status, response.text]).toEqual([304, '']);
  });

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
