import type pg from 'pg';
import { withClient } from '../database.js';
import { bulkLoad } from '../seed/bulk-load.js';
import { type Range, seedAudit, seedDocuments, seedFiles, seedGrants } from '../seed/rows.js';
import { BULK_TABLES } from '../seed/seed.js';
import { seedTenant, tenantId } from '../seed/tenants.js';
import { seedWords } from '../seed/words.js';

export const GROWTH_SLUG = 'bench-growth';
/** Maximum number of documents (with values) and of audit entries; there may be more files. */
export const MAX_DOCUMENTS = 1_000_000;
const GRANTS = 1000;
const CONFIDENTIAL_DOCUMENTS = 10_000;

/** Number of rows from which indexes are dropped during the load and rebuilt afterwards. */
const REBUILD_INDEXES_FROM = 200_000;
/** Rows per statement; limits the disk space for temporary rows. */
const CHUNK = 500_000;
/** Row number, and so creation time, after all other documents: these documents come first in every list. */
const CONFIDENTIAL_FROM = 12_000_000;

/** Grows the tenant to `to` files, and to as many documents and audit entries up to {@link MAX_DOCUMENTS}. */
export async function grow(ownerUrl: string, from: number, to: number): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    await seedWords(client);
    if (from === 0) {
      await removeTenant(client);
      await seedTenant(client, GROWTH_SLUG);
    }
    await bulkLoad(client, BULK_TABLES, { rebuildIndexes: to - from >= REBUILD_INDEXES_FROM }, async () => {
      for (const range of chunks(from, to)) await seedFiles(client, GROWTH_SLUG, range);
      const max = Math.min(to, MAX_DOCUMENTS);
      for (const range of chunks(Math.min(from, max), max)) {
        await seedDocuments(client, GROWTH_SLUG, range, to);
        await seedAudit(client, GROWTH_SLUG, range);
      }
      await client.query('DELETE FROM access_grants WHERE tenant_id = $1', [tenantId(GROWTH_SLUG)]);
      await seedGrants(client, GROWTH_SLUG, GRANTS, to);
    });
  });
}

async function removeTenant(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = 'public' AND c.column_name = 'tenant_id' AND t.table_type = 'BASE TABLE'`,
  );
  // Disables foreign key checks; all tables of the tenant are cleared.
  await client.query('SET session_replication_role = replica');
  for (const { name } of rows)
    await client.query(`DELETE FROM ${name} WHERE tenant_id = $1`, [tenantId(GROWTH_SLUG)]);
  await client.query('DELETE FROM tenants WHERE id = $1', [tenantId(GROWTH_SLUG)]);
  await client.query('RESET session_replication_role');
}

function chunks(from: number, to: number): Range[] {
  const ranges: Range[] = [];
  for (let first = from + 1; first <= to; first += CHUNK)
    ranges.push({ from: first, to: Math.min(to, first + CHUNK - 1) });
  return ranges;
}

/** Runs `work` with additional newest documents that are confidential to others. */
export async function withConfidentialDocuments(
  ownerUrl: string,
  files: number,
  work: () => Promise<void>,
): Promise<void> {
  const range = { from: CONFIDENTIAL_FROM + 1, to: CONFIDENTIAL_FROM + CONFIDENTIAL_DOCUMENTS };
  await withClient(ownerUrl, async (client) => {
    await seedWords(client);
    await bulkLoad(client, BULK_TABLES, { rebuildIndexes: false }, () =>
      seedDocuments(client, GROWTH_SLUG, range, files, true),
    );
    await work();
    await client.query('DELETE FROM documents WHERE tenant_id = $1 AND is_confidential', [
      tenantId(GROWTH_SLUG),
    ]);
    await client.query(`VACUUM (ANALYZE) ${BULK_TABLES.join(', ')}`);
  });
}
