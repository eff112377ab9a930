import { beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { newId } from '../../../../src/common/identifier.js';
import { DocumentsRepository } from '../../../../src/resources/documents/documents.repository.js';
import { type Permission } from '../../../../src/common/vocabulary/permissions.js';
import { sha256Of } from '../../../support/content-fixtures.js';
import { type TestTenant } from '../../../support/tenant.js';
import { QueryPlans, type PlanFor, blocksOf, callerWith, nodesOf } from './query-plans.js';

/** Enough rows for the planner to prefer an index. Set PLAN_ROWS to measure with more. */
const ROWS = Number(process.env.PLAN_ROWS ?? 30_000);
/** Every tenth document has the same content. */
const COMMON = sha256Of('content 0');

describe('The query for duplicates of an upload', () => {
  const plans = new QueryPlans();
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await plans.service.tenant();
    const { userId } = await tenant.as('editor');
    const hash = `encode(sha256(('content ' || CASE WHEN n % 10 = 0 THEN 0 ELSE n END)::bytea), 'hex')`;
    await plans.service.query(
      `INSERT INTO contents (tenant_id, sha256, size)
       SELECT DISTINCT $1::uuid, ${hash}, 9 FROM generate_series(1, $2::int) n`,
      [tenant.id, ROWS],
    );
    await plans.service.query(
      `INSERT INTO documents (tenant_id, id, title, status, created_by, created_at, content_sha256, content_size,
                              content_media_type, content_text, content_version)
       SELECT $1, gen_random_uuid(), 'Title', 'Active', $3, timestamptz '2026-01-01Z' + n * interval '90 seconds',
              ${hash}, 9, 'text/plain', 'None', 1 FROM generate_series(1, $2::int) n`,
      [tenant.id, ROWS, userId],
    );
    await plans.service.query('VACUUM ANALYZE documents, contents');
  }, 600_000);

  const explain = (hash: string, permissions: readonly Permission[], planFor: PlanFor) =>
    plans.plan(
      tenant.id,
      (tx) =>
        new DocumentsRepository(plans.service.app.get(DataSource)).findDuplicates(
          tx,
          callerWith(tenant, permissions),
          hash,
          newId(),
        ),
      planFor,
    );

  it.each([
    ['the content of one document', sha256Of('content 1')],
    ['the content of every tenth document', COMMON],
    ['a new content', sha256Of('new')],
  ])('reads the index of contents, in its order: %s', async (_, hash) => {
    for (const planFor of ['these values', 'all values'] as const) {
      const plan = await explain(hash, ['files.read', 'documents.read'], planFor);
      const nodes = nodesOf(plan);
      expect(
        nodes.map((node) => node['Node Type']).filter((type) => /Seq Scan|Sort|Bitmap/.test(type)),
      ).toEqual([]);
      expect(nodes.map((node) => node['Index Name'])).toContain('ix_documents_content');
      // A hundred rows, and the index pages to find them.
      expect(blocksOf(plan)).toBeLessThan(300);
    }
  });

  it('reads only documents with the content, for a caller who can see none of them', async () => {
    const plan = await explain(COMMON, ['documents.read'], 'these values');
    expect(nodesOf(plan).map((node) => node['Index Name'])).toContain('ix_documents_content');
    expect(nodesOf(plan).filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
  });
});
