import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { tenantTable } from '../tenant-table.js';

/**
 * Saved views. A foreign key to the membership locks it until the commit of a new view. Ending the membership waits,
 * and then finds all views.
 */
export class SavedViews1763701100000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE saved_views (
        tenant_id uuid NOT NULL CONSTRAINT fk_saved_views_tenant REFERENCES tenants (id),
        id uuid NOT NULL,
        owner_id uuid NOT NULL,
        name text NOT NULL,
        name_key text NOT NULL,
        filter jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_saved_views PRIMARY KEY (tenant_id, id),
        CONSTRAINT uq_saved_views_owner_name UNIQUE (tenant_id, owner_id, name_key),
        CONSTRAINT fk_saved_views_owner FOREIGN KEY (tenant_id, owner_id) REFERENCES members (tenant_id, user_id)
      )`);
    await tenantTable(db, 'saved_views', 'SELECT, INSERT, UPDATE, DELETE');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE saved_views');
  }
}
