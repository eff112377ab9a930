import { expect, it } from '@jest/globals';
import { describeMigration } from './migration.js';

describeMigration('StorageLimits1795306000000', (database) => {
  const schema = () =>
    database.query(
      `SELECT (SELECT array_agg(attname::text ORDER BY attname) FROM pg_attribute
                WHERE attrelid = 'tenants'::regclass AND attnum > 0 AND NOT attisdropped
                  AND has_column_privilege('filing_service_role', attrelid, attnum, 'UPDATE')) AS updatable,
              (SELECT array_agg(attname::text) FROM pg_attribute
                WHERE attrelid = 'tenants'::regclass AND attacl IS NOT NULL) AS granted,
              to_regclass('ix_contents_size') IS NOT NULL AS "hasIndex"`,
    );

  it('keeps existing tenants, checks limits, and can be reverted', async () => {
    const former = await schema();
    const tenant = await database.insertTenant();
    await database.query(
      `INSERT INTO contents (tenant_id, sha256, size) VALUES ($1, repeat('0', 64), 5000000000)`,
      [tenant],
    );

    await database.migrate();

    expect(await schema()).toEqual([
      { updatable: ['access_version'], granted: ['access_version'], hasIndex: true },
    ]);
    const limits = () => database.query('SELECT storage_limit AS "limit" FROM tenants');
    expect(await limits()).toEqual([{ limit: null }]);
    await database.query('UPDATE tenants SET storage_limit = 9007199254740991');
    expect(await limits()).toEqual([{ limit: Number.MAX_SAFE_INTEGER }]);
    await expect(database.query('UPDATE tenants SET storage_limit = 0')).rejects.toMatchObject({
      constraint: 'ck_tenants_storage_limit',
    });

    await database.undo();
    expect(await schema()).toEqual(former);
    await database.migrate();
    expect(await limits()).toEqual([{ limit: null }]);
  });
});
