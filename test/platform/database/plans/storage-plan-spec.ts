import { beforeAll, describe, expect, it } from '@jest/globals';
import { STORAGE_OF_TENANT } from '../../../../src/platform/tenancy/tenants/tenants.reader.js';
import { type TestTenant } from '../../../support/tenant.js';
import { QueryPlans, blocksOf, nodesOf } from './query-plans.js';

/** Enough rows for the planner to prefer an index. Set PLAN_ROWS to measure with more. */
const ROWS = Number(process.env.PLAN_ROWS ?? 100_000);

describe('The query for the used storage of a tenant', () => {
  const plans = new QueryPlans();
  const tenants: TestTenant[] = [];
  beforeAll(async () => {
    for (const rows of [ROWS, ...Array<number>(9).fill(ROWS / 10), 10]) {
      const tenant = await plans.service.tenant();
      await plans.service.query(
        `INSERT INTO contents (tenant_id, sha256, size)
         SELECT $1, encode(sha256(n::text::bytea), 'hex'), n FROM generate_series(1, $2::int) n`,
        [tenant.id, rows],
      );
      tenants.push(tenant);
    }
    await plans.service.query('VACUUM ANALYZE contents');
  });

  const explain = ({ id }: TestTenant) =>
    plans.plan(id, (tx) => tx.query(STORAGE_OF_TENANT, [id]), 'all values');

  it('uses an index-only scan', async () => {
    const plan = await explain(tenants[0] as TestTenant);
    const scans = nodesOf(plan).filter((node) => node['Relation Name'] === 'contents');
    expect(scans.map((node) => [node['Node Type'], node['Index Name']])).toEqual([
      ['Index Only Scan', 'ix_contents_size'],
    ]);
  });

  it('reads no rows of other tenants', async () => {
    expect(blocksOf(await explain(tenants.at(-1) as TestTenant))).toBeLessThan(20);
  });
});
