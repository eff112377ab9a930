import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { tenantsFunction } from '../tenants-with-work.js';
import { distributionOf } from '../../distribution/distributed-schema.js';

/** Functions by name: the table, and the condition for its rows `t`. */
const FUNCTIONS = {
  tenants_with_expired_access_grants: [
    'access_grants',
    't.revoked_at IS NULL AND t.expired_at IS NULL AND t.expires_at <= before',
  ],
  tenants_with_expired_invitations: ['invitations', `t.status = 'Pending' AND t.expires_at <= before`],
  tenants_with_expired_notifications: ['notifications', 't.created_at <= before'],
  tenants_with_expired_idempotency_keys: ['idempotency_keys', 't.created_at <= before'],
  tenants_with_deleted_documents: ['documents', `t.status = 'Deleted' AND t.deleted_at <= before`],
  tenants_with_processing_documents: ['documents', `t.status = 'Processing'`],
} as const;

/** Tables that their owner has no policy for reading yet. */
const TABLES = ['access_grants', 'invitations', 'notifications', 'idempotency_keys'];

/**
 * Functions that return the tenants for which a background task has work. One statement finds them, instead of one for
 * each tenant. The functions read as the owner of the tables and return only ids of tenants, so row-level security for
 * the service role does not change (docs/adr/0043).
 */
export class TenantsWithWork1795478450000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // In a distributed database, row-level security does not apply to the owner.
    const isDistributed = (await distributionOf((text, values) => db.query(text, values))) === 'distributed';
    if (!isDistributed) {
      for (const table of TABLES)
        await db.query(`CREATE POLICY tenants_with_work ON ${table} FOR SELECT TO CURRENT_USER USING (true)`);
    }
    for (const [name, [table, condition]] of Object.entries(FUNCTIONS))
      await tenantsFunction(db, name, table, condition);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const name of Object.keys(FUNCTIONS)) await db.query(`DROP FUNCTION ${name}`);
    for (const table of TABLES) await db.query(`DROP POLICY IF EXISTS tenants_with_work ON ${table}`);
  }
}
