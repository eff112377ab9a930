import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocument, upload } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { expectRefused } from '../../../support/expect-refused.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { waitUntilProcessed } from '../../../support/wait-until-processed.js';

describe('ReprocessDocument', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let id: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edith');
    id = await read('Der Bauantrag ist da');
  });

  /** Uploads a document, and waits until its text is read. */
  async function read(
    text: string,
    {
      of = tenant,
      actor = editor,
      document = {},
    }: { of?: TestTenant; actor?: Actor; document?: object } = {},
  ): Promise<string> {
    const title = 'Antrag';
    const response = await upload(actor, { title, ...document }, { bytes: text, fileName: 'antrag.txt' });
    const { id: documentId } = response.body as { id: string };
    await waitUntilProcessed(of, documentId);
    return documentId;
  }

  /** As if the service could not read the format then. */
  const forgetText = async (documentId = id) => {
    await service.query(`UPDATE documents SET content_text = 'None' WHERE tenant_id = $1 AND id = $2`, [
      tenant.id,
      documentId,
    ]);
    await service.query('DELETE FROM document_texts WHERE tenant_id = $1 AND document_id = $2 AND part > 0', [
      tenant.id,
      documentId,
    ]);
  };
  const reprocess = (actor = editor, documentId = id) => actor.post(`/documents/${documentId}/reprocess`);
  const found = async (word: string) =>
    ((await editor.get(`/documents?q=${word}`)).body as { items: object[] }).items.length;

  it('returns 200, has the content read again and writes an audit entry, without a notification', async () => {
    await forgetText();
    const before = await editor.get(`/documents/${id}`);
    expect([before.body, await found('Bauantrag')]).toMatchObject([{ content: { text: 'None' } }, 0]);

    const response = await reprocess();
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      ...(before.body as { content: object }),
      content: { ...(before.body as { content: object }).content, text: 'Pending' },
    });
    await service.runJobs();
    const after = await editor.get(`/documents/${id}`);
    expect(after.body).toEqual({
      ...(before.body as object),
      content: { ...(before.body as { content: object }).content, text: 'Available' },
    });
    expect(await found('Bauantrag')).toBe(1);
    expect((await tenant.audit()).at(-1)).toEqual(
      editor.entry('DocumentReprocessed', 'Document', id, 'Antrag'),
    );
    expect(await tenant.notifications()).toEqual([]);
    expect(await tenant.jobs()).toEqual([]);
  });

  it('returns 200, and searches find the former text until the content is read', async () => {
    await reprocess();
    expect(await found('Bauantrag')).toBe(1);
    await service.runJobs();
    expect(await found('Bauantrag')).toBe(1);
  });

  it('returns 200 for an archived document in a closed file, which stay so', async () => {
    const file = await saveFile(tenant, editor);
    const filed = await read('Text', { document: { fileIds: [file.id] } });
    await editor.post(`/documents/${filed}/archive`).expect(200);
    await editor.post(`/files/${file.id}/close`).expect(200);
    expect((await reprocess(editor, filed)).body).toMatchObject({
      status: 'Archived',
      content: { text: 'Pending' },
    });
    await service.runJobs();
    expect((await editor.get(`/documents/${filed}`)).body).toMatchObject({
      status: 'Archived',
      content: { text: 'Available' },
    });
  });

  it('returns 200 for a content that cannot be read, and notifies nobody of the failure', async () => {
    const broken = await read('%PDF-1.7 this is not one');
    const known = await tenant.notifications();
    await reprocess(editor, broken).expect(200);
    await service.runJobs();
    expect((await editor.get(`/documents/${broken}`)).body).toMatchObject({
      status: 'Active',
      content: { text: 'Failed', failure: 'Corrupted' },
    });
    expect(await tenant.notifications()).toEqual(known);
  });

  it('returns 200 with a Write grant on a file of the document, and 403 with a Read grant', async () => {
    const file = await saveFile(tenant, editor);
    const filed = await read('Text', { document: { fileIds: [file.id] } });
    const guest = await tenant.as('guest');
    await saveAccessGrant(tenant, guest, { file: file.id });
    expectProblem(await reprocess(guest, filed), 'permission.missing');
    await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
    expect((await reprocess(guest, filed)).status).toBe(200);
  });

  describe('without a change', () => {
    it('returns 404 document.without-content for a document without content', async () => {
      ({ id } = await saveDocument(tenant, editor));
      await expectRefused(tenant, reprocess(), 'document.without-content');
    });

    it('returns 409 document.processing while the content is read', async () => {
      await reprocess().expect(200);
      await expectRefused(tenant, reprocess(), 'document.processing');
    });

    it('returns 409 document.deleted for a document in the bin', async () => {
      await (await tenant.as('administrator')).delete(`/documents/${id}`).expect(204);
      await expectRefused(tenant, reprocess(), 'document.deleted');
    });
  });
});
