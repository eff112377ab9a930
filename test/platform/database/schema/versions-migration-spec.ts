import { expect, it } from '@jest/globals';
import { newId } from '../../../../src/common/identifier.js';
import { describeMigration } from './migration.js';

const HASH = 'a'.repeat(64);

describeMigration('DocumentVersions1763701200000', (database) => {
  it('makes the content of every document its first version, in all tenants, and can be reverted', async () => {
    const user = await database.insertUser();
    const tenants = [await database.insertTenant(), await database.insertTenant()];
    const documents: string[] = [];
    for (const tenant of tenants) {
      const [withContent, without] = [newId(), newId()];
      documents.push(withContent);
      await database.query('INSERT INTO contents (tenant_id, sha256, size) VALUES ($1, $2, 5)', [
        tenant,
        HASH,
      ]);
      await database.query(
        `INSERT INTO documents (tenant_id, id, title, status, content_sha256, content_file_name, content_media_type,
                                content_size, content_page_count, created_by, created_at)
         VALUES ($1, $2, 'Bauplan', 'Archived', $4, 'Plan.pdf', 'application/pdf', 5, 3, $3, '2026-01-01T00:00:00Z'),
                ($1, $5, 'Ohne', 'Active', NULL, NULL, NULL, NULL, NULL, $3, '2026-01-01T00:00:00Z')`,
        [tenant, withContent, user, HASH, without],
      );
    }

    await database.migrate();

    const versions = await database.query(
      `SELECT tenant_id, document_id, number, content_sha256, file_name, claimed_media_type, media_type, size, page_count,
              failure, restored_from, created_by, created_at FROM document_versions ORDER BY document_id`,
    );
    expect(versions).toEqual(
      documents.map((id, n) => ({
        tenant_id: tenants[n],
        document_id: id,
        number: 1,
        content_sha256: HASH,
        file_name: 'Plan.pdf',
        claimed_media_type: 'application/pdf',
        media_type: 'application/pdf',
        size: 5,
        page_count: 3,
        failure: null,
        restored_from: null,
        created_by: user,
        created_at: '2026-01-01T00:00:00.000Z',
      })),
    );
    const newest = await database.query(`SELECT title, content_version FROM documents ORDER BY title, id`);
    expect(newest).toEqual([
      ...tenants.map(() => ({ title: 'Bauplan', content_version: 1 })),
      ...tenants.map(() => ({ title: 'Ohne', content_version: null })),
    ]);
  });
});
