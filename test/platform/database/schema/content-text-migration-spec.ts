import { expect, it } from '@jest/globals';
import { newId } from '../../../../src/common/identifier.js';
import { describeMigration } from './migration.js';

/** What a document of the former release has, and what the migration makes of it. */
const CASES = [
  { status: 'Active', failure: null, parts: [0, 1], expected: 'Available' },
  { status: 'Archived', failure: null, parts: [0], expected: 'None' },
  { status: 'Active', failure: 'Encrypted', parts: [0], expected: 'Failed' },
  { status: 'Processing', failure: null, parts: [0], expected: 'Pending' },
  { status: 'Active', failure: null, parts: null, expected: null },
] as const;

describeMigration('ContentText1795564800000', (database) => {
  it('finds out what became of the text of each document, in all tenants, and can be reverted', async () => {
    const user = await database.insertUser();
    const tenants = [await database.insertTenant(), await database.insertTenant()];
    for (const tenant of tenants) {
      await database.query(`INSERT INTO contents (tenant_id, sha256, size) VALUES ($1, repeat('a', 64), 1)`, [
        tenant,
      ]);
      for (const [index, { status, failure, parts }] of CASES.entries()) {
        const id = newId();
        await database.query(
          `INSERT INTO documents (tenant_id, id, title, status, created_by) VALUES ($1, $2, $3, $4, $5)`,
          [tenant, id, String(index), status, user],
        );
        if (parts === null) continue;
        // The failure of a former version does not count.
        for (const [number, reason] of [
          [1, 'Corrupted'],
          [2, failure],
        ] as const) {
          await database.query(
            `INSERT INTO document_versions (tenant_id, document_id, number, content_sha256, size, claimed_media_type,
                                            media_type, failure, created_by)
             VALUES ($1, $2, $3, repeat('a', 64), 1, 'text/plain', 'text/plain', $4, $5)`,
            [tenant, id, number, reason, user],
          );
        }
        await database.query(
          `UPDATE documents SET content_sha256 = repeat('a', 64), content_size = 1, content_version = 2,
                                content_media_type = 'text/plain' WHERE tenant_id = $1 AND id = $2`,
          [tenant, id],
        );
        for (const part of parts) {
          await database.query(
            `INSERT INTO document_texts (tenant_id, document_id, part, created_at, text, vector)
             SELECT tenant_id, id, $3, created_at, 'x', '' FROM documents WHERE tenant_id = $1 AND id = $2`,
            [tenant, id, part],
          );
        }
      }
    }

    await database.migrate();

    const rows = await database.query(
      'SELECT title, content_text AS text, content_failure AS failure FROM documents ORDER BY tenant_id, title',
    );
    const expected = CASES.map((one, index) => ({
      title: String(index),
      text: one.expected,
      failure: one.failure,
    }));
    expect(rows).toEqual([...expected, ...expected]);
  });
});
