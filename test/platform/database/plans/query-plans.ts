import { afterAll, beforeAll, jest } from '@jest/globals';
import pg from 'pg';
import { newId } from '../../../../src/common/identifier.js';
import {
  serviceSettings,
  startOptions,
} from '../../../../src/platform/database/connections/session-limits.js';
import { type Statement, TenantBatch } from '../../../../src/platform/database/transactions/tenant-batch.js';
import { type TenantTransaction } from '../../../../src/platform/database/transactions/tenant-transaction.js';
import { Caller } from '../../../../src/platform/tenancy/access/caller.js';
import { type Permission } from '../../../../src/common/vocabulary/permissions.js';
import { TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';

export interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

/** PostgreSQL may use a plan for all values after a prepared statement has run a few times. */
export type PlanFor = 'these values' | 'all values';

type Parameter = string | number | boolean | null | readonly string[];

const STATEMENT_TIMEOUT_MS = 120_000;

/** Runs statements of repositories as the service role, and returns PostgreSQL's query plans. */
export class QueryPlans {
  service!: TestService;
  private client!: pg.Client;

  /** Starts a service before the tests of a block, and stops it after them. */
  constructor() {
    beforeAll(async () => {
      this.service = await TestService.start();
      this.client = new pg.Client({
        connectionString: this.service.database.serviceUrl,
        options: startOptions(serviceSettings(STATEMENT_TIMEOUT_MS)),
      });
      await this.client.connect();
    });
    afterAll(async () => {
      await this.client?.end();
      await this.service?.stop();
    });
  }

  /** Plan of the statement that `read` sends. EXPLAIN ANALYZE runs the statement. */
  async plan(
    tenantId: string,
    read: (tx: TenantTransaction) => Promise<unknown>,
    planFor: PlanFor = 'these values',
  ): Promise<PlanNode> {
    let statement: Statement = { text: '' };
    const tx = {
      tenantId,
      query: (text: string, values: readonly unknown[]) => {
        statement = { text, values };
        return Promise.resolve([]);
      },
    } as unknown as TenantTransaction;
    await read(tx);
    return this.explain(tenantId, statement, planFor, 'ANALYZE, BUFFERS,');
  }

  /** Plan of a statement. With `ANALYZE` it is run. `settings` are statements before it. */
  async explain(
    tenantId: string,
    { text, values = [] }: Statement,
    planFor: PlanFor,
    options: 'ANALYZE, BUFFERS,' | '' = '',
    settings: readonly Statement[] = [],
  ): Promise<PlanNode> {
    const { client } = this;
    await client.query('BEGIN');
    await client.query(
      `SELECT set_config('app.tenant_id', $1, true), set_config('plan_cache_mode', $2, true)`,
      [tenantId, planFor === 'these values' ? 'force_custom_plan' : 'force_generic_plan'],
    );
    for (const setting of settings) await client.query(setting.text);
    await client.query(`PREPARE explained AS ${text}`);
    const literals = values.map((value) => literal(value as Parameter));
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (${options} FORMAT JSON) EXECUTE explained ${literals.length > 0 ? `(${literals.join(', ')})` : ''}`,
    );
    await client.query('ROLLBACK');
    await client.query('DEALLOCATE explained');
    return rows[0]?.['QUERY PLAN'][0].Plan as PlanNode;
  }
}

/** The statements that the service sends meanwhile, without those that set the tenant or write. */
export async function statementsOf(send: () => PromiseLike<unknown>): Promise<Statement[]> {
  const submit = jest.spyOn(TenantBatch.prototype, 'submit');
  try {
    await send();
    return submit.mock.contexts
      .flatMap((batch): readonly Statement[] => (batch as TenantBatch).statements)
      .filter(({ text }) => /^\s*(SELECT|WITH)/.test(text) && !text.includes('set_config'));
  } finally {
    submit.mockRestore();
  }
}

/** Lists as pg sends them, in braces. */
function literal(value: Parameter): string {
  if (value === null) return 'NULL';
  if (typeof value !== 'object') return pg.escapeLiteral(String(value));
  return pg.escapeLiteral(`{${value.map((one) => JSON.stringify(one)).join(',')}}`);
}

export function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

export function blocksOf(plan: PlanNode): number {
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

/** The user need not exist. */
export function callerWith(
  { id, slug }: TestTenant,
  permissions: readonly Permission[],
  { userId = newId(), roleId = newId() }: { userId?: string; roleId?: string } = {},
): Caller {
  return new Caller(
    { id: userId, email: null, verifiedEmail: null, displayName: null },
    {
      tenant: { id, slug, name: 'Large' },
      role: { id: roleId, key: null, name: 'Reader' },
      permissions: new Set(permissions),
      version: 1,
      limits: { perMinute: null, burst: null },
      webhookTypes: [],
    },
    () => Promise.reject(new Error('The rights are not reloaded in these tests')),
  );
}
