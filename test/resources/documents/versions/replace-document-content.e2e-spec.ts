import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ContentStore } from '../../../../src/platform/content/content-store.js';
import { storageProblem } from '../../../../src/platform/content/disk-content-store.js';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { type DocumentOverrides, putContent, saveDocument } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { conditionalWrites } from '../../../support/operations/conditional-writes.js';
import { waitUntil } from '../../../support/wait-until.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { duringTransaction } from '../../../support/locks.js';
import { waitUntilProcessed } from '../../../support/wait-until-processed.js';
import { service } from '../../../support/service/shared-service.js';
import { sha256Of } from '../../../support/content-fixtures.js';
import { asBytes, storedHashes, temporaryFiles } from '../../../support/stored-content.js';
import { type TestTenant } from '../../../support/tenant.js';
import {
  type ExpectedProblem,
  contentOf,
  expectRefusedWithoutChange,
  saveDocumentWithContent,
} from './document-content.js';

interface Version {
  number: number;
  sha256: string;
  fileName: string | null;
}

describe('ReplaceDocumentContent', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let id: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda Editor');
    id = await saved('first');
  });
  // No test may leave temporary content behind.
  afterEach(() => waitUntil(async () => (await temporaryFiles(service)).length === 0));

  const saved = (bytes: string, overrides: DocumentOverrides = {}, where = tenant, actor = editor) =>
    saveDocumentWithContent(where, actor, bytes, overrides);
  const put = (bytes: Buffer | string, actor = editor, documentId = id, fileName?: string) =>
    putContent(actor, documentId, bytes, { fileName });
  const form = () => editor.put(`/documents/${id}/content`);
  const versions = async (documentId = id, actor = editor) =>
    ((await actor.get(`/documents/${documentId}/versions`)).body as { items: Version[] }).items;
  const content = () => contentOf(editor, id);
  const expectRefused = (test: PromiseLike<unknown>, ...problem: ExpectedProblem) =>
    expectRefusedWithoutChange(tenant, test, ...problem);

  describe('with the entity tag of the content', () => {
    conditionalWrites({
      actor: () => editor,
      path: () => `/documents/${id}/content`,
      send: (actor) => put('second', actor),
      success: 200,
    });
  });

  describe('with the entity tag of the document', () => {
    conditionalWrites({
      actor: () => editor,
      path: () => `/documents/${id}`,
      send: (actor) => put('second', actor),
      success: 200,
    });
  });

  describe('200', () => {
    it('returns 200 with the new version, keeps the former one and writes an audit entry', async () => {
      await service.query('UPDATE documents SET content_page_count = 7 WHERE tenant_id = $1 AND id = $2', [
        tenant.id,
        id,
      ]);
      const before = (await editor.get(`/documents/${id}`)).body as { updatedAt: string };
      const other = await tenant.as('editor', 'Otto Other');

      const response = await putContent(other, id, 'second', {
        mediaType: 'Text/Markdown; charset=utf-8',
        fileName: 'Pläne/Prüfung „2“.md',
      });

      expect(response.status).toBe(200);
      expect(response.body).toEqual({
        ...before,
        status: 'Processing',
        content: {
          fileName: 'Prüfung „2“.md',
          mediaType: 'text/markdown',
          size: 6,
          sha256: sha256Of('second'),
          pageCount: null,
          text: 'Pending',
          failure: null,
        },
        updatedAt: expect.any(String),
        duplicateIds: [],
      });
      expect((response.body as typeof before).updatedAt > before.updatedAt).toBe(true);
      // The entity tag in the answer is that of the addressed resource: the content.
      const head = await editor.send('head', `/documents/${id}/content`);
      expect([response.headers.etag, head.headers.etag]).toEqual([1, 2].map(() => `"${sha256Of('second')}"`));
      expect((await content()).toString()).toBe('second');
      expect(await versions()).toMatchObject([
        {
          number: 2,
          isNewest: true,
          sha256: sha256Of('second'),
          createdById: other.userId,
          restoredFrom: null,
        },
        { number: 1, isNewest: false, sha256: sha256Of('first'), createdById: editor.userId },
      ]);
      expect(await storedHashes(tenant)).toEqual([sha256Of('first'), sha256Of('second')].sort());
      expect(await tenant.jobs()).toMatchObject([{ payload: { documentId: id, version: 2 } }]);
      const changes = (await tenant.audit()).filter(({ action }) => action !== 'DocumentDownloaded');
      expect(changes).toEqual([
        other.entry('DocumentUpdated', 'Document', id, 'Bauplan: version 2, Prüfung „2“.md'),
      ]);
      expect(await tenant.notifications()).toEqual([]);
    });

    it('returns 200 with the first version of a document without content', async () => {
      const plain = await saveDocument(tenant, editor);
      const response = await put('only', editor, plain.id, 'Erster.txt');
      expect([response.status, response.body]).toMatchObject([
        200,
        { status: 'Processing', content: { fileName: 'Erster.txt', sha256: sha256Of('only') } },
      ]);
      expect(await versions(plain.id)).toMatchObject([{ number: 1, isNewest: true }]);
    });

    it('returns 200 for If-None-Match: * only while the document has no content', async () => {
      const plain = await saveDocument(tenant, editor);
      const send = () => put('only', editor, plain.id).set('If-None-Match', '*');
      expect((await send()).status).toBe(200);
      expectProblem(await send(), 'request.precondition-failed');
    });

    it.each([
      ['the same bytes', () => put('first')],
      ['the same bytes under the same name', () => put('first', editor, id, 'Plan.txt')],
      [
        'the same file in a form',
        () =>
          form().attach('content', Buffer.from('first'), { filename: 'Plan.txt', contentType: 'text/plain' }),
      ],
    ])('returns 200 and writes nothing for %s', async (_, send) => {
      const before = await tenant.fingerprint();
      const response = await send();
      expect([response.status, response.headers.etag]).toEqual([200, `"${sha256Of('first')}"`]);
      expect(response.body).toEqual({ ...(await editor.get(`/documents/${id}`)).body, duplicateIds: [] });
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it('returns 200 and writes nothing for the same bytes with the claimed or the detected media type', async () => {
      await service.query(
        `UPDATE document_versions SET media_type = 'application/pdf' WHERE tenant_id = $1 AND document_id = $2`,
        [tenant.id, id],
      );
      const before = await tenant.fingerprint();
      for (const mediaType of ['text/plain', 'application/pdf']) {
        expect((await putContent(editor, id, 'first', { mediaType })).status).toBe(200);
      }
      expect(await tenant.fingerprint()).toEqual(before);
      expect((await putContent(editor, id, 'first', { mediaType: 'image/png' })).status).toBe(200);
      expect(await versions()).toHaveLength(2);
    });

    it('returns 200 with a new version for the same bytes under another name, storing the bytes once', async () => {
      const response = await put('first', editor, id, 'Umbenannt.txt');
      expect(response.body).toMatchObject({
        content: { fileName: 'Umbenannt.txt', sha256: sha256Of('first') },
      });
      expect((await versions()).map(({ number, fileName }) => [number, fileName])).toEqual([
        [2, 'Umbenannt.txt'],
        [1, 'Plan.txt'],
      ]);
      expect(await storedHashes(tenant)).toEqual([sha256Of('first')]);
    });

    it('returns 200 to a guest with a Write grant on a file of the document, and to a custom role', async () => {
      const file = await saveFile(tenant, editor);
      const filed = await saved('filed', { fileIds: [file.id] });
      const guest = await tenant.as('guest');
      await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
      expect((await put('second', guest, filed)).status).toBe(200);
      await waitUntilProcessed(tenant, id);
      // The answer lists duplicates for a caller who can read documents.
      await saved('third');
      const writer = await tenant.with('documents.update', 'documents.read', 'files.read');
      expect((await put('third', writer, filed)).body).toMatchObject({ duplicateIds: [expect.any(String)] });
    });

    it('returns 200 with the ids of documents that have the same content', async () => {
      const [one, two] = [await saved('same'), await saved('same')];
      await saved('different');
      const response = await put('same');
      expect([...(response.body as { duplicateIds: string[] }).duplicateIds].sort()).toEqual(
        [one, two].sort(),
      );
    });
  });

  it('returns 403 without the permission, before it stores anything', async () => {
    const viewer = await tenant.as('viewer');
    await expectRefused(put('second', viewer), 'permission.missing');
  });

  describe('404', () => {
    it('returns 404 for a confidential document to a caller who is not on its access list', async () => {
      const secret = await saved('secret', { confidentialTo: [editor] });
      await expectRefused(put('second', await tenant.as('administrator'), secret), 'resource.not-found');
      expect((await put('second', editor, secret)).status).toBe(200);
    });

    it('returns 404 for a document that the caller cannot see', async () => {
      const writer = await tenant.with('documents.read', 'documents.update');
      await expectRefused(put('second', writer), 'resource.not-found');
    });
  });

  describe('409', () => {
    it.each([
      ['Processing', 'document.processing'],
      ['Archived', 'document.archived'],
      ['Deleted', 'document.deleted'],
    ] as const)(
      'returns 409 for a document that is %s, even with unchanged content',
      async (status, problem) => {
        const other = await saved('other', { status });
        await expectRefused(put('second', editor, other), problem);
        await expectRefused(put('other', editor, other), problem);
      },
    );

    it('returns 409 for a document in a Closed file', async () => {
      const file = await saveFile(tenant, editor, { status: 'Closed' });
      await expectRefused(put('second', editor, await saved('filed', { fileIds: [file.id] })), 'file.closed');
    });
  });

  describe('412', () => {
    it('returns 412 for If-Match: * when the document has no content', async () => {
      const plain = await saveDocument(tenant, editor);
      await expectRefused(put('only', editor, plain.id).set('If-Match', '*'), 'request.precondition-failed');
      const { headers } = await editor.get(`/documents/${plain.id}`);
      expect((await put('only', editor, plain.id).set('If-Match', String(headers.etag))).status).toBe(200);
    });

    it('checks visibility (404), then If-Match (412), then the state (409)', async () => {
      const archived = await saved('archived', { status: 'Archived' });
      const stale = (documentId: string) => put('second', editor, documentId).set('If-Match', '"other"');
      await expectRefused(stale(archived), 'request.precondition-failed');
      await expectRefused(stale(randomUUID()), 'resource.not-found');
    });
  });

  it('returns 500 and keeps the former content when the transaction fails at its end', async () => {
    await service.query('ALTER TABLE audit_entries ADD CONSTRAINT ck_test CHECK (false) NOT VALID');
    const before = await tenant.fingerprint();
    try {
      expectProblem(await put('second'), 'service.error');
    } finally {
      await service.query('ALTER TABLE audit_entries DROP CONSTRAINT ck_test');
    }
    expect(await tenant.fingerprint()).toEqual(before);
    expect((await content()).toString()).toBe('first');
  });

  it('returns 507 when the store is full', async () => {
    const full = storageProblem(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    const receive = jest.spyOn(service.app.get(ContentStore), 'receive').mockRejectedValue(full);
    try {
      await expectRefused(put('second'), 'content.storage-full');
    } finally {
      receive.mockRestore();
    }
  });

  describe('concurrently', () => {
    it('returns 200 to one of several requests, 409 to the others while it is Processing', async () => {
      const sent = ['one', 'two', 'three', 'four'];
      const responses = await Promise.all(sent.map((bytes) => put(bytes)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
      for (const response of responses) {
        if (response.status !== 200) expectProblem(response, 'document.processing');
      }
      const taken = sent.find((_, n) => responses[n]?.status === 200) ?? '';
      expect(await versions()).toMatchObject([
        { number: 2, sha256: sha256Of(taken) },
        { number: 1, sha256: sha256Of('first') },
      ]);
      expect((await content()).toString()).toBe(taken);
      expect(await tenant.jobs()).toMatchObject([{ payload: { documentId: id, version: 2 } }]);
    });

    it('keeps every version of consecutive replacements', async () => {
      const sent = ['one', 'two', 'three'];
      for (const bytes of sent) {
        expect((await put(bytes)).status).toBe(200);
        await waitUntilProcessed(tenant, id);
      }
      for (const [n, bytes] of ['first', ...sent].entries()) {
        const read = await asBytes(editor.get(`/documents/${id}/versions/${n + 1}/content`));
        expect((read.body as Buffer).toString()).toBe(bytes);
      }
    });

    it('returns 412 to one of two requests with the same If-Match', async () => {
      const tag = `"${sha256Of('first')}"`;
      const responses = await Promise.all(['one', 'two'].map((bytes) => put(bytes).set('If-Match', tag)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
      expect(await versions()).toHaveLength(2);
    });

    it('waits for a sweep that removes the same bytes', async () => {
      await service.query(
        `INSERT INTO contents (tenant_id, sha256, size, linked_at) VALUES ($1, $2, 6, now() - interval '2 days')`,
        [tenant.id, sha256Of('second')],
      );
      const response = await duringTransaction(
        service,
        'DELETE FROM contents WHERE tenant_id = $1 AND sha256 = $2',
        [tenant.id, sha256Of('second')],
        () => put('second'),
      );
      expect(response.status).toBe(200);
      expect((await content()).toString()).toBe('second');
    });
  });
});
