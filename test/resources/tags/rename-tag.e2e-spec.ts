import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Actor } from '../../support/actor.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { textRules } from '../../support/operations/text-rules.js';

interface Tag {
  id: string;
  name: string;
  createdAt: string;
}

describe('RenameTag', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let tag: Tag;
  let tagETag: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda');
    const response = await editor.post('/tags', { name: 'Dringend' });
    tag = response.body as Tag;
    tagETag = response.headers.etag ?? '';
  });

  textRules({
    tenant: () => tenant,
    member: 'name',
    max: 200,
    body: () => ({ name: 'Eilig' }),
    send: (body) => editor.put(`/tags/${tag.id}`, body),
    success: 200,
  });
  conditionalWrites({
    actor: () => editor,
    path: () => `/tags/${tag.id}`,
    send: (actor, path) => actor.put(path, { name: 'Eilig' }),
    success: 200,
  });

  it('returns 200 with the new name and entity tag, and writes an audit entry', async () => {
    const response = await editor.put(`/tags/${tag.id.toUpperCase()}`, {
      name: 'Eilig',
      id: 'x',
      createdAt: 'x',
    });
    expect([response.status, response.body]).toEqual([200, { ...tag, name: 'Eilig' }]);
    expect(response.headers.etag).not.toBe(tagETag);
    expect((await tenant.audit())[1]).toEqual(editor.entry('TagRenamed', 'Tag', tag.id, 'Dringend → Eilig'));
    expect(await tenant.notifications()).toEqual([]);
  });

  it('returns 200 and renames the tag when only the case changes', async () => {
    const response = await editor.put(`/tags/${tag.id}`, { name: 'DRINGEND' });
    expect([response.status, response.body]).toEqual([200, { ...tag, name: 'DRINGEND' }]);
    expect((await tenant.audit()).map(({ summary }) => summary)).toEqual(['Dringend', 'Dringend → DRINGEND']);
  });

  it('returns 200 and writes nothing for the same name', async () => {
    const before = await tenant.fingerprint();
    const response = await editor.put(`/tags/${tag.id}`, { name: '  Dringend ' });
    expect([response.status, response.body, response.headers.etag]).toEqual([200, tag, tagETag]);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 200 for a name that has just become free', async () => {
    const other = (await editor.post('/tags', { name: 'Eilig' })).body as Tag;
    await editor.put(`/tags/${other.id}`, { name: 'Später' });
    expect((await editor.put(`/tags/${tag.id}`, { name: 'eilig' })).status).toBe(200);
  });

  it('returns 409 for a tag name that differs only in case, after checking If-Match (412)', async () => {
    await editor.post('/tags', { name: 'Großes' });
    await expectRefused(tenant, editor.put(`/tags/${tag.id}`, { name: 'GROSSES' }), 'tag.name-taken');
    const stale = editor.put(`/tags/${tag.id}`, { name: 'GROSSES' }).set('If-Match', '"other"');
    await expectRefused(tenant, stale, 'request.precondition-failed');
  });

  it('returns 412 to the second of two requests with the same If-Match', async () => {
    expect((await editor.put(`/tags/${tag.id}`, { name: 'A' }).set('If-Match', tagETag)).status).toBe(200);
    expectProblem(
      await editor.put(`/tags/${tag.id}`, { name: 'B' }).set('If-Match', tagETag),
      'request.precondition-failed',
    );
  });
});
