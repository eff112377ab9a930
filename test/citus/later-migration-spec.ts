import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { openDatabase } from '../../src/application.js';
import { newId } from '../../src/common/identifier.js';
import { loadConfiguration } from '../../src/platform/config/configuration.js';
import { ownerDataSource } from '../../src/platform/database/data-source.js';
import { distributeDatabase } from '../../src/platform/database/distribution/distribute.js';
import { migrateDatabase } from '../../src/platform/database/schema/migrate.js';
import { tenantTable } from '../../src/platform/database/schema/tenant-table.js';
import { withVisibleRows } from '../../src/platform/database/schema/visible-rows.js';
import { ensureServiceRole } from '../../src/platform/database/service-role/derived-service-role.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { Recording } from '../../src/platform/recording/recording.js';
import { TenantsService } from '../../src/platform/tenancy/tenants/tenants.service.js';
import { serviceContext } from '../../src/platform/tenancy/access/access.directory.js';
import { nodeUrls } from '../support/database.js';
import { inDatabase, runAsAdmin } from '../support/database-nodes.js';
import { LONG_DATABASE_TIMEOUTS } from '../support/wait-until.js';
import { type ClusterDatabase, createClusterDatabase, createOwner } from './cluster-database.js';

/** A migration of a later release, as docs/development.md describes it. */
class Notes4000000000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `CREATE TABLE notes (
         tenant_id uuid NOT NULL CONSTRAINT fk_notes_tenant REFERENCES tenants (id),
         id uuid NOT NULL,
         tag_id uuid NOT NULL,
         text text NOT NULL,
         CONSTRAINT pk_notes PRIMARY KEY (tenant_id, id)
       )`,
    );
    await tenantTable(db, 'notes', 'SELECT, INSERT, UPDATE, DELETE');
    await db.query(
      'ALTER TABLE notes ADD CONSTRAINT fk_notes_tag FOREIGN KEY (tenant_id, tag_id) REFERENCES tags (tenant_id, id)',
    );
    await db.query('CREATE INDEX notes_by_tag ON notes (tenant_id, tag_id)');
    await db.query(`ALTER TABLE tags ADD COLUMN color text NOT NULL DEFAULT 'red'`);
    await db.query('CREATE INDEX tags_by_color ON tags (tenant_id, color)');
    await db.query('ALTER TABLE tags ADD COLUMN parent_id uuid');
    await withVisibleRows(
      (text, values) => db.query(text, values),
      ['tags'],
      async () => {
        await db.query('UPDATE tags SET parent_id = id');
        await db.query(
          'ALTER TABLE tags ADD CONSTRAINT fk_tags_parent FOREIGN KEY (tenant_id, parent_id) REFERENCES tags (tenant_id, id)',
        );
      },
    );
  }

  async down(): Promise<void> {}
}

