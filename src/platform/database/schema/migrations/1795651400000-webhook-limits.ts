import { type MigrationInterface, type QueryRunner } from 'typeorm';

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
    await replaceFunction(db, 'w.counted_deliveries >= 50000', 'greatest(before, w.kept_since)');
  }

  async down(db: QueryRunner): Promise<void> {
    await replaceFunction(db, 'false', 'before');
    await db.query(
      'ALTER TABLE webhooks DROP COLUMN kept_since, DROP COLUMN counted_since, DROP COLUMN counted_deliveries',
    );
    await db.query('ALTER TABLE webhook_schedules DROP COLUMN next_claim_at');
  }
}

/**
 * @param isFull whether the webhook `w` has a full generation of deliveries
 * @param before the time before which its ended deliveries are deleted
 */
async function replaceFunction(db: QueryRunner, isFull: string, before: string): Promise<void> {
  await db.query(`
    CREATE OR REPLACE FUNCTION tenants_with_expired_webhook_deliveries (before timestamptz) RETURNS SETOF uuid
      LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS $$ BEGIN RETURN QUERY
      SELECT DISTINCT w.tenant_id FROM webhooks w
       WHERE w.status = 'Deleted' OR ${isFull} OR EXISTS (
         SELECT FROM webhook_deliveries d
          WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.id AND d.created_at <= ${before}
            AND d.status <> 'Pending');
    END $$`);
}
