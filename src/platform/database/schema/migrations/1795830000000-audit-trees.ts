import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { distributionOf } from '../../distribution/distributed-schema.js';
import { tenantTable } from '../tenant-table.js';
import { tenantsFunction } from '../tenants-with-work.js';

/** Tables that their owner has no policy for reading yet. */
const READ_BY_OWNER = ['event_logs', 'audit_trees'];

/**
 * The Merkle tree of each tenant's event log (docs/adr/0053). A background task adds the leaves, also those of entries
 * from before.
 */
export class AuditTrees1795830000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE audit_trees (
        tenant_id uuid NOT NULL CONSTRAINT fk_audit_trees_tenant REFERENCES tenants (id),
        size bigint NOT NULL DEFAULT 0,
        log_id uuid,
        origin text,
        checkpoint_size bigint NOT NULL DEFAULT -1,
        checkpoint_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_audit_trees PRIMARY KEY (tenant_id)
      )`);
    await db.query(`
      CREATE TABLE audit_leaves (
        tenant_id uuid NOT NULL CONSTRAINT fk_audit_leaves_tenant REFERENCES tenants (id),
        sequence bigint NOT NULL,
        salt bytea NOT NULL,
        hash bytea NOT NULL,
        CONSTRAINT pk_audit_leaves PRIMARY KEY (tenant_id, sequence)
      )`);
    await db.query(`
      CREATE TABLE audit_tiles (
        tenant_id uuid NOT NULL CONSTRAINT fk_audit_tiles_tenant REFERENCES tenants (id),
        level smallint NOT NULL,
        number bigint NOT NULL,
        root bytea NOT NULL,
        hashes bytea,
        salts bytea,
        CONSTRAINT pk_audit_tiles PRIMARY KEY (tenant_id, level, number)
      )`);
    // Hashes and salts cannot be compressed. Out of line, so that reading roots does not read them.
    await db.query(`
      ALTER TABLE audit_tiles ALTER COLUMN hashes SET STORAGE EXTERNAL, ALTER COLUMN salts SET STORAGE EXTERNAL`);
    await db.query(`
      CREATE TABLE audit_keys (
        tenant_id uuid NOT NULL CONSTRAINT fk_audit_keys_tenant REFERENCES tenants (id),
        origin text NOT NULL,
        public_key bytea NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_audit_keys PRIMARY KEY (tenant_id, origin, public_key)
      )`);
    await db.query(`
      CREATE TABLE audit_checkpoints (
        tenant_id uuid NOT NULL CONSTRAINT fk_audit_checkpoints_tenant REFERENCES tenants (id),
        id uuid NOT NULL,
        size bigint NOT NULL,
        note text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_audit_checkpoints PRIMARY KEY (tenant_id, id)
      )`);
    await db.query(
      'CREATE INDEX ix_audit_checkpoints_order ON audit_checkpoints (tenant_id, created_at, id)',
    );
    await tenantTable(
      db,
      'audit_trees',
      'SELECT, INSERT, UPDATE (size, log_id, origin, checkpoint_size, checkpoint_at)',
    );
    await tenantTable(db, 'audit_leaves', 'SELECT, INSERT, DELETE');
    await tenantTable(db, 'audit_tiles', 'SELECT, INSERT');
    await tenantTable(db, 'audit_keys', 'SELECT, INSERT');
    await tenantTable(db, 'audit_checkpoints', 'SELECT, INSERT');
    // In a distributed database, row-level security does not apply to the owner.
    if ((await distributionOf((text, values) => db.query(text, values))) !== 'distributed') {
      for (const table of READ_BY_OWNER)
        await db.query(`CREATE POLICY tenants_with_work ON ${table} FOR SELECT TO CURRENT_USER USING (true)`);
    }
    await tenantsFunction(
      db,
      'tenants_with_audit_entries_without_leaf',
      'event_logs',
      't.next_sequence > coalesce((SELECT a.size FROM audit_trees a WHERE a.tenant_id = r.tenant_id), 0)',
    );
    // The last leaf may be that of the entry about the last checkpoint itself.
    await tenantsFunction(
      db,
      'tenants_with_audit_checkpoint_due',
      'audit_trees',
      't.size > t.checkpoint_size + 1 AND t.checkpoint_at < before',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(
      'DROP FUNCTION tenants_with_audit_checkpoint_due, tenants_with_audit_entries_without_leaf',
    );
    await db.query('DROP POLICY IF EXISTS tenants_with_work ON event_logs');
    await db.query('DROP TABLE audit_checkpoints, audit_keys, audit_tiles, audit_leaves, audit_trees');
  }
}