describe.each(['plain', 'cluster'] as const)('A later migration of a database of the kind %s', (kind) => {
  const oldTag = newId();
  let first: string;
  let second: string;
  let database: ClusterDatabase;
  let service: DataSource | undefined;
  let uow: UnitOfWork;

  beforeAll(async () => {
    await createOwner();
    database = await createClusterDatabase(kind);
    const { ownerUrl } = database;
    await migrateDatabase(ownerUrl);
    if (kind === 'cluster') await distributeDatabase(ownerUrl, 4, () => undefined);
    const owner = ownerDataSource(ownerUrl);
    await owner.initialize();
    const ownerUow = await UnitOfWork.open(owner, new Recording());
    const tenants = new TenantsService(ownerUow);
    first = await tenants.create({ slug: 'first', name: 'First', expectedMembers: [] });
    second = await tenants.create({ slug: 'second', name: 'Second', expectedMembers: [] });
    await ownerUow.write(serviceContext(first), (tx) =>
      tx.query(`INSERT INTO tags (tenant_id, id, name, name_key) VALUES ($1, $2, 'old', 'old')`, [
        first,
        oldTag,
      ]),
    );
    // The newest migration, too, can meet a distributed database.
    await owner.undoLastMigration({ transaction: 'each' });
    await owner.runMigrations({ transaction: 'each' });
    await owner.destroy();
    const later = ownerDataSource(ownerUrl).setOptions({ migrations: [Notes4000000000000] });
    await later.initialize();
    await later.runMigrations({ transaction: 'each' });
    await later.destroy();
    const configuration = loadConfiguration(LONG_DATABASE_TIMEOUTS);
    service = await openDatabase(configuration, await ensureServiceRole(ownerUrl));
    uow = await UnitOfWork.open(service, new Recording());
  });
  afterAll(async () => {
    await service?.destroy();
    await database.drop();
  });

  it('creates a table with a tenant, a column and indexes', async () => {
    const [tagId, noteId] = [newId(), newId()];
    await uow.write(serviceContext(first), async (tx) => {
      await tx.query(
        `INSERT INTO tags (tenant_id, id, name, name_key, color) VALUES ($1, $2, 'x', 'x', 'blue')`,
        [first, tagId],
      );
      await tx.query(`INSERT INTO notes (tenant_id, id, tag_id, text) VALUES ($1, $2, $3, 'x')`, [
        first,
        noteId,
        tagId,
      ]);
    });
    const read = (tenantId: string) =>
      uow.read(serviceContext(tenantId), (tx) =>
        tx.query(
          `SELECT n.id, t.color FROM notes n JOIN tags t ON t.tenant_id = n.tenant_id AND t.id = n.tag_id
            WHERE n.tenant_id = $1`,
          [first],
        ),
      );
    expect(await read(first)).toEqual([{ id: noteId, color: 'blue' }]);
    // Row-level security hides the row from a transaction of another tenant.
    expect(await read(second)).toEqual([]);
  });

  it('changes the rows of all tenants', async () => {
    const found = await uow.read(serviceContext(first), (tx) =>
      tx.query('SELECT parent_id FROM tags WHERE tenant_id = $1 AND id = $2', [first, oldTag]),
    );
    expect(found).toEqual([{ parent_id: oldTag }]);
  });

  it('creates foreign keys that reject a missing row', async () => {
    const insertion = uow.write(serviceContext(first), (tx) =>
      tx.query(`INSERT INTO notes (tenant_id, id, tag_id, text) VALUES ($1, $2, $2, 'x')`, [first, newId()]),
    );
    await expect(insertion).rejects.toMatchObject({ code: '23503' });
  });

  if (kind === 'cluster')
    it('distributes the table like the others, with its indexes, policy and keys on each worker', async () => {
      const [placement] = await runAsAdmin(
        database.superuserUrl,
        `SELECT count(DISTINCT colocationid)::int AS groups, count(*)::int AS tables FROM pg_dist_partition
          WHERE logicalrelid IN ('notes'::regclass, 'tags'::regclass)`,
      );
      expect(placement).toEqual({ groups: 1, tables: 2 });
      for (const worker of nodeUrls().slice(1)) {
        const [found] = await runAsAdmin<{ tables: number; policies: number; indexes: number; keys: number }>(
          inDatabase(worker, database.name),
          `SET citus.show_shards_for_app_name_prefixes = '*'`,
          `SELECT (SELECT count(*)::int FROM pg_class WHERE relname ~ '^notes_\\d+$' AND relrowsecurity AND NOT relforcerowsecurity) AS tables,
                  (SELECT count(*)::int FROM pg_policies WHERE tablename ~ '^notes_\\d+$') AS policies,
                  (SELECT count(*)::int FROM pg_class WHERE relname ~ '^(notes_by_tag|tags_by_color)_\\d+$') AS indexes,
                  (SELECT count(*)::int FROM pg_constraint WHERE conname ~ '^fk_notes_(tag|tenant)_\\d+$') AS keys`,
        );
        expect(found).toEqual({ tables: 2, policies: 2, indexes: 4, keys: 4 });
      }
    });
});
