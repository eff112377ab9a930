import { appendFile, mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DocumentProcessing } from '../../src/documents/processing/document-processing.js';
import { LostDocuments } from '../../src/documents/processing/lost-documents.js';
import { ProcessingFolder } from '../../src/documents/processing/processing-folder.js';
import { type Job } from '../../src/jobs/job.js';
import { putContent, upload } from '../factories/documents.js';
import { type Actor } from '../support/actor.js';
import { processed } from '../support/processed.js';
import { TestService } from '../support/service.js';
import { keptPath, sha256 } from '../support/stored-content.js';
import { type TestTenant } from '../support/tenant.js';

const TEXT = 'Der Bauantrag ist eingegangen.\nThe application has arrived.\n';
const WORDS = 8;

interface Facts {
  status: string;
  updated: boolean;
  media_type: string;
  page_count: number | null;
  word_count: number | null;
  failure: string | null;
}

describe('Processing a document', () => {
  let service: TestService;
  let tenant: TestTenant;
  let editor: Actor;
  beforeAll(async () => {
    service = await TestService.shared();
    // What the tests wait for is not how long it takes to get ready.
    const warm = await service.tenant();
    await uploaded(await warm.as('editor'));
    await service.runJobs();
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edith');
  });

  async function uploaded(actor = editor, bytes: Buffer | string = TEXT, title = 'Antrag'): Promise<string> {
    const response = await upload(
      actor,
      { title },
      { bytes, fileName: 'antrag.txt', mediaType: 'text/plain' },
    );
    expect([response.status, response.body]).toMatchObject([201, { status: 'Processing' }]);
    return (response.body as { id: string }).id;
  }

  async function factsOf(id: string): Promise<Facts> {
    const [facts] = await service.query<Facts & Record<string, unknown>>(
      `SELECT d.status, d.updated_at > d.created_at AS updated, v.media_type, v.page_count, v.word_count, v.failure
         FROM documents d JOIN document_versions v ON v.tenant_id = d.tenant_id AND v.document_id = d.id
          AND v.number = d.content_version
        WHERE d.tenant_id = $1 AND d.id = $2`,
      [tenant.id, id],
    );
    return facts!;
  }

  const failedWith = (documentId: string, reason: string, actor = editor, documentTitle = 'Antrag') => ({
    user_id: actor.userId,
    type: 'DocumentProcessingFailed',
    parameters: { documentId, documentTitle, reason },
  });

  const job = (
    documentId: string,
    overrides: Partial<Job<'ProcessDocument'>> = {},
  ): Job<'ProcessDocument'> => ({
    tenantId: tenant.id,
    payload: { documentId, version: 1 },
    attempt: 1,
    isLastAttempt: false,
    workerId: 'test',
    signal: new AbortController().signal,
    ...overrides,
  });
  const processing = () => service.app.get(DocumentProcessing);

  /** Names of what workers have put into their folders. */
  async function copies(): Promise<string[]> {
    const folder = path.join(service.dataDirectory, 'processing');
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  it('makes it Active with what is in it, and leaves no copy, audit entry or notification', async () => {
    const id = await uploaded();
    await processed(tenant, id);
    expect(await factsOf(id)).toEqual({
      status: 'Active',
      updated: true,
      media_type: 'text/plain',
      page_count: null,
      word_count: WORDS,
      failure: null,
    });
    expect(await tenant.jobs()).toEqual([]);
    expect(await copies()).toEqual([]);
    expect((await tenant.audit()).map(({ action }) => action)).toEqual(['DocumentCreated']);
    expect(await tenant.notifications()).toEqual([]);
    const found = await editor.get('/documents?q=Bauantrag');
    expect((found.body as { items: object[] }).items).toMatchObject([{ id, status: 'Active' }]);
  });

  it('believes the bytes, not what they were said to be', async () => {
    const page = '<!doctype html><html><head><title>x</title></head><body><p>Zwei Wörter</p></body></html>';
    const id = await uploaded(editor, page);
    await processed(tenant, id);
    const read = await editor.get(`/documents/${id}`);
    expect(read.body).toMatchObject({ status: 'Active', content: { mediaType: 'text/html' } });
  });

  it('changes nothing when it runs once more', async () => {
    const id = await uploaded();
    await processed(tenant, id);
    const before = await tenant.fingerprint();
    await processing().process(job(id));
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('is concluded once when it runs twice at the same time', async () => {
    const id = await uploaded(editor, '%PDF-1.7 this is not one');
    await Promise.all([processing().process(job(id)), processing().process(job(id))]);
    expect(await factsOf(id)).toMatchObject({ status: 'Active' });
    expect(await tenant.notifications()).toEqual([failedWith(id, 'Corrupted')]);
  });

  it('leaves alone what is not there (any more), here or in another tenant', async () => {
    const id = await uploaded();
    const before = await tenant.fingerprint();
    const elsewhere = await service.tenant();
    await processing().process(job(id, { tenantId: elsewhere.id }));
    await processing().process(job(tenant.id));
    await processing().process(job(id, { payload: { documentId: id, version: 2 } }));
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('follows the newest content: what is known of a former one is not written over it', async () => {
    const id = await uploaded();
    await processed(tenant, id);
    const other = await putContent(editor, id, 'Nur drei Worte');
    expect([other.status, other.body]).toMatchObject([200, { status: 'Processing' }]);
    await processing().process(job(id));
    expect(await factsOf(id)).toMatchObject({ status: 'Processing', word_count: null });
    await processed(tenant, id);
    expect(await factsOf(id)).toMatchObject({ status: 'Active', word_count: 3 });
    expect(await tenant.jobs()).toEqual([]);
  });

  describe('tells the uploader, once, and makes it Active without text', () => {
    it('when the bytes cannot be read', async () => {
      const id = await uploaded(editor, '%PDF-1.7 this is not one');
      await processed(tenant, id);
      expect(await factsOf(id)).toMatchObject({
        status: 'Active',
        media_type: 'application/pdf',
        word_count: null,
        failure: 'Corrupted',
      });
      await service.runJobs();
      expect(await tenant.notifications()).toEqual([failedWith(id, 'Corrupted')]);
      const read = await editor.get('/notifications');
      expect((read.body as { items: object[] }).items).toMatchObject([
        { type: 'DocumentProcessingFailed', parameters: { documentId: id, reason: 'Corrupted' } },
      ]);
      expect((await tenant.audit()).map(({ action }) => action)).toEqual(['DocumentCreated']);
    });

    it('who is whoever uploaded this content, not who made the document', async () => {
      const id = await uploaded();
      await processed(tenant, id);
      const other = await tenant.as('editor', 'Olga');
      await putContent(other, id, '%PDF-1.7 this is not one', { mediaType: 'application/pdf' }).expect(200);
      await processed(tenant, id);
      expect(await tenant.notifications()).toEqual([failedWith(id, 'Corrupted', other)]);
      // Not found by what stood in the former content.
      const found = await editor.get('/documents?q=Bauantrag');
      expect((found.body as { items: object[] }).items).toEqual([]);
    });

    it.each([
      ['have become fewer', (file: string) => truncate(file, 10)],
      ['have become more', (file: string) => appendFile(file, 'x')],
      ['are others', (file: string) => writeFile(file, TEXT.toUpperCase())],
    ])('when the bytes in the store %s', async (_, damage) => {
      const id = await uploaded();
      await damage(keptPath(tenant, sha256(TEXT)));
      await processed(tenant, id);
      expect(await factsOf(id)).toMatchObject({
        status: 'Active',
        media_type: 'text/plain',
        word_count: null,
        failure: 'ContentDamaged',
      });
      expect(await tenant.notifications()).toEqual([failedWith(id, 'ContentDamaged')]);
      expect(await copies()).toEqual([]);
    });

    it('who does not learn of a document that is confidential to others meanwhile', async () => {
      const chief = await tenant.as('administrator');
      const id = await uploaded(editor, '%PDF-1.7 this is not one', 'Geheim');
      await editor.put(`/documents/${id}/confidentiality`, { isConfidential: true }).expect(200);
      await editor.put(`/documents/${id}/confidential-access/${chief.userId}`).expect(204);
      await chief.delete(`/documents/${id}/confidential-access/${editor.userId}`).expect(204);
      await processed(tenant, id);
      const read = await editor.get('/notifications');
      expect(JSON.stringify(read.body)).not.toContain('Geheim');
    });
  });

  describe('when it is our fault', () => {
    /** The store answers, and then fails while it is read. */
    async function breakStore(): Promise<() => Promise<void>> {
      const file = keptPath(tenant, sha256(TEXT));
      await rm(file);
      await mkdir(file);
      return async () => {
        await rm(file, { recursive: true });
        await writeFile(file, TEXT);
      };
    }
    const due = () =>
      service.query(
        `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE payload ->> 'tenantId' = $1`,
        [tenant.id],
      );

    it('is tried again later, and then ends as if nothing had been', async () => {
      const id = await uploaded();
      const mend = await breakStore();
      await service.runJobs();
      expect(await factsOf(id)).toMatchObject({ status: 'Processing', updated: false });
      expect(await tenant.jobs()).toMatchObject([{ attempts: 1 }]);
      expect(await copies()).toEqual([]);
      await mend();
      await due();
      await service.runJobs();
      expect(await factsOf(id)).toMatchObject({ status: 'Active', word_count: WORDS, failure: null });
      expect(await tenant.notifications()).toEqual([]);
    });

    it('is given up after the last attempt', async () => {
      const id = await uploaded();
      await breakStore();
      await service.query('UPDATE graphile_worker._private_jobs SET attempts = 7');
      await service.runJobs();
      expect(await factsOf(id)).toMatchObject({ status: 'Active', failure: 'ContentUnavailable' });
      expect(await tenant.notifications()).toEqual([failedWith(id, 'ContentUnavailable')]);
      expect(await tenant.jobs()).toEqual([]);
    });

    it('is tried again where the bytes are gone, and believed the last time', async () => {
      const id = await uploaded();
      await rm(keptPath(tenant, sha256(TEXT)));
      await service.runJobs();
      expect(await factsOf(id)).toMatchObject({ status: 'Processing', updated: false });
      expect(await tenant.jobs()).toMatchObject([{ attempts: 1 }]);
      await service.query('UPDATE graphile_worker._private_jobs SET attempts = 7');
      await due();
      await service.runJobs();
      expect(await factsOf(id)).toMatchObject({ status: 'Active', failure: 'ContentDamaged' });
      expect(await tenant.notifications()).toEqual([failedWith(id, 'ContentDamaged')]);
      expect(await tenant.jobs()).toEqual([]);
    });

    it('is not given up because the service stops', async () => {
      const id = await uploaded();
      const before = await tenant.fingerprint();
      const stopping = AbortSignal.abort(new Error('stopping'));
      await expect(
        processing().process(job(id, { signal: stopping, isLastAttempt: true })),
      ).rejects.toThrow();
      expect(await tenant.fingerprint()).toEqual(before);
      expect(await copies()).toEqual([]);
    });
  });

  describe('that was lost', () => {
    const sweep = () => service.app.get(LostDocuments).sweep();
    const forget = () =>
      service.query(`DELETE FROM graphile_worker._private_jobs WHERE payload ->> 'tenantId' = $1`, [
        tenant.id,
      ]);

    it('begins anew where its job is not in the queue', async () => {
      const ids = [await uploaded(), await uploaded(editor, 'Anderes')];
      await forget();
      await sweep();
      expect((await tenant.jobs()).map(({ key }) => key).sort()).toEqual(
        ids.map((id) => `ProcessDocument:${id}:1`).sort(),
      );
      const before = await tenant.fingerprint();
      await sweep();
      expect(await tenant.fingerprint()).toEqual(before);
      for (const id of ids) await processed(tenant, id);
    });

    it('ends where its job has been tried as often as it may, which its workers did not survive', async () => {
      const id = await uploaded();
      await service.query(
        `UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE payload ->> 'tenantId' = $1`,
        [tenant.id],
      );
      await sweep();
      await sweep();
      expect(await factsOf(id)).toMatchObject({ status: 'Active', failure: 'ContentUnavailable' });
      expect(await tenant.notifications()).toEqual([failedWith(id, 'ContentUnavailable')]);
    });

    it('leaves alone what a worker is at, what waits for its next attempt, and what is not being processed', async () => {
      const [running, waiting, done] = [await uploaded(), await uploaded(), await uploaded()];
      await processing().process(job(done));
      await service.query(
        `UPDATE graphile_worker._private_jobs SET attempts = max_attempts, locked_at = now(), locked_by = 'somebody'
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
      await forget();
    });
  });

  it('leaves no copies of dead workers behind, and those of the living where they are', async () => {
    const folder = service.app.get(ProcessingFolder);
    const root = path.join(service.dataDirectory, 'processing');
    await mkdir(path.join(root, 'pool-dead'), { recursive: true });
    await writeFile(path.join(root, 'pool-dead', 'copy'), 'x');
    const holder = await service.owner.connect();
    await holder.query('BEGIN');
    await holder.query(`SELECT pg_advisory_xact_lock_shared(hashtextextended('pool-alive', 7203114))`);
    await folder.withFile('pool-alive', async (file) => {
      await writeFile(file, 'x');
      await folder.clear();
      expect(await copies()).toEqual([path.basename(file)]);
    });
    await holder.query('ROLLBACK');
    holder.release();
    expect(await copies()).toEqual([]);
  });
});
