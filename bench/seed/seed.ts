import type pg from 'pg';
import { singlePart } from '../../src/common/text-parts.js';
import { documentVector } from '../../src/platform/database/schema/document-vector.js';
import { fileSearchKeys } from '../../src/resources/files/file-search.js';
import { withClient } from '../database.js';
import { log } from '../report.js';
import { bulkLoad } from './bulk-load.js';
import { seedAudit, seedDocuments, seedFiles, seedGrants } from './rows.js';
import { seedTenant, seedUsers } from './tenants.js';
import { seedWords } from './words.js';

/** Increase it with every change of the seed data. A kept database of another version is rejected. */
const VERSION = '4';

export const SEED = { tenants: 20, filesPerTenant: 10_000, documentsPerTenant: 10_000, grantsPerTenant: 500 };

export const BULK_TABLES = [
  ...['files', 'documents', 'document_values', 'document_files', 'document_tags'],
  ...['document_confidential_users', 'document_texts', 'access_grants', 'audit_entries'],
];

export const SEED_SLUGS = Array.from(
  { length: SEED.tenants },
  (_, index) => `bench-${String(index).padStart(2, '0')}`,
);

/** Fills the database with the same rows each time, unless an earlier run has filled it. */
export async function seed(ownerUrl: string, issuer: string): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    await seedUsers(client, issuer);
    if (await isSeeded(client)) {
      log('using the data of an earlier run');
      return;
    }
    const began = performance.now();
    await seedWords(client);
    for (const slug of SEED_SLUGS) await seedTenant(client, slug);
    await bulkLoad(client, BULK_TABLES, { rebuildIndexes: true }, async () => {
      for (const slug of SEED_SLUGS) {
        await seedFiles(client, slug, { from: 1, to: SEED.filesPerTenant });
        await seedDocuments(client, slug, { from: 1, to: SEED.documentsPerTenant }, SEED.filesPerTenant);
        await seedGrants(client, slug, SEED.grantsPerTenant, SEED.filesPerTenant);
        await seedAudit(client, slug, { from: 1, to: 1000 });
      }
    });
    await checkFiles(client);
    await checkTitles(client);
    await client.query('INSERT INTO bench.seeded VALUES ($1)', [VERSION]);
    const files = SEED.tenants * SEED.filesPerTenant;
    const documents = SEED.tenants * SEED.documentsPerTenant;
    const seconds = Math.round((performance.now() - began) / 1000);
    log(`${SEED.tenants} tenants, ${files} files, ${documents} documents created in ${seconds} s`);
  });
}

async function isSeeded(client: pg.Client): Promise<boolean> {
  await client.query('CREATE SCHEMA IF NOT EXISTS bench');
  await client.query('CREATE TABLE IF NOT EXISTS bench.seeded (version text)');
  const { rows } = await client.query<{ version: string }>('SELECT version FROM bench.seeded');
  if (rows.some(({ version }) => version !== VERSION))
    throw new Error('The data folder has data of another version. Remove the folder.');
  return rows.length > 0;
}

/** Checks that the seeded search keys of files are equal to those that the service writes. */
async function checkFiles(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: string; name: string; text: string; starts: string[] }>(
    'SELECT number, name, search_text AS text, search_starts AS starts FROM files ORDER BY md5(id::text) LIMIT 500',
  );
  for (const { number, name, text, starts } of rows) {
    const { searchText, searchStarts } = fileSearchKeys(number, name);
    const same = text === searchText && starts.sort().join() === [...searchStarts].sort().join();
    if (!same) throw new Error(`The seeded search keys of "${name}" differ from those of the service`);
  }
}

/** Checks that the seeded search vectors of titles are equal to those that the service writes. */
async function checkTitles(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ tenant: string; id: string; title: string }>(
    'SELECT tenant_id AS tenant, id, title FROM documents ORDER BY md5(id::text) LIMIT 200',
  );
  for (const { tenant, id, title } of rows) {
    const { words, positions } = singlePart(title);
    const { rowCount } = await client.query(
      `SELECT FROM document_texts
        WHERE tenant_id = $1 AND document_id = $2 AND vector = ${documentVector('$3::text[]', '$4::text[]')}`,
      [tenant, id, words, positions],
    );
    if (rowCount !== 1)
      throw new Error(`The seeded search vector of "${title}" differs from that of the service`);
  }
}
