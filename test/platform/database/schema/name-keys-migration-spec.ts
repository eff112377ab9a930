import { beforeAll, expect, it } from '@jest/globals';
import { newId } from '../../../../src/common/identifier.js';
import { caseFold } from '../../../../src/common/text.js';
import { NameKeys1795655000000 } from '../../../../src/platform/database/schema/migrations/1795655000000-name-keys.js';
import { describeMigration } from './migration.js';

describeMigration(NameKeys1795655000000.name, (database) => {
  let tenant: string;
  beforeAll(async () => {
    tenant = await database.insertTenant();
  });

  /** Stores the tag as former releases did. */
  const saveTag = (name: string, day: number) =>
    database.query(
      'INSERT INTO tags (tenant_id, id, name, name_key, created_at) VALUES ($1, $2, $3, $4, $5)',
      [tenant, newId(), name, caseFold(name), `2026-01-0${day}T00:00:00Z`],
    );

  it('sets new keys; of two that are the same now, one keeps its former key, and a note says so', async () => {
    await saveTag('Eilt', 1);
    await saveTag('Paragraf\u00a05', 2);
    await saveTag('Paragraf 5', 3);
    await saveTag('Ｎord', 4);
    await saveTag('Süd  West', 5);

    const [migration] = await database.migrate();

    expect((migration?.instance as NameKeys1795655000000).notes).toEqual([
      expect.stringMatching(/^1 of tags have a name that differs from another only in blanks/),
    ]);
    expect(await database.query('SELECT name, name_key AS key FROM tags ORDER BY created_at')).toEqual([
      { name: 'Eilt', key: 'eilt' },
      { name: 'Paragraf\u00a05', key: 'paragraf\u00a05' },
      { name: 'Paragraf 5', key: 'paragraf 5' },
      { name: 'Ｎord', key: 'nord' },
      { name: 'Süd  West', key: 'süd west' },
    ]);
  });
});
