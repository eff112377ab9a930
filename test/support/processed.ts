import { setTimeout as sleep } from 'node:timers/promises';
import { type TestTenant } from './tenant.js';

const PATIENCE_MS = 20_000;

/**
 * Fulfilled once the document is not being processed any more: its job is run, unless the service has workers that do
 * so by themselves.
 */
export async function processed({ service, id }: TestTenant, documentId: string): Promise<void> {
  const { workerConcurrency } = service.configuration;
  for (const begin = Date.now(); Date.now() - begin < PATIENCE_MS;) {
    if (workerConcurrency === 0) await service.runJobs();
    const [document] = await service.query<{ status: string }>(
      'SELECT status FROM documents WHERE tenant_id = $1 AND id = $2',
      [id, documentId],
    );
    if (!document) throw new Error(`There is no document ${documentId}.`);
    if (document.status !== 'Processing') return;
    await sleep(50);
  }
  throw new Error(`The document ${documentId} is still being processed.`);
}
