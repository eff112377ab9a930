import { beforeEach, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocument } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { expectRefused } from '../../../support/expect-refused.js';
import { duringTransaction } from '../../../support/locks.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';

interface FilingFixture {
  tenant: TestTenant;
  editor: Actor;
  /** Has created the document. */
  author: Actor;
  file: { id: string };
  other: { id: string };
  document: { id: string };
}

/** The cases that FileDocument and UnfileDocument share. The members of the fixture are set before each case. */
export function filingCases(method: 'put' | 'delete') {
  const [action, arrow, isFiled] =
    method === 'put' ? (['DocumentFiled', '→', false] as const) : (['DocumentUnfiled', '←', true] as const);
  const fixture = {} as FilingFixture;
  /** A document with which the operation succeeds. */
  const make = (
    { fileIds = [], ...overrides }: Parameters<typeof saveDocument>[2] = {},
    { tenant, author, file } = fixture,
  ) =>
    saveDocument(tenant, author, { fileIds: isFiled ? [file.id, ...fileIds] : [...fileIds], ...overrides });
  const send = (actor = fixture.editor, documentId = fixture.document.id, fileId = fixture.file.id) =>
    actor[method](`/documents/${documentId}/files/${fileId}`);
  const links = () =>
    service.query<{ document_id: string; file_id: string }>(
      'SELECT document_id, file_id FROM document_files WHERE tenant_id = $1 ORDER BY document_id, file_id',
      [fixture.tenant.id],
    );
  beforeEach(async () => {
    const tenant = await service.tenant();
    const [editor, author] = [
      await tenant.as('editor', 'Edda Editor'),
      await tenant.as('editor', 'Arno Author'),
    ];
    const file = await saveFile(tenant, editor, { number: 'AZ-1', name: 'Feuerwache' });
    const other = await saveFile(tenant, editor);
    Object.assign(fixture, { tenant, editor, author, file, other });
    fixture.document = await make({ title: 'Bauplan', fileIds: isFiled ? [other.id] : [] });
  });

  it('returns 204, changes the document, writes an audit entry and notifies its creator', async () => {
    const { tenant, editor, author, document, file, other } = fixture;
    const before = (await editor.get(`/documents/${document.id}`)).body as { updatedAt: string };

    const response = await send().send({ ignored: true });

    expect([response.status, response.text]).toEqual([204, '']);
    const after = (await editor.get(`/documents/${document.id}`)).body as typeof before;
    expect(after).toMatchObject({ fileIds: [isFiled ? other.id : file.id] });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect(await tenant.audit()).toEqual([
      editor.entry(action, 'Document', document.id, `Bauplan ${arrow} AZ-1: Feuerwache`),
    ]);
    expect(await tenant.notifications()).toEqual([
      {
        user_id: author.userId,
        type: action,
        parameters: {
          documentId: document.id,
          documentTitle: 'Bauplan',
          fileId: file.id,
          fileNumber: 'AZ-1',
          fileName: 'Feuerwache',
          actorName: 'Edda Editor',
        },
      },
    ]);
  });

  it('returns 204 without a notification when the caller created the document', async () => {
    expect((await send(fixture.author)).status).toBe(204);
    expect(await fixture.tenant.notifications()).toEqual([]);
  });

  it('returns 204 for an open file when the document is also in a Closed one', async () => {
    const { tenant, editor, file } = fixture;
    const closed = await saveFile(tenant, editor, { status: 'Closed' });
    const { id } = await make({ fileIds: [closed.id] });
    expect((await send(editor, id)).status).toBe(204);
    const left = (await links()).filter((link) => link.document_id === id).map((link) => link.file_id);
    expect(new Set(left)).toEqual(new Set(isFiled ? [closed.id] : [closed.id, file.id]));
  });

  it('returns 204 for an Archived document', async () => {
    const { id } = await make({ status: 'Archived' });
    expect((await send(fixture.editor, id)).status).toBe(204);
    const fileIds = isFiled ? [] : [fixture.file.id];
    expect((await fixture.editor.get(`/documents/${id}`)).body).toMatchObject({
      status: 'Archived',
      fileIds,
    });
  });

  it('returns 204 and ignores If-Match, since a link has no entity tag', async () => {
    expect((await send().set('If-Match', '"other"')).status).toBe(204);
  });

  it('returns 204 for a confidential document to a caller on its access list', async () => {
    const { id } = await make({ confidentialTo: [fixture.editor] });
    expect((await send(fixture.editor, id)).status).toBe(204);
  });

  it('returns 404 for a confidential document to a caller who is not on its access list', async () => {
    const { tenant, editor, author } = fixture;
    const { id } = await make({ confidentialTo: [author] });
    await expectRefused(tenant, send(editor, id), 'resource.not-found');
    await expectRefused(tenant, send(await tenant.as('administrator'), id), 'resource.not-found');
  });

  it('returns 404 for a file without a grant when the caller lacks files.read', async () => {
    const { tenant, file } = fixture;
    const member = await tenant.with('documents.read', 'documents.file');
    const own = await saveDocument(tenant, member, { fileIds: isFiled ? [file.id] : [] });
    await expectRefused(tenant, send(member, own.id), 'resource.not-found');
  });

  it('returns 409 for a document in the bin', async () => {
    const { id } = await make({ status: 'Deleted' });
    await expectRefused(fixture.tenant, send(fixture.editor, id), 'document.deleted');
  });

  it('returns 409 for a Closed file', async () => {
    const { tenant, editor } = fixture;
    const closed = await saveFile(tenant, editor, { status: 'Closed' });
    const { id } = await make({ fileIds: isFiled ? [closed.id] : [] });
    await expectRefused(tenant, send(editor, id, closed.id), 'file.closed');
  });

  it('returns 409 after waiting for a transaction that closes the file', async () => {
    const before = await links();
    const response = await duringTransaction(
      service,
      `UPDATE files SET status = 'Closed', closed_at = now() WHERE tenant_id = $1 AND id = $2`,
      [fixture.tenant.id, fixture.file.id],
      () => send(),
    );
    expectProblem(response, 'file.closed');
    expect(await links()).toEqual(before);
  });

  it('returns 204 with a Write grant on the file instead of the permission', async () => {
    const { tenant, file, document } = fixture;
    const guest = await tenant.as('guest');
    // A guest sees documents in the file and own ones.
    const { id } = isFiled ? document : await saveDocument(tenant, guest);
    await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
    expect((await send(guest, id)).status).toBe(204);
    const changed = { document_id: id, file_id: isFiled ? fixture.other.id : file.id };
    expect(await links()).toEqual([changed]);
  });

  return { fixture, make, send, links };
}
