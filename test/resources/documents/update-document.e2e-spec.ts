import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveDocument, saveTag } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { duringTransaction } from '../../support/locks.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { textRules } from '../../support/operations/text-rules.js';

describe('UpdateDocument', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let document: { id: string; title: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda Editor');
    document = await saveDocument(tenant, editor, { title: 'Entwurf' });
  });

  const put = (body: object = { title: 'Bauplan' }, actor = editor, id = document.id) =>
    actor.put(`/documents/${id}`, body);

  textRules({
    tenant: () => tenant,
    member: 'title',
    max: 200,
    body: () => ({ title: 'Bauplan' }),
    send: (body) => put(body),
    success: 200,
    isOptional: true,
  });

  conditionalWrites({
    actor: () => editor,
    path: () => `/documents/${document.id}`,
    send: (actor, path) => actor.put(path, { title: 'Bauplan' }),
    success: 200,
  });

  describe('200', () => {
    it('returns 200 with the new title, writes an audit entry and sends no notification', async () => {
      const before = (await editor.get(`/documents/${document.id}`)).body as Record<string, unknown>;

      const response = await put({ title: 'Bauplan', documentTypeId: null, fields: {}, status: 'Deleted' });

      expect(response.status).toBe(200);
      const { updatedAt } = response.body as { updatedAt: string };
      expect(response.body).toEqual({ ...before, title: 'Bauplan', updatedAt });
      expect(updatedAt > String(before.updatedAt)).toBe(true);
      const read = await editor.get(`/documents/${document.id}`);
      expect([read.body, read.headers.etag]).toEqual([response.body, response.headers.etag]);
      expect(await tenant.audit()).toEqual([
        editor.entry('DocumentUpdated', 'Document', document.id, 'Entwurf → Bauplan'),
      ]);
      expect(await tenant.notifications()).toEqual([]);
    });

    it.each([
      {},
      { title: ' Entwurf ' },
      { documentTypeId: null, fields: null },
      { title: 'Entwurf', fields: {} },
      { titel: 'Bauplan' },
    ])('returns 200 and writes nothing when nothing changes: %j', async (body) => {
      const before = await tenant.fingerprint();
      const response = await put(body);
      expect([response.status, response.body]).toMatchObject([200, { title: 'Entwurf' }]);
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it('returns 200 and leaves files, tags and confidentiality unchanged', async () => {
      const [file, tag] = [await saveFile(tenant, editor), await saveTag(tenant)];
      const { id } = await saveDocument(tenant, editor, {
        fileIds: [file.id],
        tagIds: [tag.id],
        confidentialTo: [editor],
      });
      const response = await put(
        { title: 'Bauplan', fileIds: [], tagIds: [], isConfidential: false },
        editor,
        id,
      );
      expect(response.body).toMatchObject({ fileIds: [file.id], tagIds: [tag.id], isConfidential: true });
    });

    it('returns 200 for a document that is Processing', async () => {
      const { id } = await saveDocument(tenant, editor, { status: 'Processing' });
      expect((await put({ title: 'Bauplan' }, editor, id)).body).toMatchObject({
        title: 'Bauplan',
        status: 'Processing',
      });
    });

    it('returns 200 with a Write grant on a file of the document', async () => {
      const guest = await tenant.as('guest');
      const file = await saveFile(tenant, editor);
      const { id } = await saveDocument(tenant, editor, { fileIds: [file.id] });
      await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
      expect((await put({ title: 'Bauplan' }, guest, id)).status).toBe(200);
    });
  });

  it('returns 403 with a Read grant, or a Write grant on a file without the document', async () => {
    const guest = await tenant.as('guest');
    const [file, other] = [await saveFile(tenant, editor), await saveFile(tenant, editor)];
    const { id } = await saveDocument(tenant, editor, { fileIds: [file.id] });
    await saveAccessGrant(tenant, guest, { file: file.id });
    await saveAccessGrant(tenant, guest, { file: other.id }, { level: 'Write' });
    await expectRefused(tenant, put({ title: 'Bauplan' }, guest, id), 'permission.missing');
  });

  describe('404', () => {
    it('returns 404 to a caller with documents.update who cannot see the document', async () => {
      await expectRefused(
        tenant,
        put({ title: 'Bauplan' }, await tenant.with('documents.update')),
        'resource.not-found',
      );
    });

    it('returns 404 after checking the body (400), before looking up the document type (400)', async () => {
      const hidden = await saveDocument(tenant, editor, { confidentialTo: [editor] });
      const administrator = await tenant.as('administrator');
      await expectRefused(tenant, put({ title: '' }, administrator, hidden.id), 'request.invalid', ['title']);
      await expectRefused(
        tenant,
        put({ title: 'Bauplan', documentTypeId: randomUUID() }, administrator, hidden.id),
        'resource.not-found',
      );
    });
  });

  it('returns 400 for an unknown document type', () =>
    expectRefused(
      tenant,
      put({ title: 'Bauplan', documentTypeId: randomUUID(), fields: { amount: '1' } }),
      'request.invalid',
      ['documentTypeId'],
    ));

  it('returns 400 for values without a type, before 404 only when documentTypeId is null', async () => {
    const values = { fields: { amount: '1' } };
    await expectRefused(
      tenant,
      put({ documentTypeId: null, ...values }, editor, randomUUID()),
      'request.invalid',
      ['fields.amount'],
    );
    await expectRefused(tenant, put(values, editor, randomUUID()), 'resource.not-found');
    await expectRefused(tenant, put(values), 'request.invalid', ['fields.amount']);
  });

  it('checks the values (400), then If-Match (412), then the state (409)', async () => {
    const { id } = await saveDocument(tenant, editor, { status: 'Archived' });
    const stale = (body: object) => put(body, editor, id).set('If-Match', '"other"');
    await expectRefused(tenant, stale({ title: 'Bauplan', fields: { amount: '1' } }), 'request.invalid', [
      'fields.amount',
    ]);
    await expectRefused(tenant, stale({ title: 'Bauplan' }), 'request.precondition-failed');
    await expectRefused(tenant, put({ title: 'Bauplan' }, editor, id), 'document.archived');
  });

  describe('409', () => {
    it.each([
      ['Archived', 'document.archived'],
      ['Deleted', 'document.deleted'],
    ] as const)('returns 409 for a document that is %s', async (status, code) => {
      const { id } = await saveDocument(tenant, editor, { status });
      await expectRefused(tenant, put({ title: 'Bauplan' }, editor, id), code);
    });

    it('returns 409 for a document when one of its files is Closed', async () => {
      const [open, closed] = [
        await saveFile(tenant, editor),
        await saveFile(tenant, editor, { status: 'Closed' }),
      ];
      const { id } = await saveDocument(tenant, editor, { fileIds: [open.id, closed.id] });
      await expectRefused(tenant, put({ title: 'Bauplan' }, editor, id), 'file.closed');
    });

    it('returns 409 for a document in a file that is closed at the same time', async () => {
      const file = await saveFile(tenant, editor);
      const { id } = await saveDocument(tenant, editor, { title: 'Entwurf', fileIds: [file.id] });
      const response = await duringTransaction(
        service,
        `UPDATE files SET status = 'Closed', closed_at = now() WHERE tenant_id = $1 AND id = $2`,
        [tenant.id, file.id],
        () => put({ title: 'Bauplan' }, editor, id),
      );
      expectProblem(response, 'file.closed');
      expect((await editor.get(`/documents/${id}`)).body).toMatchObject({ title: 'Entwurf' });
    });
  });

  it('returns 412 when the files of the document changed while the request waited', async () => {
    const file = await saveFile(tenant, editor);
    const tag = (await editor.get(`/documents/${document.id}`)).headers.etag ?? '';
    const response = await duringTransaction(
      service,
      `WITH touched AS (UPDATE documents SET title = title WHERE tenant_id = $1 AND id = $2)
       INSERT INTO document_files (tenant_id, document_id, file_id, created_at, file_type_id)
       SELECT $1, $2, $3, d.created_at, f.file_type_id
         FROM documents d, files f WHERE d.tenant_id = $1 AND d.id = $2 AND f.tenant_id = $1 AND f.id = $3`,
      [tenant.id, document.id, file.id],
      () => put().set('If-Match', tag),
    );
    expectProblem(response, 'request.precondition-failed');
  });

  it('returns 200 to one of two requests with the same If-Match, 412 to the other', async () => {
    const tag = (await editor.get(`/documents/${document.id}`)).headers.etag ?? '';
    const responses = await Promise.all(['eins', 'zwei'].map((title) => put({ title }).set('If-Match', tag)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect(await tenant.audit()).toHaveLength(1);
  });
});
