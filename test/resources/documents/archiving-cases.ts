import { beforeEach, expect, it } from '@jest/globals';
import { type ProblemCode } from '../../../src/common/messages/problems.js';
import { saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

/**
 * The cases that ArchiveDocument and UnarchiveDocument share.
 *
 * @param conflicts the problem for each other status of the document
 */
export function archivingCases(
  operation: 'archive' | 'unarchive',
  conflicts: [status: 'Processing' | 'Active' | 'Archived' | 'Deleted', ProblemCode][],
): void {
  const [before, after, action] =
    operation === 'archive'
      ? (['Active', 'Archived', 'DocumentArchived'] as const)
      : (['Archived', 'Active', 'DocumentUnarchived'] as const);
  let tenant: TestTenant;
  let editor: Actor;
  let document: { id: string; title: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda Editor');
    document = await saveDocument(tenant, editor, { title: 'Bauplan', status: before });
  });

  const send = (actor = editor, id = document.id) => actor.post(`/documents/${id}/${operation}`);

  it('returns 200, writes an audit entry and sends no notification', async () => {
    const file = await saveFile(tenant, editor);
    const { id } = await saveDocument(tenant, editor, {
      title: 'Bauplan',
      status: before,
      fileIds: [file.id],
    });

    const response = await send(editor, id);

    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ id, title: 'Bauplan', status: after, fileIds: [file.id] });
    const read = await editor.get(`/documents/${id}`);
    expect([read.body, read.headers.etag]).toEqual([response.body, response.headers.etag]);
    expect(await tenant.audit()).toEqual([editor.entry(action, 'Document', id, 'Bauplan')]);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('returns 404 for a confidential document to a caller who is not on its access list', async () => {
    const { id } = await saveDocument(tenant, editor, { status: before, confidentialTo: [editor] });
    await expectRefused(tenant, send(await tenant.as('administrator'), id), 'resource.not-found');
    expect((await send(editor, id)).status).toBe(200);
  });

  it.each(conflicts)('returns 409 for a document that is %s', async (status, code) => {
    const { id } = await saveDocument(tenant, editor, { status });
    await expectRefused(tenant, send(editor, id), code);
  });

  it('returns 409 for a document in a Closed file', async () => {
    const closed = await saveFile(tenant, editor, { status: 'Closed' });
    const { id } = await saveDocument(tenant, editor, { status: before, fileIds: [closed.id] });
    await expectRefused(tenant, send(editor, id), 'file.closed');
  });

  it('returns 200 to exactly one of several concurrent requests, 409 to the others', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => send()));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await tenant.audit()).toHaveLength(1);
  });
}
