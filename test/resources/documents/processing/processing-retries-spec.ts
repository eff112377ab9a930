import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Extractor, ReadingFailed } from '../../../../src/platform/extraction/extractor.js';
import { type ExtractorPool } from '../../../../src/platform/extraction/extractor-pool.js';
import { Log } from '../../../../src/platform/logging/log.js';
import { type Actor } from '../../../support/actor.js';
import { waitFor } from '../../../support/wait-until.js';
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

describe('DocumentProcessing after an error', () => {
  let tenant: TestTenant;
  let editor: Actor;
  beforeEach(async () => {
    // Runs the jobs of earlier specs, so that only the jobs of this tenant are due.
    await service.runJobs();
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edith');
  });

  /** Makes the stored content exist but fail when it is read; returns a function that repairs it. */
  async function breakContent(): Promise<() => Promise<void>> {
    const file = storedPath(tenant, sha256Of(TEXT));
    await rm(file);
    await mkdir(file);
    return async () => {
      await rm(file, { recursive: true });
      await writeFile(file, TEXT);
    };
  }
  const makeJobsDue = () =>
    service.query(
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE payload ->> 'tenantId' = $1`,
      [tenant.id],
    );

  const skipToLastAttempt = () =>
    service.query(`UPDATE graphile_worker._private_jobs SET attempts = 7 WHERE payload ->> 'tenantId' = $1`, [
      tenant.id,
    ]);

  it('retries later and succeeds', async () => {
    const id = await uploadDocument(editor);
    const mend = await breakContent();
    await service.runJobs();
    expect(await processingResultOf(tenant, id)).toMatchObject({ status: 'Processing', updated: false });
    expect(await tenant.jobs()).toMatchObject([{ attempts: 1 }]);
    expect(await contentCopies(service)).toEqual([]);
    await mend();
    await makeJobsDue();
    await service.runJobs();
    expect(await processingResultOf(tenant, id)).toMatchObject({
      status: 'Active',
      word_count: WORD_COUNT,
      failure: null,
    });
    expect(await tenant.notifications()).toEqual([]);
  });

  it('sets ContentUnavailable after the last attempt', async () => {
    const id = await uploadDocument(editor);
    await breakContent();
    await skipToLastAttempt();
    await service.runJobs();
    expect(await processingResultOf(tenant, id)).toMatchObject({
      status: 'Active',
      failure: 'ContentUnavailable',
    });
    expect(await tenant.notifications()).toEqual([failureNotification(editor, id, 'ContentUnavailable')]);
    expect(await tenant.jobs()).toEqual([]);
  });

  it('retries when the bytes are missing, and sets ContentDamaged after the last attempt', async () => {
    const id = await uploadDocument(editor);
    await rm(storedPath(tenant, sha256Of(TEXT)));
    await service.runJobs();
    expect(await processingResultOf(tenant, id)).toMatchObject({ status: 'Processing', updated: false });
    expect(await tenant.jobs()).toMatchObject([{ attempts: 1 }]);
    await skipToLastAttempt();
    await makeJobsDue();
    await service.runJobs();
    expect(await processingResultOf(tenant, id)).toMatchObject({
      status: 'Active',
      failure: 'ContentDamaged',
    });
    expect(await tenant.notifications()).toEqual([failureNotification(editor, id, 'ContentDamaged')]);
    expect(await tenant.jobs()).toEqual([]);
  });

  it('keeps a text that was read before when the bytes are missing in the last attempt', async () => {
    const id = await uploadDocument(editor);
    await waitUntilProcessed(tenant, id);
    const before = await editor.get(`/documents/${id}`);
    await editor.post(`/documents/${id}/reprocess`).expect(200);
    await rm(storedPath(tenant, sha256Of(TEXT)));
    await skipToLastAttempt();
    await service.runJobs();
    expect((await editor.get(`/documents/${id}`)).body).toEqual(before.body);
    expect((await editor.get(`/documents/${id}/text`)).text).toBe(TEXT.trimEnd());
    const found = await editor.get('/documents?q=Bauantrag');
    expect((found.body as { items: object[] }).items).toMatchObject([{ id }]);
    expect(await tenant.notifications()).toEqual([]);
    expect(await tenant.jobs()).toEqual([]);
  });

  describe('when the reading process ends', () => {
    /** Runs the jobs and kills the reading process that reads the document. */
    async function runJobsAndKillReader(): Promise<void> {
      const pool = service.app.get<ExtractorPool>(Extractor);
      await pool.extract({
        path: fileURLToPath(import.meta.url),
        owner: tenant.id,
        fileName: null,
        claimedType: '',
      });
      const { idle } = pool.pids;
      // Suspended, so that none finishes the document before it is killed.
      for (const pid of idle) process.kill(pid, 'SIGSTOP');
      try {
        const jobs = service.runJobs();
        const pid = await waitFor(() => pool.pids.busy[0], 'A reading process at work');
        process.kill(pid, 'SIGKILL');
        await jobs;
      } finally {
        for (const pid of pool.pids.idle) process.kill(pid, 'SIGCONT');
      }
    }

    it('retries later and succeeds', async () => {
      const id = await uploadDocument(editor);
      await runJobsAndKillReader();
      expect(await processingResultOf(tenant, id)).toMatchObject({ status: 'Processing', updated: false });
      expect(await tenant.jobs()).toMatchObject([{ attempts: 1 }]);
      await expect(waitUntilProcessed(tenant, id)).rejects.toThrow(
        'A reading process ended unexpectedly (SIGKILL)',
      );
      expect(await contentCopies(service)).toEqual([]);
      await makeJobsDue();
      await service.runJobs();
      expect(await processingResultOf(tenant, id)).toMatchObject({
        status: 'Active',
        word_count: WORD_COUNT,
        failure: null,
      });
      expect(await tenant.notifications()).toEqual([]);
    });

    it('sets Unreadable after the last attempt and logs the reason', async () => {
      const id = await uploadDocument(editor);
      await skipToLastAttempt();
      const logged = jest.spyOn(service.app.get(Log), 'error');
      try {
        await runJobsAndKillReader();
        expect(logged.mock.calls).toEqual([
          [
            {
              err: expect.objectContaining({
                message: 'A reading process ended unexpectedly (SIGKILL)',
              }),
              tenantId: tenant.id,
              documentId: id,
              version: 1,
            },
            'processing of a document failed for the last time',
          ],
        ]);
      } finally {
        logged.mockRestore();
      }
      await service.runJobs();
      expect(await processingResultOf(tenant, id)).toMatchObject({
        status: 'Active',
        media_type: 'text/plain',
        word_count: null,
        failure: 'Unreadable',
      });
      expect(await tenant.notifications()).toEqual([failureNotification(editor, id, 'Unreadable')]);
      expect(await tenant.jobs()).toEqual([]);
    });

    it('keeps what the reading process found before it ended', async () => {
      const id = await uploadDocument(editor);
      const known = { mediaType: 'application/pdf', pageCount: 3, image: { width: 1, height: 2 } };
      const extract = jest
        .spyOn(service.app.get(Extractor), 'extract')
        .mockRejectedValue(new ReadingFailed('It died', known));
      try {
        await attemptProcessing(tenant, id, { isLastAttempt: true });
      } finally {
        extract.mockRestore();
      }
      expect(await processingResultOf(tenant, id)).toMatchObject({
        media_type: 'application/pdf',
        page_count: 3,
        failure: 'Unreadable',
      });
    });
  });

  it('sets Unreadable after the third attempt when the reading process ends late each time', async () => {
    const id = await uploadDocument(editor);
    const began = Date.now();
    const extract = jest.spyOn(service.app.get(Extractor), 'extract').mockImplementation(() => {
      now.mockReturnValue(began + 5000);
      return Promise.reject(new ReadingFailed('It died'));
    });
    const now = jest.spyOn(Date, 'now');
    try {
      for (const number of [1, 2]) {
        now.mockReturnValue(began);
        await expect(attemptProcessing(tenant, id, { attempt: number })).rejects.toThrow('It died');
      }
      now.mockReturnValue(began);
      await attemptProcessing(tenant, id, { attempt: 3 });
    } finally {
      extract.mockRestore();
      now.mockRestore();
    }
    expect(await processingResultOf(tenant, id)).toMatchObject({ status: 'Active', failure: 'Unreadable' });
  });

  it('leaves the document unchanged when the service stops', async () => {
    const id = await uploadDocument(editor);
    const before = await tenant.fingerprint();
    const stopping = AbortSignal.abort(new Error('stopping'));
    await expect(attemptProcessing(tenant, id, { signal: stopping, isLastAttempt: true })).rejects.toThrow();
    expect(await tenant.fingerprint()).toEqual(before);
    expect(await contentCopies(service)).toEqual([]);
  });
});
