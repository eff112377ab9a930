import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Actor } from '../../support/actor.js';
import { notModified } from '../../support/operations/not-modified.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('GetTag', () => {
  let tenant: TestTenant;
  let reader: Actor;
  let tag: { id: string; name: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    reader = await tenant.as('viewer');
    tag = (await (await tenant.as('editor')).post('/tags', { name: 'Dringend' })).body as typeof tag;
  });
  notModified(() => reader.get(`/tags/${tag.id}`));

  it('returns 200 with the tag and its entity tag, for an uppercase id too', async () => {
    const response = await reader.get(`/tags/${tag.id.toUpperCase()}`);
    expect([response.status, response.body]).toEqual([200, tag]);
    expect(response.headers.etag).toMatch(/^"[^"]+"$/);
  });

  it('returns 200 with the entity tag that RenameTag accepts and returns', async () => {
    const { etag = '' } = (await reader.get(`/tags/${tag.id}`)).headers;
    const editor = await tenant.as('editor');
    const renamed = await editor.put(`/tags/${tag.id}`, { name: 'Eilt' }).set('If-Match', etag);
    expect(renamed.status).toBe(200);
    expect((await reader.get(`/tags/${tag.id}`)).headers.etag).toBe(renamed.headers.etag);
  });
});
