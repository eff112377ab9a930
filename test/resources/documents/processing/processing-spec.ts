import { appendFile, mkdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StuckDocuments } from '../../../../src/resources/documents/processing/stuck-documents.js';
import { ProcessingFolder } from '../../../../src/platform/jobs/processing-folder.js';
import { buildCompoundFile } from '../../../factories/content/office-files.js';
import { putContent } from '../../../factories/documents.js';
import { type Actor } from '../../../support/actor.js';
import { waitUntilProcessed } from '../../../support/wait-until-processed.js';
import { service } from '../../../support/service/shared-service.js';
import { sha256Of } from '../../../support/content-fixtures.js';
import { storedPath } from '../../../support/stored-content.js';
import { type TestTenant } from '../../../support/tenant.js';
import {
  TEXT,
  WORD_COUNT,
  attemptProcessing,
  contentCopies,
  processingResultOf,
  failureNotification,
  uploadDocument,
} from './processing-support.js';

describe('DocumentProcessing', () => {
  let tenant: TestTenant;
  let editor: Actor;
  beforeAll(async () => {
    // Starts the reading processes, so that the tests do not wait for them.
    const warm = await service.tenant();
    await uploadDocument(await warm.as('editor'));
    await service.runJobs();
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edith');
  });

  it('makes the document Active and searchable, and leaves no copy, audit entry or notification', async () => {
    const id = await uploadDocument(editor);
    await waitUntilProcessed(tenant, id);
    expect(await processingResultOf(tenant, id)).toEqual({
      status: 'Active',
      updated: true,
      media_type: 'text/plain',
      page_count: null,
      word_count: WORD_COUNT,
      failure: null,
    });
    expect(await tenant.jobs()).toEqual([]);
    expect(await contentCopies(service)).toEqual([]);
    expect((await tenant.audit()).map(({ action }) => action)).toEqual(['DocumentCreated']);
    expect(await tenant.notifications()).toEqual([]);
    const found = await editor.get('/documents?q=Bauantrag');
    expect((found.body as { items: object[] }).items).toMatchObject([{ id, status: 'Active' }]);
  });

  it('detects the media type from the bytes, not from the upload', async () => {
    const page = '<!doctype html><html><head><title>x</title></head><body><p>Zwei Wörter</p></body></html>';
    const id = await uploadDocument(editor, page);
    await waitUntilProcessed(tenant, id);
    const read = await editor.get(`/documents/${id}`);
    expect(read.body).toMatchObject({ status: 'Active', content: { mediaType: 'text/html' } });
  });

  it('changes nothing when it runs again', async () => {
    const id = await uploadDocument(editor);
    await waitUntilProcessed(tenant, id);
    const before = await tenant.fingerprint();
    await attemptProcessing(tenant, id);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('finishes once when it runs twice at the same time', async () => {
    const id = await uploadDocument(editor, '%PDF-1.7 this is not one');
    await Promise.all([attemptProcessing(tenant, id), attemptProcessing(tenant, id)]);
    expect(await processingResultOf(tenant, id)).toMatchObject({ status: 'Active' });
    expect(await tenant.notifications()).toEqual([failureNotification(editor, id, 'Corrupted')]);
  });

  it('ignores a job of an unknown document, tenant or version', async () => {
    const id = await uploadDocument(editor);
    const before = await tenant.fingerprint();
    const elsewhere = await service.tenant();
    // Not the first attempts, which fail on Citus: test/citus/work-on-workers-spec.ts
    await attemptProcessing(tenant, id, { tenantId: elsewhere.id, attempt: 5 });
    await attemptProcessing(tenant, tenant.id, { attempt: 5 });
    await attemptProcessing(tenant, id, { payload: { documentId: id, version: 2 }, attempt: 5 });
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('ignores the result for a content that has been replaced', async () => {
    const id = await uploadDocument(editor);
    await waitUntilProcessed(tenant, id);
    const other = await putContent(editor, id, 'Nur drei Worte');
    expect([other.status, other.body]).toMatchObject([200, { status: 'Processing' }]);
    await attemptProcessing(tenant, id);
    expect(await processingResultOf(tenant, id)).toMatchObject({ status: 'Processing', word_count: null });
    await waitUntilProcessed(tenant, id);
    expect(await processingResultOf(tenant, id)).toMatchObject({ status: 'Active', word_count: 3 });
    expect(await tenant.jobs()).toEqual([]);
  });

  describe('when reading fails', () => {
    it('makes the document Active without text and notifies the uploader once', async () => {
      const id = await uploadDocument(editor, '%PDF-1.7 this is not one');
      await waitUntilProcessed(tenant, id);
      expect(await processingResultOf(tenant, id)).toMatchObject({
        status: 'Active',
        media_type: 'application/pdf',
        word_count: null,
        failure: 'Corrupted',
      });
      await service.runJobs();
      expect(await tenant.notifications()).toEqual([failureNotification(editor, id, 'Corrupted')]);
      const read = await editor.get('/notifications');
      expect((read.body as { items: object[] }).items).toMatchObject([
        { type: 'DocumentProcessingFailed', parameters: { documentId: id, reason: 'Corrupted' } },
      ]);
      expect((await tenant.audit()).map(({ action }) => action)).toEqual(['DocumentCreated']);
    });

    it('sets ConverterMissing for a format that needs a program, and finds it as Failed', async () => {
      const id = await uploadDocument(editor, buildCompoundFile(['Workbook']));
      await waitUntilProcessed(tenant, id);
      expect((await editor.get(`/documents/${id}`)).body).toMatchObject({
        content: { mediaType: 'application/vnd.ms-excel', text: 'Failed', failure: 'ConverterMissing' },
      });
      expect((await editor.get('/documents?text=Failed')).body).toMatchObject({ items: [{ id }] });
      await service.runJobs();
      expect(await tenant.notifications()).toEqual([failureNotification(editor, id, 'ConverterMissing')]);
    });

    it('notifies the user who uploaded this content, not the creator of the document', async () => {
      const id = await uploadDocument(editor);
      await waitUntilProcessed(tenant, id);
      const other = await tenant.as('editor', 'Olga');
      await putContent(other, id, '%PDF-1.7 this is not one', { mediaType: 'application/pdf' }).expect(200);
      await waitUntilProcessed(tenant, id);
      expect(await tenant.notifications()).toEqual([failureNotification(other, id, 'Corrupted')]);
      // The words of the former content are no longer found.
      const found = await editor.get('/documents?q=Bauantrag');
      expect((found.body as { items: object[] }).items).toEqual([]);
    });

    it.each([
      ['are truncated', (file: string) => truncate(file, 10)],
      ['have an extra byte', (file: string) => appendFile(file, 'x')],
      ['have changed', (file: string) => writeFile(file, TEXT.toUpperCase())],
    ])('makes the document Active without text when the bytes in the store %s', async (_, damage) => {
      const id = await uploadDocument(editor);
      await damage(storedPath(tenant, sha256Of(TEXT)));
      await waitUntilProcessed(tenant, id);
      expect(await processingResultOf(tenant, id)).toMatchObject({
        status: 'Active',
        media_type: 'text/plain',
        word_count: null,
        failure: 'ContentDamaged',
      });
      expect(await tenant.notifications()).toEqual([failureNotification(editor, id, 'ContentDamaged')]);
      expect(await contentCopies(service)).toEqual([]);
    });

    it('hides the notification when the document has become confidential to others', async () => {
      const chief = await tenant.as('administrator');
      const id = await uploadDocument(editor, '%PDF-1.7 this is not one', 'Geheim');
      await editor.put(`/documents/${id}/confidentiality`, { isConfidential: true }).expect(200);
      await editor.put(`/documents/${id}/confidential-access/${chief.userId}`).expect(204);
      await chief.delete(`/documents/${id}/confidential-access/${editor.userId}`).expect(204);
      await waitUntilProcessed(tenant, id);
      const read = await editor.get('/notifications');
      expect(JSON.stringify(read.body)).not.toContain('Geheim');
    });
  });

  describe('for a stuck document', () => {
    const sweep = () => service.app.get(StuckDocuments).sweep();
    const deleteJobs = () =>
      service.query(`DELETE FROM graphile_worker._private_jobs WHERE payload ->> 'tenantId' = $1`, [
        tenant.id,
      ]);

    it('enqueues a new job when the document has none', async () => {
      const ids = [await uploadDocument(editor), await uploadDocument(editor, 'Anderes')];
      await deleteJobs();
      await sweep();
      expect((await tenant.jobs()).map(({ key }) => key).sort()).toEqual(
        ids.map((id) => `ProcessDocument:${id}:1`).sort(),
      );
      const before = await tenant.fingerprint();
      await sweep();
      expect(await tenant.fingerprint()).toEqual(before);
      for (const id of ids) await waitUntilProcessed(tenant, id);
    });

    it('sets ContentUnavailable when the job has used all attempts', async () => {
      const id = await uploadDocument(editor);
      await service.query(
        `UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE payload ->> 'tenantId' = $1`,
        [tenant.id],
      );
      await sweep();
      await sweep();
      expect(await processingResultOf(tenant, id)).toMatchObject({
        status: 'Active',
        failure: 'ContentUnavailable',
      });
      expect(await tenant.notifications()).toEqual([failureNotification(editor, id, 'ContentUnavailable')]);
    });

    it('ignores jobs that run or wait for a retry, and documents that are not Processing', async () => {
      const [running, waiting, done] = [
        await uploadDocument(editor),
        await uploadDocument(editor),
        await uploadDocument(editor),
      ];
      await attemptProcessing(tenant, done);
      await service.query(
        `UPDATE graphile_worker._private_jobs SET attempts = max_attempts, locked_at = now(), locked_by = 'another-worker'
          WHERE key = $1`,
        [`ProcessDocument:${running}:1`],
      );
      await service.query(
        `UPDATE graphile_worker._private_jobs SET attempts = 3, run_at = now() + interval '1 hour' WHERE key = $1`,
        [`ProcessDocument:${waiting}:1`],
      );
      const before = await tenant.fingerprint();
      await sweep();
      expect(await tenant.fingerprint()).toEqual(before);
      await deleteJobs();
    });
  });

  it('removes the copies of ended workers and keeps those of running workers', async () => {
    const folder = service.app.get(ProcessingFolder);
    const root = path.join(service.dataDirectory, 'processing');
    await mkdir(path.join(root, 'pool-dead'), { recursive: true });
    await writeFile(path.join(root, 'pool-dead', 'copy'), 'x');
    const client = await service.owner.connect();
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock_shared(hashtextextended('pool-alive', 7203114))`);
    await folder.withFile('pool-alive', async (file) => {
      await writeFile(file, 'x');
      await folder.removeLeftovers();
      expect(await contentCopies(service)).toEqual([path.basename(file)]);
    });
    await client.query('ROLLBACK');
    client.release();
    expect(await contentCopies(service)).toEqual([]);
  });
});
