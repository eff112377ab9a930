import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { type Query, distributionOf } from '../../distribution/distributed-schema.js';
import { TENANT_CONDITION, TENANT_CONDITION_ONCE, alterTenantPolicies } from '../tenant-table.js';

/** The policies of tenant tables evaluate the setting of the tenant once for each statement. Not with Citus. */
export class TenantConditionOnce1795920000000 implements MigrationInterface {
  up(db: QueryRunner): Promise<void> {
    return alter(db, TENANT_CONDITION_ONCE);
  }

  down(db: QueryRunner): Promise<void> {
    return alter(db, TENANT_CONDITION);
  }
}

async function alter(db: QueryRunner, condition: string): Promise<void> {
  const query: Query = (text, values) => db.query(text, values);
  if ((await distributionOf(query)) === 'none') await alterTenantPolicies(query, condition);
}
