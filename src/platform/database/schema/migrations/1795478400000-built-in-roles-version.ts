import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The release whose permissions the built-in roles of a tenant have (schema/built-in-roles.ts), so that a start only
 * updates the tenants of other releases. Null for tenants that were created by earlier releases.
 */
export class BuiltInRolesVersion1795478400000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE tenants ADD COLUMN built_in_roles text');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE tenants DROP COLUMN built_in_roles');
  }
}
