import { expect, it } from '@jest/globals';
import { newId } from '../../../../src/common/identifier.js';
import { describeMigration } from './migration.js';

const CREATED_AT = '2026-01-02T03:04:05.006Z';

describeMigration('ConfidentialPlaces1795392200000', (database) => {
  const schema = () =>
    database.query(
      `SELECT (SELECT array_agg(pg_get_indexdef(indexrelid) ORDER BY indexrelid::regclass::text) FROM pg_index
                WHERE indrelid = 'document_confidential_users'::regclass) AS indexes,
              (SELECT array_agg(conname || ' ' || pg_get_constraintdef(oid) ORDER BY conname) FROM pg_constraint
                WHERE conrelid = 'document_confidential_users'::regclass AND contype IN ('p', 'f')) AS keys`,
    );

  it('copies created_at of the documents, in all tenants, and can be reverted', async () => {
    const former = await schema();
    const user = await database.insertUser();
    const role = newId();
    for (const tenant of [await database.insertTenant(), await database.insertTenant()]) {
      const document = newId();
      await database.query(
        `INSERT INTO roles (tenant_id, id, name, name_key, permissions) VALUES ($1, $2, 'Role', 'role', '{}')`,
        [tenant, role],
      );
      await database.query('INSERT INTO members (tenant_id, user_id, role_id) VALUES ($1, $2, $3)', [
        tenant,
        user,
        role,
      ]);
      await database.query(
        `INSERT INTO documents (tenant_id, id, title, status, is_confidential, created_by, created_at)
         VALUES ($1, $2, 'Plan', 'Active', true, $3, $4)`,
        [tenant, document, user, CREATED_AT],
      );
      await database.query(
        'INSERT INTO document_confidential_users (tenant_id, document_id, user_id) VALUES ($1, $2, $3)',
        [tenant, document, user],
      );
    }

    await database.migrate();

    const places = await database.query('SELECT document_created_at FROM document_confidential_users');
    expect(places).toEqual([{ document_created_at: CREATED_AT }, { document_created_at: CREATED_AT }]);

    await database.undo();
    expect(await schema()).toEqual(former);
    await database.migrate();
  });
});
