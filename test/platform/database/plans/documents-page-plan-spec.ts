import { beforeAll, describe, expect, it } from '@jest/globals';
import { DocumentSearchRepository } from '../../../../src/resources/documents/search/document-search.repository.js';
import {
  NEWEST_FIRST,
  keySql,
  orderOf,
  orderSql,
} from '../../../../src/platform/database/paging/list-order.js';
import {
  DOCUMENT_ORDERS,
  DOCUMENT_SORTS,
} from '../../../../src/resources/documents/search/document-sorts.js';
import { type Permission } from '../../../../src/common/vocabulary/permissions.js';
import { type Actor } from '../../../support/actor.js';
import { type TestTenant } from '../../../support/tenant.js';
import { QueryPlans, blocksOf, callerWith, nodesOf } from './query-plans.js';

const SEARCH = {
  documentTypeIds: [],
  fileIds: [],
  tagIds: [],
  conditions: [],
  text: null,
  status: null,
  contentText: null,
  createdFrom: null,
  createdTo: null,
  order: NEWEST_FIRST,
};

describe('The query for a page of documents', () => {
  const plans = new QueryPlans();
  let creator: Actor;
  let repository: DocumentSearchRepository;
  beforeAll(async () => {
    repository = plans.service.app.get(DocumentSearchRepository);
  });

  async function fill(documents: number, texts: number): Promise<TestTenant> {
    const tenant = await plans.service.tenant();
    creator = await tenant.as('editor');
    // md5 values can hardly be compressed.
    await plans.service.query(
      `INSERT INTO documents (tenant_id, id, title, status, is_confidential, created_by, created_at, fields)
       SELECT $1, gen_random_uuid(), 'Document ' || md5(n::text), 'Active', false, $2, now() - n * interval '1 second',
              (SELECT coalesce(jsonb_object_agg(t, md5(n || 'x' || t)), '{}') FROM generate_series(1, $4::int) t)
         FROM generate_series(1, $3::int) n`,
      [tenant.id, creator.userId, documents, texts],
    );
    await plans.service.query('VACUUM ANALYZE documents');
    return tenant;
  }

  const plan = (tenant: TestTenant, permissions: readonly Permission[]) => {
    const caller = callerWith(tenant, permissions, { userId: creator.userId });
    return plans.plan(tenant.id, (tx) => repository.find(tx, caller, SEARCH, null, 50));
  };

  it('reads only the values of the documents on the page', async () => {
    const large = await fill(50, 10_000);
    const [{ blocks } = { blocks: 0 }] = await plans.service.query<{ blocks: number }>(
      `SELECT (pg_table_size('documents') / current_setting('block_size')::int / 50)::int AS blocks`,
    );
    expect(blocks).toBeGreaterThan(40);
    const read = await plan(large, ['documents.read', 'files.read']);
    // Each document has about 430 KB, so the third one exceeds the size of a page. Values of the others are not read.
    expect(read['Actual Rows']).toBe(3);
    expect(blocksOf(read)).toBeLessThan(15 * blocks);
  });

  it.each<[string, Permission[]]>([
    ['a caller with files.read', ['documents.read', 'files.read']],
    ['a guest', ['documents.read']],
  ])('sorts nothing, and reads only the documents of the page: %s', async (_, permissions) => {
    const read = await plan(await fill(20_000, 2), permissions);
    const onDocuments = nodesOf(read).filter((node) => node['Relation Name'] === 'documents');
    expect(read['Actual Rows']).toBe(51);
    expect(onDocuments.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    // Only the results of grants and the links of each document may be sorted; here there are none.
    const sorted = nodesOf(read).filter((node) => node['Node Type'] === 'Sort' && node['Actual Rows'] > 0);
    expect(sorted).toEqual([]);
    expect(blocksOf(read)).toBeLessThan(51 * 9);
  });

  describe('with a sort order', () => {
    let tenant: TestTenant;
    beforeAll(async () => {
      tenant = await fill(20_000, 2);
    });

    it.each(DOCUMENT_SORTS)('reads only the documents of the page, on any page: %s', async (sort) => {
      const order = orderOf(DOCUMENT_ORDERS, sort);
      const caller = callerWith(tenant, ['documents.read', 'files.read'], { userId: creator.userId });
      const [middle] = await plans.service.query<{ key: string; id: string }>(
        `SELECT ${keySql(order, 'd')}::text AS key, d.id FROM documents d WHERE d.tenant_id = $1
          ${orderSql(order, [keySql(order, 'd'), 'd.id'])} OFFSET 18000 LIMIT 1`,
        [tenant.id],
      );
      for (const after of [null, [String(middle?.key), String(middle?.id)] as const]) {
        const read = await plans.plan(tenant.id, (tx) =>
          repository.find(tx, caller, { ...SEARCH, order }, after, 50),
        );
        expect(read['Actual Rows']).toBe(51);
        const sorted = nodesOf(read).filter(
          (node) => /Sort/.test(node['Node Type']) && node['Actual Rows'] > 0,
        );
        expect(sorted).toEqual([]);
        expect(blocksOf(read)).toBeLessThan(51 * 12);
      }
    });
  });

  describe('for a guest on access lists', () => {
    const ROWS = Number(process.env.PLAN_ROWS ?? 20_000);
    let tenant: TestTenant;
    beforeAll(async () => {
      tenant = await fill(ROWS, 2);
      // Half of the documents have another user on their lists.
      await plans.service.query('UPDATE documents SET is_confidential = true WHERE tenant_id = $1', [
        tenant.id,
      ]);
      const other = await tenant.as('guest');
      await list(other, `n % 2 = 0`);
      await plans.service.query('VACUUM ANALYZE documents, document_confidential_users');
    });

    /** Adds the user to the lists of documents. `n` in the condition is the position of a document, newest first. */
    async function list({ userId }: Actor, which: string): Promise<void> {
      await plans.service.query(
        `INSERT INTO document_confidential_users (tenant_id, document_id, user_id, document_created_at)
         SELECT $1, d.id, $2, d.created_at
           FROM (SELECT *, row_number() OVER (ORDER BY created_at DESC) AS n FROM documents WHERE tenant_id = $1) d
          WHERE ${which}`,
        [tenant.id, userId],
      );
    }

    it.each<[string, string, number]>([
      ['every second document', 'n % 2 = 1', 51],
      ['the three oldest documents', `n > ${ROWS} - 3`, 3],
      ['no document', 'false', 0],
    ])('reads only the documents of the page: %s', async (_, which, found) => {
      const guest = await tenant.as('guest');
      await list(guest, which);
      await plans.service.query('VACUUM ANALYZE document_confidential_users');
      const caller = callerWith(tenant, ['documents.read'], { userId: guest.userId });
      const [middle] = await plans.service.query<{ at: string; id: string }>(
        `SELECT created_at::text AS at, id FROM documents WHERE tenant_id = $1 ORDER BY created_at DESC OFFSET $2 LIMIT 1`,
        [tenant.id, Math.floor(ROWS * 0.9)],
      );
      const positions = [null, [String(middle?.at), String(middle?.id)] as const];
      for (const after of positions) {
        const read = await plans.plan(tenant.id, (tx) => repository.find(tx, caller, SEARCH, after, 50));
        expect(read['Actual Rows']).toBe(found);
        expect(blocksOf(read)).toBeLessThan(51 * 12);
      }
    });
  });
});
