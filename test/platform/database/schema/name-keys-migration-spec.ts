import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { newId } from '../../../../src/common/identifier.js';
import { caseFold } from '../../../../src/common/text.js';
import { NameKeys1795655000000 } from '../../../../src/platform/database/schema/migrations/1795655000000-name-keys.js';
import { MigratedDatabase } from './migration.js';

describe('NameKeys migration', () => {
  let database: MigratedDatabase;
  let owner: DataSource;
  let tenant: string;
  beforeAll(async () => {
    database = await MigratedDatabase.create();
    ({ owner } = database);
    await database.undo(NameKeys1795655000000.name);
    tenant = await database.insertTenant();
  });
  afterAll(() => database.drop());

  /** Stores the tag as former releases did. */
  const saveTag = (name: string, day: number) =>
    owner.query('INSERT INTO tags (tenant_id, id, name, name_key, created_at) VALUES ($1, $2, $3, $4, $5)', [
      tenant,
      newId(),
      name,
      caseFold(name),
      `2026-01-0${day}T00:00:00Z`,
    ]);

  it('sets new keys; of two that are the same now, one keeps its former key, and a note says so', async () => {
    await saveTag('Eilt', 1);
    await saveTag('Paragraf\u00a05', 2);
    await saveTag('Paragraf 5', 3);
    await saveTag('Ｎord', 4);
    await saveTag('Süd  West', 5);

    const [migration] = await owner.runMigrations({ transaction: 'each' });

    expect((migration?.instance as NameKeys1795655000000).notes).toEqual([
      expect.stringMatching(/^1 of tags have a name that differs from another only in blanks/),
    ]);
    expect(await owner.query('SELECT name, name_key AS key FROM tags ORDER BY created_at')).toEqual([
      { name: 'Eilt', key: 'eilt' },
      { name: 'Paragraf\u00a05', key: 'paragraf\u00a05' },
      { name: 'Paragraf 5', key: 'paragraf 5' },
      { name: 'Ｎord', key: 'nord' },
      { name: 'Süd  West', key: 'süd west' },
    ]);
    const forced = `SELECT relname AS name FROM pg_class
                     WHERE relforcerowsecurity AND relname IN ('files', 'tags', 'roles', 'saved_views') ORDER BY 1`;
    expect(await owner.query(forced)).toHaveLength(4);
  });
});
