import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Stores with each queued audit entry when it was queued, by the clock of the database (docs/adr/0039). The id of an entry
 * has the time of the process that wrote it, whose clock may differ.
 */
export class EventQueueTimes1795738900000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // Not now(): a transaction that waited for another one may have begun before it. Not clock_timestamp(), because Citus
    // refuses volatile functions in INSERT … SELECT.
    await db.query(
      'ALTER TABLE event_queue ADD COLUMN queued_at timestamptz(6) NOT NULL DEFAULT statement_timestamp()',
    );
    // New columns of views come last. Instances of the former release read the others.
    await db.query(`
      CREATE OR REPLACE VIEW queued_tenants WITH (security_barrier) AS
        WITH RECURSIVE queued AS (
          (SELECT q.tenant_id, q.entry_id, q.queued_at FROM event_queue q ORDER BY q.tenant_id, q.entry_id LIMIT 1)
          UNION ALL
          SELECT next.tenant_id, next.entry_id, next.queued_at
            FROM queued, LATERAL (SELECT q.tenant_id, q.entry_id, q.queued_at FROM event_queue q
                                   WHERE q.tenant_id > queued.tenant_id ORDER BY q.tenant_id, q.entry_id LIMIT 1) next)
        SELECT tenant_id, entry_id AS oldest_id, queued_at FROM queued`);
    await db.query(`
      CREATE OR REPLACE VIEW event_backlog WITH (security_barrier) AS
        SELECT count(*)::int AS waiting,
               min(q.entry_id::text) FILTER (WHERE q.entry_id <> '${NIL_ID}'::uuid) AS oldest_id,
               min(q.queued_at) FILTER (WHERE q.entry_id <> '${NIL_ID}'::uuid) AS oldest_at
          FROM (SELECT entry_id, queued_at FROM event_queue LIMIT 100000) q`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP VIEW event_backlog, queued_tenants');
    await db.query(`
      CREATE VIEW queued_tenants WITH (security_barrier) AS
        WITH RECURSIVE queued AS (
          (SELECT q.tenant_id, q.entry_id FROM event_queue q ORDER BY q.tenant_id, q.entry_id LIMIT 1)
          UNION ALL
          SELECT next.tenant_id, next.entry_id
            FROM queued, LATERAL (SELECT q.tenant_id, q.entry_id FROM event_queue q
                                   WHERE q.tenant_id > queued.tenant_id ORDER BY q.tenant_id, q.entry_id LIMIT 1) next)
        SELECT tenant_id, entry_id AS oldest_id FROM queued`);
    await db.query(`
      CREATE VIEW event_backlog WITH (security_barrier) AS
        SELECT count(*)::int AS waiting,
               min(q.entry_id::text) FILTER (WHERE q.entry_id <> '${NIL_ID}'::uuid) AS oldest_id
          FROM (SELECT entry_id FROM event_queue LIMIT 100000) q`);
    await db.query('GRANT SELECT ON queued_tenants, event_backlog TO filing_service_role');
    await db.query('ALTER TABLE event_queue DROP COLUMN queued_at');
  }
}

const NIL_ID = '00000000-0000-0000-0000-000000000000';
