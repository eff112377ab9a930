import { waitUntil } from './wait-until.js';
import { type TestTenant } from './tenant.js';

/**
 * Waits until the document is no longer in `Processing`. Runs its job when the service has no workers, and then throws the
 * error of a failed attempt.
 */
export async function waitUntilProcessed({ service, id }: TestTenant, documentId: string): Promise<void> {
  const { workerConcurrency } = service.configuration;
  await waitUntil(async () => {
    if (workerConcurrency === 0) await service.runJobs();
    const [document] = await service.query<{ status: string; error: string | null }>(
      `SELECT d.status, j.last_error AS error FROM documents d
         LEFT JOIN graphile_worker._private_jobs j
           ON j.payload ->> 'documentId' = d.id::text AND j.payload ->> 'tenantId' = d.tenant_id::text
        WHERE d.tenant_id = $1 AND d.id = $2
        ORDER BY j.id DESC LIMIT 1`,
      [id, documentId],
    );
    if (!document) throw new Error(`The document ${documentId} does not exist.`);
    if (document.status !== 'Processing') return true;
    if (workerConcurrency === 0 && document.error !== null)
      throw new Error(`Processing the document ${documentId} failed: ${document.error}`);
    return false;
  }, `the processing of the document ${documentId}`);
}
