import { beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { newId } from '../../../../src/common/identifier.js';
import { type Position } from '../../../../src/platform/database/paging/cursor-codec.js';
import { orderOf } from '../../../../src/platform/database/paging/list-order.js';
import { type TenantTransaction } from '../../../../src/platform/database/transactions/tenant-transaction.js';
import { FILE_ORDERS, FILE_SORTS, type FileSort } from '../../../../src/resources/files/file-sorts.js';
import { FilesRepository, type FileFilter } from '../../../../src/resources/files/files.repository.js';
import { type Permission } from '../../../../src/common/vocabulary/permissions.js';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveFileType } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { type TestTenant } from '../../../support/tenant.js';
import { type PlanFor, QueryPlans, blocksOf, callerWith, nodesOf } from './query-plans.js';

/** Enough rows for the planner to prefer an index. Set PLAN_ROWS to measure with more. */
const ROWS = Number(process.env.PLAN_ROWS ?? 30_000);
const GRANTS = 1000;
const HALF: Position = [new Date(Date.now() - (ROWS / 2) * 1000).toISOString(), newId()];

/** Queries run as the service role, for a caller with `files.read`, or with grants only. */
describe('The query for a page of files of a large tenant', () => {
  const plans = new QueryPlans();
  let tenant: TestTenant;
  let guest: Actor;
  /** Has many grants on files. */
  let granted: Actor;
  let rareTypeId: string;
  beforeAll(async () => {
    tenant = await plans.service.tenant();
    guest = await tenant.as('guest');
    const [common, rare] = [await saveFileType(tenant), await saveFileType(tenant)];
    rareTypeId = rare.id;
    await fill(tenant, common.id, ROWS, 1);
    await fill(tenant, rareTypeId, 100, 300 * ROWS);
    const small = await plans.service.tenant();
    await fill(small, (await saveFileType(small)).id, 100, 1);
    // The three oldest files of the common type. All files of the rare type are older.
    const oldest = await plans.service.query<{ id: string }>(
      'SELECT id FROM files WHERE tenant_id = $1 AND file_type_id = $2 ORDER BY created_at LIMIT 3',
      [tenant.id, common.id],
    );
    for (const { id } of oldest) await saveAccessGrant(tenant, guest, { file: id });
    await saveAccessGrant(tenant, guest, { fileType: rareTypeId }, { toRole: true });
    granted = await tenant.as('guest');
    await plans.service.query(
      `INSERT INTO access_grants (tenant_id, id, subject_type, subject_id, target_type, target_id, target_created_at,
                                  level, created_by)
       SELECT $1, gen_random_uuid(), 'User', $2::uuid, 'File', id, created_at, 'Read', $2 FROM (
         SELECT *, row_number() OVER (ORDER BY created_at DESC) AS n FROM files WHERE tenant_id = $1) f
        WHERE n % ($3::int / ${GRANTS}) = 0`,
      [tenant.id, granted.userId, ROWS],
    );
    await plans.service.query('VACUUM ANALYZE files, access_grants');
  });

  /** Creates files at intervals of one second; the newest is `age` seconds old. */
  async function fill(where: TestTenant, typeId: string, rows: number, age: number): Promise<void> {
    await plans.service.query(
      `INSERT INTO files (tenant_id, id, file_type_id, number, number_key, name, search_text, search_starts, created_by,
                          created_at)
       SELECT $1, gen_random_uuid(), $2::uuid, n || ($2::uuid)::text, n || ($2::uuid)::text, 'File', serial || E'\\nfile',
              '{f,fi}' || ARRAY(SELECT substr(serial, k, 6) FROM generate_series(1, 7) k), $3,
              now() - ($4::int + n) * interval '1 second'
         FROM generate_series(1, $5::int) n CROSS JOIN LATERAL (VALUES ('2026' || lpad(n::text, 8, '0'))) AS s (serial)`,
      [where.id, typeId, (await where.as('viewer')).userId, age, rows],
    );
  }

  /** Number of blocks that the repository's query reads, and of files that it finds. */
  async function read(
    permissions: readonly Permission[],
    filter: FileFilter,
    sort: FileSort = '-createdAt',
    { userId }: Actor = guest,
    after: Position | null = null,
    planFor?: PlanFor,
  ): Promise<{ blocks: number; found: number; indexes: readonly (string | undefined)[] }> {
    const caller = callerWith(tenant, permissions, { userId, roleId: await tenant.roleId('guest') });
    const files = new FilesRepository(plans.service.app.get(DataSource));
    const order = orderOf(FILE_ORDERS, sort);
    const list = (tx: TenantTransaction) => files.list(tx, caller, filter, order, after, 50);
    const plan = await plans.plan(tenant.id, list, planFor);
    const indexes = nodesOf(plan).map((node) => node['Index Name']);
    return { blocks: blocksOf(plan), found: plan['Actual Rows'], indexes };
  }

  it.each<[string, readonly Permission[], () => FileFilter, number]>([
    ['who can see all files', ['files.read'], () => ({}), 51],
    ['who can see all files, filtered by type', ['files.read'], () => ({ fileTypeId: rareTypeId }), 51],
    ['who can see granted files', [], () => ({}), 51],
    ['who can see granted files, filtered by type', [], () => ({ fileTypeId: rareTypeId }), 51],
    ['who can see granted files, filtered by status, without a match', [], () => ({ status: 'Closed' }), 0],
    ['who can see granted files, filtered by type, without a match', [], () => ({ fileTypeId: newId() }), 0],
  ])('reads only the files of the page, for a caller %s', async (_, permissions, filter, found) => {
    const result = await read(permissions, filter());
    expect(result.found).toBe(found);
    // The table has more blocks than that, even with the default number of rows.
    expect(result.blocks).toBeLessThan(80);
  });

  it.each<[string, FileSort, Position | null, PlanFor]>([
    ['newest first', '-createdAt', null, 'these values'],
    ['newest first, planned for all values', '-createdAt', null, 'all values'],
    ['newest first, from the middle', '-createdAt', HALF, 'all values'],
    ['oldest first', 'createdAt', null, 'all values'],
  ])(
    'looks up only the files of the page, for a caller with many grants: %s',
    async (_, sort, after, planFor) => {
      const { found, blocks } = await read([], {}, sort, granted, after, planFor);
      expect(found).toBe(51);
      // Four of each file, and those of the grants.
      expect(blocks).toBeLessThan(300);
    },
  );

  it.each([
    ['that few files have', '00017111', 1, 'ix_files_search_starts'],
    ['that all files have', '2026000', 51, 'ix_files_created'],
  ])('reads only the files of the page, with digits %s', async (_, q, found, index) => {
    const result = await read(['files.read'], { q });
    expect(result.found).toBe(found);
    expect(result.indexes).toContain(index);
    expect(result.blocks).toBeLessThan(80);
  });

  it.each(FILE_SORTS)('reads only the files of the page, sorted by %s', async (sort) => {
    const result = await read(['files.read'], {}, sort);
    expect(result.blocks).toBeLessThan(80);
  });
});
