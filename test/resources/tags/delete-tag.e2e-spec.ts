import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

interface Tag {
  id: string;
  name: string;
}

describe('DeleteTag', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let tag: Tag;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda');
    tag = (await editor.post('/tags', { name: 'Dringend' })).body as Tag;
  });
  conditionalWrites({
    actor: () => editor,
    path: () => `/tags/${tag.id}`,
    send: (actor, path) => actor.delete(path),
    success: 204,
  });

  it('returns 204, frees the name and writes an audit entry; 404 when repeated', async () => {
    const response = await editor.delete(`/tags/${tag.id}`);
    expect([response.status, response.text, response.headers['content-type']]).toEqual([204, '', undefined]);
    expect((await tenant.audit())[1]).toEqual(editor.entry('TagDeleted', 'Tag', tag.id, 'Dringend'));
    expect(await tenant.notifications()).toEqual([]);
    expectProblem(await editor.delete(`/tags/${tag.id}`), 'resource.not-found');
    expect((await editor.post('/tags', { name: 'dringend' })).status).toBe(201);
  });

  it('returns 204 and removes the tag from all documents without changing anything else', async () => {
    const kept = (await editor.post('/tags', { name: 'Bleibt' })).body as Tag;
    const file = await saveFile(tenant, editor, { status: 'Closed' });
    for (const status of ['Active', 'Archived', 'Deleted'] as const) {
      await saveDocument(tenant, editor, { status, fileIds: [file.id], tagIds: [tag.id, kept.id] });
    }
    const before = await tenant.fingerprint();
    expect((await editor.delete(`/tags/${tag.id}`)).status).toBe(204);
    const links = await tenant.query('SELECT tag_id FROM document_tags WHERE tenant_id = $1');
    expect(links).toEqual([{ tag_id: kept.id }, { tag_id: kept.id }, { tag_id: kept.id }]);
    const { documents, document_files: filed, files } = await tenant.fingerprint();
    expect({ documents, filed, files }).toEqual({
      documents: before.documents,
      filed: before.document_files,
      files: before.files,
    });
    expect((await tenant.audit()).map(({ action }) => action)).toEqual([
      'TagCreated',
      'TagCreated',
      'TagDeleted',
    ]);
  });

  it('returns 204 to exactly one of several concurrent requests, 404 to the others', async () => {
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await editor.delete(`/tags/${tag.id}`)).status),
    );
    expect(statuses.sort()).toEqual([204, 404, 404]);
    expect(await tenant.audit()).toHaveLength(2);
  });
});
