import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { MigratedDatabase } from './migration.js';

const MIGRATION = 'StorageLimits1795306000000';

describe('StorageLimits migration', () => {
  let database: MigratedDatabase;
  let owner: DataSource;
  beforeAll(async () => {
    database = await MigratedDatabase.create();
    ({ owner } = database);
  });
  afterAll(() => database.drop());

  const schema = () =>
    owner.query<object[]>(
      `SELECT (SELECT array_agg(attname::text ORDER BY attname) FROM pg_attribute
                WHERE attrelid = 'tenants'::regclass AND attnum > 0 AND NOT attisdropped
                  AND has_column_privilege('filing_service_role', attrelid, attnum, 'UPDATE')) AS updatable,
              (SELECT array_agg(attname::text) FROM pg_attribute
                WHERE attrelid = 'tenants'::regclass AND attacl IS NOT NULL) AS granted,
              to_regclass('ix_contents_size') IS NOT NULL AS "hasIndex"`,
    );

  it('keeps existing tenants, checks limits, and can be reverted', async () => {
    await database.undo(MIGRATION);
    const former = await schema();
    const tenant = await database.insertTenant();
    await owner.query(
      `INSERT INTO contents (tenant_id, sha256, size) VALUES ($1, repeat('0', 64), 5000000000)`,
      [tenant],
    );

    await owner.runMigrations({ transaction: 'each' });

    expect(await schema()).toEqual([
      { updatable: ['access_version'], granted: ['access_version'], hasIndex: true },
    ]);
    const limits = () => owner.query<object[]>('SELECT storage_limit AS "limit" FROM tenants');
    expect(await limits()).toEqual([{ limit: null }]);
    await owner.query('UPDATE tenants SET storage_limit = 9007199254740991');
    expect(await limits()).toEqual([{ limit: Number.MAX_SAFE_INTEGER }]);
    await expect(owner.query('UPDATE tenants SET storage_limit = 0')).rejects.toMatchObject({
      constraint: 'ck_tenants_storage_limit',
    });

    await database.undo(MIGRATION);
    expect(await schema()).toEqual(former);
    await owner.runMigrations({ transaction: 'each' });
    expect(await limits()).toEqual([{ limit: null }]);
  });
});
