import { eventually } from './patience.js';
import { type TestTenant } from './tenant.js';

/**
 * Fulfilled once the document is not being processed any more: its job is run, unless the service has workers that do
 * so by themselves.
 */
export async function processed({ service, id }: TestTenant, documentId: string): Promise<void> {
  const { workerConcurrency } = service.configuration;
  await eventually(async () => {
    if (workerConcurrency === 0) await service.runJobs();
    const [document] = await service.query<{ status: string }>(
      'SELECT status FROM documents WHERE tenant_id = $1 AND id = $2',
      [id, documentId],
    );
    if (!document) throw new Error(`There is no document ${documentId}.`);
    return document.status !== 'Processing';
  }, `The end of processing the document ${documentId}`);
}
