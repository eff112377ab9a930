import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { distributionOf } from '../../distribution/distributed-schema.js';
import { tenantTable } from '../tenant-table.js';

/** Functions that return the tenants with work (docs/adr/0043): parameters, and the query. */
const FUNCTIONS = {
  // Those in `among`; null for all.
  'tenants_with_due_webhooks (among uuid[])': `
    SELECT s.tenant_id FROM webhook_schedules s LEFT JOIN event_logs l ON l.tenant_id = s.tenant_id
     WHERE (among IS NULL OR s.tenant_id = ANY (among))
       AND (s.due_at <= now() OR l.next_sequence > s.next_sequence)`,
  'tenants_with_expired_webhook_deliveries (before timestamptz)': `
    SELECT DISTINCT w.tenant_id FROM webhooks w
     WHERE w.status = 'Deleted' OR EXISTS (
       SELECT FROM webhook_deliveries d
        WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.id AND d.created_at <= before AND d.status <> 'Pending')`,
} as const;
const NAMES = Object.keys(FUNCTIONS).map((signature) => signature.split(' ')[0] ?? '');
/** Tables that the functions read. */
const TABLES = ['event_logs', 'webhook_deliveries', 'webhook_schedules', 'webhooks'];

/**
 * Webhooks and their deliveries (docs/adr/0041). `webhook_schedules` has one row for each tenant with webhooks: its lock
 * serializes the work on the tenant's deliveries. Work is necessary at `due_at`, and when the event log has grown beyond
 * `next_sequence`.
 */
export class Webhooks1795478600000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE webhooks (
        tenant_id uuid NOT NULL CONSTRAINT fk_webhooks_tenant REFERENCES tenants (id),
        id uuid NOT NULL,
        url text NOT NULL,
        description text,
        types text[] NOT NULL,
        status text NOT NULL CONSTRAINT ck_webhooks_status CHECK (status IN ('Active', 'Disabled', 'Deleted')),
        disabled_reason text CONSTRAINT ck_webhooks_disabled_reason
          CHECK (disabled_reason IN ('Manual', 'Gone', 'Failing', 'CreatorLostRight')),
        created_by uuid NOT NULL CONSTRAINT fk_webhooks_created_by REFERENCES users (id),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        secret bytea NOT NULL,
        former_secret bytea,
        former_secret_until timestamptz(3),
        position bigint NOT NULL CONSTRAINT ck_webhooks_position CHECK (position >= 0),
        first_failed_at timestamptz(3),
        CONSTRAINT pk_webhooks PRIMARY KEY (tenant_id, id),
        CONSTRAINT ck_webhooks_disabled CHECK ((status = 'Disabled') = (disabled_reason IS NOT NULL)),
        CONSTRAINT ck_webhooks_former_secret CHECK ((former_secret IS NULL) = (former_secret_until IS NULL))
      )`);
    await db.query(`
      CREATE TABLE webhook_deliveries (
        tenant_id uuid NOT NULL CONSTRAINT fk_webhook_deliveries_tenant REFERENCES tenants (id),
        id uuid NOT NULL,
        webhook_id uuid NOT NULL,
        sequence bigint,
        event_id uuid NOT NULL,
        type text NOT NULL,
        status text NOT NULL DEFAULT 'Pending' CONSTRAINT ck_webhook_deliveries_status
          CHECK (status IN ('Pending', 'Delivered', 'Failed')),
        attempts integer NOT NULL DEFAULT 0,
        last_status_code integer,
        last_error text CONSTRAINT ck_webhook_deliveries_last_error CHECK (last_error IN
          ('AddressRefused', 'ConnectionFailed', 'TlsFailed', 'Timeout', 'BadStatus', 'Redirect')),
        last_duration_ms integer,
        last_attempt_at timestamptz(3),
        next_attempt_at timestamptz(3),
        retries integer NOT NULL DEFAULT 0,
        retry_at timestamptz(3),
        not_before timestamptz(3),
        advanced boolean NOT NULL DEFAULT false,
        claim_id uuid,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_webhook_deliveries PRIMARY KEY (tenant_id, id),
        CONSTRAINT uq_webhook_deliveries_event UNIQUE (tenant_id, webhook_id, event_id),
        CONSTRAINT ck_webhook_deliveries_next CHECK ((status = 'Pending') = (next_attempt_at IS NOT NULL))
      )`);
    await db.query(`
      CREATE TABLE webhook_schedules (
        tenant_id uuid NOT NULL CONSTRAINT fk_webhook_schedules_tenant REFERENCES tenants (id),
        due_at timestamptz(3),
        next_sequence bigint,
        CONSTRAINT pk_webhook_schedules PRIMARY KEY (tenant_id)
      )`);
    await db.query(
      'CREATE INDEX ix_webhook_deliveries_created ON webhook_deliveries (tenant_id, webhook_id, created_at, id)',
    );
    await db.query(`
      CREATE INDEX ix_webhook_deliveries_status
        ON webhook_deliveries (tenant_id, webhook_id, status, created_at, id) WHERE status <> 'Delivered'`);
    await db.query(`
      CREATE INDEX ix_webhook_deliveries_due ON webhook_deliveries (tenant_id, webhook_id, next_attempt_at)
        WHERE status = 'Pending'`);
    await db.query(`
      CREATE INDEX ix_webhook_deliveries_claimed ON webhook_deliveries (tenant_id, webhook_id)
        WHERE claim_id IS NOT NULL`);
    await tenantTable(
      db,
      'webhooks',
      `SELECT, INSERT, DELETE, UPDATE (url, description, types, status, disabled_reason, created_by, updated_at, secret,
       former_secret, former_secret_until, position, first_failed_at)`,
    );
    await tenantTable(
      db,
      'webhook_deliveries',
      `SELECT, INSERT, DELETE, UPDATE (status, attempts, last_status_code, last_error, last_duration_ms, last_attempt_at,
       next_attempt_at, retries, retry_at, not_before, advanced, claim_id)`,
    );
    await tenantTable(db, 'webhook_schedules', 'SELECT, INSERT, UPDATE (due_at, next_sequence)');
    await this.createFunctions(db);
    // After the tables are distributed, if the database is.
    await db.query(`
      ALTER TABLE webhook_deliveries ADD CONSTRAINT fk_webhook_deliveries_webhook
        FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks (tenant_id, id)`);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const name of NAMES) await db.query(`DROP FUNCTION ${name}`);
    await db.query('DROP POLICY IF EXISTS due_webhooks ON event_logs');
    await db.query('DROP TABLE webhook_schedules, webhook_deliveries, webhooks');
  }
  private async createFunctions(db: QueryRunner): Promise<void> {
    // In a distributed database, the owner already has a policy for reading every table.
    const isDistributed = (await distributionOf((text, values) => db.query(text, values))) === 'distributed';
    if (!isDistributed) {
      for (const table of TABLES)
        await db.query(`CREATE POLICY due_webhooks ON ${table} FOR SELECT TO CURRENT_USER USING (true)`);
    }
    for (const [signature, rows] of Object.entries(FUNCTIONS)) {
      await db.query(`
        CREATE FUNCTION ${signature} RETURNS SETOF uuid
          LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
        AS $$ BEGIN RETURN QUERY ${rows}; END $$`);
    }
    for (const name of NAMES) {
      await db.query(`REVOKE ALL ON FUNCTION ${name} FROM PUBLIC`);
      await db.query(`GRANT EXECUTE ON FUNCTION ${name} TO filing_service_role`);
    }
  }
}
