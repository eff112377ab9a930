import { beforeEach, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocument, saveTag } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { expectRefused } from '../../../support/expect-refused.js';
import { duringTransaction } from '../../../support/locks.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';

interface TaggingFixture {
  tenant: TestTenant;
  editor: Actor;
  tag: { id: string };
  document: { id: string };
}

/** The cases that TagDocument and UntagDocument share. The members of the fixture are set before each case. */
export function taggingCases(method: 'put' | 'delete') {
  const [action, tagged] =
    method === 'put' ? (['DocumentTagged', false] as const) : (['DocumentUntagged', true] as const);
  const fixture = {} as TaggingFixture;
  const make = (overrides: Parameters<typeof saveDocument>[2] = {}, { tenant, editor, tag } = fixture) =>
    saveDocument(tenant, editor, { title: 'Bauplan', tagIds: tagged ? [tag.id] : [], ...overrides });
  const send = (actor = fixture.editor, id = fixture.document.id, tagId = fixture.tag.id) =>
    actor[method](`/documents/${id}/tags/${tagId}`);
  const tagsOf = async (id = fixture.document.id) =>
    ((await fixture.editor.get(`/documents/${id}`)).body as { tagIds: string[] }).tagIds;
  beforeEach(async () => {
    fixture.tenant = await service.tenant();
    fixture.editor = await fixture.tenant.as('editor', 'Edda Editor');
    fixture.tag = await saveTag(fixture.tenant, 'dringend');
    fixture.document = await make();
  });

  it('returns 204, changes the tags, writes an audit entry and sends no notification', async () => {
    const { tenant, editor, tag } = fixture;
    const other = await saveTag(tenant);
    const { id } = await make({ tagIds: tagged ? [tag.id, other.id] : [] });
    const before = (await editor.get(`/documents/${id}`)).body as { updatedAt: string };

    const response = await send(await tenant.as('editor'), id);

    expect([response.status, response.text]).toEqual([204, '']);
    const after = (await editor.get(`/documents/${id}`)).body as typeof before;
    expect(after).toMatchObject({ tagIds: [tagged ? other.id : tag.id] });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect(await tenant.audit()).toMatchObject([
      { action, subject_type: 'Document', subject_id: id, summary: 'Bauplan: dringend' },
    ]);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('returns 204 with a Write grant on a file of the document; 403 with a Read grant', async () => {
    const { tenant, editor } = fixture;
    const [writer, reader] = [await tenant.as('guest'), await tenant.as('guest')];
    const file = await saveFile(tenant, editor);
    const { id } = await make({ fileIds: [file.id] });
    await saveAccessGrant(tenant, writer, { file: file.id }, { level: 'Write' });
    await saveAccessGrant(tenant, reader, { file: file.id });
    await expectRefused(tenant, send(reader, id), 'permission.missing');
    expect((await send(writer, id)).status).toBe(204);
  });

  it('returns 404 for a confidential document to a caller who is not on its access list', async () => {
    const { tenant, editor } = fixture;
    const { id } = await make({ confidentialTo: [editor] });
    await expectRefused(tenant, send(await tenant.as('administrator'), id), 'resource.not-found');
    expect((await send(editor, id)).status).toBe(204);
  });

  it.each([
    ['Archived', 'document.archived'],
    ['Deleted', 'document.deleted'],
  ] as const)('returns 409 for a document that is %s', async (status, code) => {
    const { id } = await make({ status });
    await expectRefused(fixture.tenant, send(fixture.editor, id), code);
  });

  it('returns 409 for a document in a Closed file', async () => {
    const { tenant, editor } = fixture;
    const closed = await saveFile(tenant, editor, { status: 'Closed' });
    const { id } = await make({ fileIds: [closed.id] });
    await expectRefused(tenant, send(editor, id), 'file.closed');
  });

  it('returns 404 for a tag that is deleted at the same time', async () => {
    const values = [fixture.tenant.id, fixture.tag.id];
    const deletion = 'DELETE FROM tags WHERE tenant_id = $1 AND id = $2';
    expectProblem(await duringTransaction(service, deletion, values, () => send()), 'resource.not-found');
  });

  return { fixture, make, send, tagsOf };
}
