import { describe, expect, it } from '@jest/globals';
import { BinRepository } from '../../../../src/resources/documents/bin/bin.repository.js';
import { QueryPlans, nodesOf } from './query-plans.js';

describe('The query for the documents to purge', () => {
  const plans = new QueryPlans();

  it('uses an index under the role of the service', async () => {
    const tenant = await plans.service.tenant();
    await plans.service.query(
      `INSERT INTO documents (tenant_id, id, title, status, status_before_deletion, deleted_at, created_by)
       SELECT $1, gen_random_uuid(), 'Jung', 'Deleted', 'Active', now() - n / 5000 * interval '31 days', $2
         FROM generate_series(1, 5000) n`,
      [tenant.id, (await tenant.as('records_manager')).userId],
    );
    await plans.service.query('ANALYZE documents');
    const plan = await plans.plan(tenant.id, (tx) =>
      plans.service.app.get(BinRepository).lockDue(tx, 30, 100),
    );
    const scans = nodesOf(plan).filter((node) => node['Relation Name'] === 'documents');
    expect(scans.map((node) => node['Index Name'])).toEqual(['ix_documents_bin']);
    expect(scans.map((node) => node['Actual Rows'])).toEqual([1]);
  });
});
