import type pg from 'pg';
import { singlePart } from '../../src/common/text-parts.js';
import { documentVector } from '../../src/platform/database/schema/document-vector.js';
import { tenantId } from './tenants.js';
import { SEED_WORDS } from './words.js';

/** Adds the search vector of each word to the table of words; SQL combines them to those of titles. */
export async function seedWordVectors(client: pg.Client): Promise<void> {
  await client.query('ALTER TABLE bench_words ADD COLUMN IF NOT EXISTS vector tsvector');
  for (const [n, { word }] of SEED_WORDS.entries()) {
    const { words, positions } = singlePart(word);
    await client.query(
      `UPDATE bench_words SET vector = ${documentVector('$2::text[]', '$3::text[]')} WHERE n = $1`,
      [...[n, words, positions]],
    );
  }
}

/** Inserts the search texts of the titles of `bench_documents`: the words `w1` and `w2` and the number `i`. */
export async function seedTitles(client: pg.Client, slug: string): Promise<void> {
  await client.query(
    `INSERT INTO document_texts (tenant_id, document_id, part, created_at, text, vector)
     SELECT $1, d.id, 0, d.created_at, d.title, w1.vector || w2.vector || (d.i || ':1A')::tsvector
       FROM bench_documents d JOIN bench_words w1 ON w1.n = d.w1 JOIN bench_words w2 ON w2.n = d.w2`,
    [tenantId(slug)],
  );
}

/** Checks that the seeded search vectors are equal to those that the service writes. */
export async function checkTitles(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ tenant: string; id: string; title: string }>(
    'SELECT tenant_id AS tenant, id, title FROM documents ORDER BY md5(id::text) LIMIT 200',
  );
  for (const { tenant, id, title } of rows) {
    const { words, positions } = singlePart(title);
    const { rowCount } = await client.query(
      `SELECT FROM document_texts WHERE tenant_id = $1 AND document_id = $2 AND vector = ${documentVector('$3::text[]', '$4::text[]')}`,
      [tenant, id, words, positions],
    );
    if (rowCount !== 1)
      throw new Error(`The seeded search vector of "${title}" differs from that of the service`);
  }
}
