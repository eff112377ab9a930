import type pg from 'pg';
import { withClient } from '../database.js';
import { log } from '../report.js';
import { bulkLoad } from './bulk-load.js';
import { checkFiles, checkTitles } from './checks.js';
import { seedAudit, seedDocuments, seedFiles, seedGrants } from './rows.js';
import { seedTenant, seedUsers } from './tenants.js';
import { seedWords } from './words.js';

/** Increase it with every change of the seed data. A kept database of another version is rejected. */
const VERSION = '3';

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
