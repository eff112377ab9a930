import { appendFile, mkdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StuckDocuments } from '../../../../src/resources/documents/processing/stuck-documents.js';
import { ProcessingFolder } from '../../../../src/resources/documents/processing/processing-folder.js';
import { putContent } from '../../../factories/documents.js';
import { type Actor } from '../../../support/actor.js';
import { processed } from '../../../support/processed.js';
import { TestService } from '../../../support/service/service.js';
import { keptPath, sha256 } from '../../../support/stored-content.js';
import { type TestTenant } from '../../../support/tenant.js';
import { TEXT, WORDS, attempt, copies, factsOf, failedWith, uploaded } from './processing-support.js';

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

  it('makes it Active with what is in it, and leaves no copy, audit entry or notification', async () => {
    const id = await uploaded(editor);
    await processed(tenant, id);
    expect(await factsOf(tenant, id)).toEqual({
      status: 'Active',
      updated: true,
      media_type: 'text/plain',
      page_count: null,
      word_count: WORDS,
      failure: null,
    });
    expect(await tenant.jobs()).toEqual([]);
    expect(await copies(service)).toEqual([]);
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
    const id = await uploaded(editor);
    await processed(tenant, id);
    const before = await tenant.fingerprint();
    await attempt(tenant, id);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('is concluded once when it runs twice at the same time', async () => {
    const id = await uploaded(editor, '%PDF-1.7 this is not one');
    await Promise.all([attempt(tenant, id), attempt(tenant, id)]);
    expect(await factsOf(tenant, id)).toMatchObject({ status: 'Active' });
    expect(await tenant.notifications()).toEqual([failedWith(editor, id, 'Corrupted')]);
  });

  it('leaves alone what is not there (any more), here or in another tenant', async () => {
    const id = await uploaded(editor);
    const before = await tenant.fingerprint();
    const elsewhere = await service.tenant();
    await attempt(tenant, id, { tenantId: elsewhere.id });
    await attempt(tenant, tenant.id);
    await attempt(tenant, id, { payload: { documentId: id, version: 2 } });
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('follows the newest content: what is known of a former one is not written over it', async () => {
    const id = await uploaded(editor);
    await processed(tenant, id);
    const other = await putContent(editor, id, 'Nur drei Worte');
    expect([other.status, other.body]).toMatchObject([200, { status: 'Processing' }]);
    await attempt(tenant, id);
    expect(await factsOf(tenant, id)).toMatchObject({ status: 'Processing', word_count: null });
    await processed(tenant, id);
    expect(await factsOf(tenant, id)).toMatchObject({ status: 'Active', word_count: 3 });
    expect(await tenant.jobs()).toEqual([]);
  });

  describe('tells the uploader, once, and makes it Active without text', () => {
    it('when the bytes cannot be read', async () => {
      const id = await uploaded(editor, '%PDF-1.7 this is not one');
      await processed(tenant, id);
      expect(await factsOf(tenant, id)).toMatchObject({
        status: 'Active',
        media_type: 'application/pdf',
        word_count: null,
        failure: 'Corrupted',
      });
      await service.runJobs();
      expect(await tenant.notifications()).toEqual([failedWith(editor, id, 'Corrupted')]);
      const read = await editor.get('/notifications');
      expect((read.body as { items: object[] }).items).toMatchObject([
        { type: 'DocumentProcessingFailed', parameters: { documentId: id, reason: 'Corrupted' } },
      ]);
      expect((await tenant.audit()).map(({ action }) => action)).toEqual(['DocumentCreated']);
    });

    it('who is whoever uploaded this content, not who made the document', async () => {
      const id = await uploaded(editor);
      await processed(tenant, id);
      const other = await tenant.as('editor', 'Olga');
      await putContent(other, id, '%PDF-1.7 this is not one', { mediaType: 'application/pdf' }).expect(200);
      await processed(tenant, id);
      expect(await tenant.notifications()).toEqual([failedWith(other, id, 'Corrupted')]);
      // Not found by what stood in the former content.
      const found = await editor.get('/documents?q=Bauantrag');
      expect((found.body as { items: object[] }).items).toEqual([]);
    });

    it.each([
      ['have become fewer', (file: string) => truncate(file, 10)],
      ['have become more', (file: string) => appendFile(file, 'x')],
      ['are others', (file: string) => writeFile(file, TEXT.toUpperCase())],
    ])('when the bytes in the store %s', async (_, damage) => {
      const id = await uploaded(editor);
      await damage(keptPath(tenant, sha256(TEXT)));
      await processed(tenant, id);
      expect(await factsOf(tenant, id)).toMatchObject({
        status: 'Active',
        media_type: 'text/plain',
        word_count: null,
        failure: 'ContentDamaged',
      });
      expect(await tenant.notifications()).toEqual([failedWith(editor, id, 'ContentDamaged')]);
      expect(await copies(service)).toEqual([]);
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

  describe('that was lost', () => {
    const sweep = () => service.app.get(StuckDocuments).sweep();
    const forget = () =>
      service.query(`DELETE FROM graphile_worker._private_jobs WHERE payload ->> 'tenantId' = $1`, [
        tenant.id,
      ]);

    it('begins anew where its job is not in the queue', async () => {
      const ids = [await uploaded(editor), await uploaded(editor, 'Anderes')];
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
      const id = await uploaded(editor);
      await service.query(
        `UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE payload ->> 'tenantId' = $1`,
        [tenant.id],
      );
      await sweep();
      await sweep();
      expect(await factsOf(tenant, id)).toMatchObject({ status: 'Active', failure: 'ContentUnavailable' });
      expect(await tenant.notifications()).toEqual([failedWith(editor, id, 'ContentUnavailable')]);
    });

    it('leaves alone what a worker is at, what waits for its next attempt, and what is not being processed', async () => {
      const [running, waiting, done] = [
        await uploaded(editor),
        await uploaded(editor),
        await uploaded(editor),
      ];
      await attempt(tenant, done);
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
      await folder.removeLeftovers();
      expect(await copies(service)).toEqual([path.basename(file)]);
    });
    await holder.query('ROLLBACK');
    holder.release();
    expect(await copies(service)).toEqual([]);
  });
});
