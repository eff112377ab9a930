import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { distributionOf } from '../../distribution/distributed-schema.js';
import { adaptQueuePolicy } from '../../distribution/shard-policies.js';
import { tenantTable } from '../tenant-table.js';

const NIL_ID = '00000000-0000-0000-0000-000000000000';

/**
 * The event log of each tenant (docs/adr/0039). Existing tenants get an empty log. A queued entry with the nil id marks
 * that the sequencer first has to add the tenant's existing audit entries; so the migration itself takes a moment, also
 * with millions of entries.
 */
export class Events1795478500000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE audit_entries ADD COLUMN related jsonb NOT NULL DEFAULT '{}'`);
    await db.query('GRANT INSERT (related) ON audit_entries TO filing_service_role');
    await db.query(`
      CREATE TABLE event_logs (
        tenant_id uuid NOT NULL CONSTRAINT fk_event_logs_tenant REFERENCES tenants (id),
        id uuid NOT NULL,
        next_sequence bigint NOT NULL DEFAULT 0,
        backfilled_time timestamptz(3),
        backfilled_id uuid,
        CONSTRAINT pk_event_logs PRIMARY KEY (tenant_id)
      )`);
    await db.query(`
      CREATE TABLE events (
        tenant_id uuid NOT NULL CONSTRAINT fk_events_tenant REFERENCES tenants (id),
        sequence bigint NOT NULL,
        entry_id uuid NOT NULL,
        type text NOT NULL,
        CONSTRAINT pk_events PRIMARY KEY (tenant_id, sequence),
        CONSTRAINT uq_events_entry UNIQUE (tenant_id, entry_id)
      )`);
    await db.query('CREATE INDEX ix_events_type ON events (tenant_id, type, sequence)');
    await db.query(`
      CREATE TABLE event_queue (
        tenant_id uuid NOT NULL CONSTRAINT fk_event_queue_tenant REFERENCES tenants (id),
        entry_id uuid NOT NULL,
        CONSTRAINT pk_event_queue PRIMARY KEY (tenant_id, entry_id)
      )`);
    await db.query('INSERT INTO event_logs (tenant_id, id) SELECT id, gen_random_uuid() FROM tenants');
    await db.query(`INSERT INTO event_queue (tenant_id, entry_id) SELECT id, '${NIL_ID}' FROM tenants`);
    // The service role may read only this across tenants. Reads one index entry for each tenant.
    await db.query('CREATE POLICY queued_tenants ON event_queue FOR SELECT TO CURRENT_USER USING (true)');
    await db.query(`
      CREATE VIEW queued_tenants WITH (security_barrier) AS
        WITH RECURSIVE queued AS (
          (SELECT q.tenant_id, q.entry_id FROM event_queue q ORDER BY q.tenant_id, q.entry_id LIMIT 1)
          UNION ALL
          SELECT next.tenant_id, next.entry_id
            FROM queued, LATERAL (SELECT q.tenant_id, q.entry_id FROM event_queue q
                                   WHERE q.tenant_id > queued.tenant_id ORDER BY q.tenant_id, q.entry_id LIMIT 1) next)
        SELECT tenant_id, entry_id AS oldest_id FROM queued`);
    // For the metrics. Limited, so that it stays fast while a large backlog is worked off.
    await db.query(`
      CREATE VIEW event_backlog WITH (security_barrier) AS
        SELECT count(*)::int AS waiting,
               min(q.entry_id::text) FILTER (WHERE q.entry_id <> '${NIL_ID}'::uuid) AS oldest_id
          FROM (SELECT entry_id FROM event_queue LIMIT 100000) q`);
    await db.query('GRANT SELECT ON queued_tenants, event_backlog TO filing_service_role');
    await tenantTable(
      db,
      'event_logs',
      'SELECT, INSERT, UPDATE (next_sequence, backfilled_time, backfilled_id)',
    );
    await tenantTable(db, 'events', 'SELECT, INSERT');
    await tenantTable(db, 'event_queue', 'SELECT, INSERT, DELETE');
    const query = <R extends object>(text: string, values?: unknown[]): Promise<R[]> =>
      db.query(text, values);
    if ((await distributionOf(query)) === 'distributed') await adaptQueuePolicy(query);
    // The server and database of the logs. Only the owner reads it.
    await db.query(`
      CREATE TABLE event_log_origin (
        system_identifier text NOT NULL,
        database_oid bigint NOT NULL
      )`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP VIEW event_backlog, queued_tenants');
    await db.query('DROP TABLE event_log_origin, event_queue, events, event_logs');
    await db.query('ALTER TABLE audit_entries DROP COLUMN related');
  }
}
