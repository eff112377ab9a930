import { afterEach, describe, expect, it } from '@jest/globals';
import { processingResultOf, uploadDocument } from '../resources/documents/processing/processing-support.js';
import { EXTRACTION_LIMITS } from '../../src/platform/extraction/extraction-limits.js';
import { buildSlowPdf } from '../factories/content/pdf-files.js';
import { waitUntil } from '../support/wait-until.js';
import { TestService } from '../support/service/service.js';
import { type TestTenant } from '../support/tenant.js';

const FILES = 200;

describe('The processing of documents while another tenant has many slow ones', () => {
  let service: TestService;
  const limits = { ...EXTRACTION_LIMITS };
  afterEach(async () => {
    Object.assign(EXTRACTION_LIMITS, limits);
    await service.stop();
  });

  /** The number of the tenant's documents that have been in processing for that many seconds. */
  const processing = async (tenant: TestTenant, seconds = 0): Promise<number> => {
    const [row] = await service.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM graphile_worker._private_jobs
        WHERE payload ->> 'tenantId' = $1 AND locked_at < now() - make_interval(secs => $2)`,
      [tenant.id, seconds],
    );
    return row?.count ?? 0;
  };
  const waiting = async (tenant: TestTenant): Promise<number> => {
    const [row] = await service.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM documents WHERE tenant_id = $1 AND status = 'Processing'`,
      [tenant.id],
    );
    return row?.count ?? 0;
  };

  it.each(['1', '2'])(
    'finishes a text of another tenant before the first slow document, with WORKER_CONCURRENCY=%s',
    async (concurrency) => {
      // No slow file is finished during the test.
      Object.assign(EXTRACTION_LIMITS, { timeMs: 3_600_000 });
      service = await TestService.start({
        WORKER_CONCURRENCY: concurrency,
        SHUTDOWN_TIMEOUT_MS: '0',
      });
      const [attacker, other] = [await service.tenant(), await service.tenant()];
      const [mallory, edith] = [await attacker.as('editor'), await other.as('editor')];
      const pdf = buildSlowPdf();
      expect(pdf.length).toBeLessThan(100_000);
      for (let file = 0; file < FILES; file += 1) await uploadDocument(mallory, pdf, `Slow ${file}`);
      await waitUntil(async () => (await processing(attacker, 6)) > 0, 'A slow document');

      const id = await uploadDocument(edith);
      await waitUntil(
        async () => (await processingResultOf(other, id)).status === 'Active',
        'The text of the other tenant',
      );
      expect(await processingResultOf(other, id)).toMatchObject({ status: 'Active', failure: null });
      expect(await waiting(attacker)).toBe(FILES);
    },
  );
});
