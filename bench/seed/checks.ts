import type pg from 'pg';
import { singlePart } from '../../src/common/text-parts.js';
import { documentVector } from '../../src/platform/database/schema/document-vector.js';
import { fileSearchKeys } from '../../src/resources/files/file-search.js';

/** Checks that the seeded search keys of files are equal to those that the service writes. */
export async function checkFiles(client: pg.Client): Promise<void> {
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
export async function checkTitles(client: pg.Client): Promise<void> {
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
