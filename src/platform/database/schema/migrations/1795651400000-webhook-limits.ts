import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Ended deliveries of the webhook `w` that are older than `before`, or that many newer deliveries have followed. */
const EXPIRED = 'd.created_at <= greatest(before, w.kept_since)';
const OLD_EXPIRED = 'd.created_at <= before';

/**
 * Limits of webhooks (docs/adr/0047): `next_claim_at` for the rate of a tenant's deliveries, and the counter of a webhook
 * that limits how many of its deliveries are kept.
 */
export class WebhookLimits1795651400000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE webhook_schedules ADD COLUMN next_claim_at timestamptz(3)');
    await db.query('GRANT UPDATE (next_claim_at) ON webhook_schedules TO filing_service_role');
    await db.query(
      `ALTER TABLE webhooks ADD COLUMN counted_deliveries integer NOT NULL DEFAULT 0,
         ADD COLUMN counted_since timestamptz(3), ADD COLUMN kept_since timestamptz(3)`,
    );
    await db.query(
      'GRANT UPDATE (counted_deliveries, counted_since, kept_since) ON webhooks TO filing_service_role',
    );
    await replaceFunction(db, EXPIRED);
  }

  async down(db: QueryRunner): Promise<void> {
    await replaceFunction(db, OLD_EXPIRED);
    await db.query(
      'ALTER TABLE webhooks DROP COLUMN kept_since, DROP COLUMN counted_since, DROP COLUMN counted_deliveries',
    );
    await db.query('ALTER TABLE webhook_schedules DROP COLUMN next_claim_at');
  }
}

async function replaceFunction(db: QueryRunner, expired: string): Promise<void> {
  await db.query(`
    CREATE OR REPLACE FUNCTION tenants_with_expired_webhook_deliveries (before timestamptz) RETURNS SETOF uuid
      LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS $$ BEGIN RETURN QUERY
      SELECT DISTINCT w.tenant_id FROM webhooks w
       WHERE w.status = 'Deleted' OR EXISTS (
         SELECT FROM webhook_deliveries d
          WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.id AND ${expired} AND d.status <> 'Pending');
    END $$`);
}
