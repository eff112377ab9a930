import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { newId } from '../../src/common/identifier.js';
import { type TenantTransaction } from '../../src/database/tenant-transaction.js';
import { DocumentsRepository } from '../../src/documents/documents.repository.js';
import { Caller } from '../../src/tenancy/caller.js';
import { type Permission } from '../../src/vocabulary/permissions.js';
import { TestService } from '../support/service.js';
import { sha256 } from '../support/stored-content.js';
import { type TestTenant } from '../support/tenant.js';

/** Enough for the planner to see a difference; raise it to measure. */
const ROWS = Number(process.env.PLAN_ROWS ?? 30_000);
/** Every tenth document has the same content. */
const COMMON = sha256('content 0');

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

describe('The duplicates of an upload among very many documents', () => {
  let service: TestService;
  let client: pg.Client;
  let tenant: TestTenant;
  beforeAll(async () => {
    service = await TestService.start();
    tenant = await service.tenant();
    const { userId } = await tenant.as('editor');
    const hash = `encode(sha256(('content ' || CASE WHEN n % 10 = 0 THEN 0 ELSE n END)::bytea), 'hex')`;
    await service.query(
      `INSERT INTO contents (tenant_id, sha256, size)
       SELECT DISTINCT $1::uuid, ${hash}, 9 FROM generate_series(1, $2::int) n`,
      [tenant.id, ROWS],
    );
    await service.query(
      `INSERT INTO documents (tenant_id, id, title, status, created_by, created_at, content_sha256, content_size,
                              content_media_type, content_version)
       SELECT $1, gen_random_uuid(), 'Title', 'Active', $3, timestamptz '2026-01-01Z' + n * interval '90 seconds',
              ${hash}, 9, 'text/plain', 1 FROM generate_series(1, $2::int) n`,
      [tenant.id, ROWS, userId],
    );
    await service.query('VACUUM ANALYZE documents, contents');
    client = new pg.Client({ connectionString: service.database.serviceUrl });
    await client.connect();
  }, 600_000);
  afterAll(async () => {
    await client?.end();
    await service.stop();
  });

  /** Runs the repository's own statement, as the role that serves, and tells how PostgreSQL went about it. */
  async function explain(hash: string, permissions: readonly Permission[], plans: string): Promise<PlanNode> {
    const caller = new Caller(
      { id: newId(), email: null, emailVerified: false, displayName: null },
      {
        tenant: { id: tenant.id, slug: tenant.slug, name: 'Large' },
        role: { id: newId(), key: null, name: 'Reader' },
        permissions: new Set(permissions),
        version: 1,
        limits: { perMinute: null, burst: null },
      },
      () => Promise.reject(new Error('Nobody asks for the rights')),
    );
    let statement = { text: '', values: [] as readonly unknown[] };
    const tx = {
      tenantId: tenant.id,
      query: (text: string, values: readonly unknown[]) => {
        statement = { text, values };
        return Promise.resolve([]);
      },
    } as unknown as TenantTransaction;
    await new DocumentsRepository(service.app.get(DataSource)).readableWithContent(tx, caller, hash, newId());
    await client.query('BEGIN');
    await client.query(
      `SELECT set_config('app.tenant_id', $1, true), set_config('plan_cache_mode', $2, true)`,
      [tenant.id, plans],
    );
    await client.query(`PREPARE duplicates AS ${statement.text}`);
    const values = statement.values.map((value) => pg.escapeLiteral(String(value)));
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE duplicates (${values.join(', ')})`,
    );
    await client.query('ROLLBACK');
    await client.query('DEALLOCATE duplicates');
    return rows[0]?.['QUERY PLAN'][0].Plan as PlanNode;
  }

  const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

  it.each([
    ['what one document has', sha256('content 1')],
    ['what every tenth has', COMMON],
    ['what none has', sha256('new')],
  ])('are taken from the index of contents, in its order: %s', async (_, hash) => {
    for (const plans of ['force_custom_plan', 'force_generic_plan']) {
      const plan = await explain(hash, ['files.read', 'documents.read'], plans);
      const nodes = nodesOf(plan);
      expect(
        nodes.map((node) => node['Node Type']).filter((type) => /Seq Scan|Sort|Bitmap/.test(type)),
      ).toEqual([]);
      expect(nodes.map((node) => node['Index Name'])).toContain('ix_documents_content');
      // A row for each of a hundred, and the way to them.
      expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(300);
    }
  });

  it('are looked for among those that have the content only, for somebody who sees none of them', async () => {
    const plan = await explain(COMMON, ['documents.read'], 'force_custom_plan');
    expect(nodesOf(plan).map((node) => node['Index Name'])).toContain('ix_documents_content');
    expect(nodesOf(plan).filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
  });
});
