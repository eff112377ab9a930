import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { tenantTable } from '../tenant-table.js';

/** Users, tenants with their slugs, roles, members, access grants. */
export class Tenancy1763700000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    await db.query('CREATE EXTENSION IF NOT EXISTS btree_gin');

    // Tables without a tenant.
    await db.query(`
      CREATE TABLE users (
        id uuid CONSTRAINT pk_users PRIMARY KEY,
        issuer text NOT NULL,
        subject text NOT NULL,
        email text,
        email_key text,
        email_verified boolean NOT NULL DEFAULT false,
        display_name text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT uq_users_issuer_subject UNIQUE (issuer, subject)
      )`);
    await db.query(`
      CREATE TABLE tenants (
        id uuid CONSTRAINT pk_tenants PRIMARY KEY,
        name text NOT NULL,
        access_version bigint NOT NULL DEFAULT 1,
        rate_limit_per_minute integer CONSTRAINT ck_tenants_rate_limit_per_minute CHECK (rate_limit_per_minute > 0),
        rate_limit_burst integer CONSTRAINT ck_tenants_rate_limit_burst CHECK (rate_limit_burst > 0),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    // Current and former slugs share one primary key, so a slug can belong to only one tenant.
    await db.query(`
      CREATE TABLE tenant_slugs (
        slug text CONSTRAINT pk_tenant_slugs PRIMARY KEY,
        tenant_id uuid NOT NULL CONSTRAINT fk_tenant_slugs_tenant REFERENCES tenants (id) ON DELETE CASCADE,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3)
      )`);
    await db.query(
      'CREATE UNIQUE INDEX uq_tenant_slugs_current ON tenant_slugs (tenant_id) WHERE expires_at IS NULL',
    );
    await db.query('CREATE INDEX ix_tenant_slugs_tenant ON tenant_slugs (tenant_id, expires_at)');
    await db.query(`
      CREATE TABLE service_secrets (
        name text CONSTRAINT pk_service_secrets PRIMARY KEY,
        value bytea NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);

    await db.query(`
      CREATE TABLE roles (
        tenant_id uuid NOT NULL CONSTRAINT fk_roles_tenant REFERENCES tenants (id),
        id uuid NOT NULL,
        key text,
        name text NOT NULL,
        name_key text NOT NULL,
        permissions text[] NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_roles PRIMARY KEY (tenant_id, id),
        CONSTRAINT uq_roles_tenant_name UNIQUE (tenant_id, name_key),
        CONSTRAINT uq_roles_tenant_key UNIQUE (tenant_id, key)
      )`);
    await db.query(`
      CREATE TABLE members (
        tenant_id uuid NOT NULL CONSTRAINT fk_members_tenant REFERENCES tenants (id),
        user_id uuid NOT NULL CONSTRAINT fk_members_user REFERENCES users (id),
        role_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_members PRIMARY KEY (tenant_id, user_id),
        CONSTRAINT fk_members_role FOREIGN KEY (tenant_id, role_id) REFERENCES roles (tenant_id, id)
      )`);
    await db.query('CREATE INDEX ix_members_role ON members (tenant_id, role_id)');
    // They become members at their first request with a token that has the verified address.
    await db.query(`
      CREATE TABLE expected_members (
        tenant_id uuid NOT NULL CONSTRAINT fk_expected_members_tenant REFERENCES tenants (id),
        email_key text NOT NULL,
        email text NOT NULL,
        role_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_expected_members PRIMARY KEY (tenant_id, email_key),
        CONSTRAINT fk_expected_members_role FOREIGN KEY (tenant_id, role_id) REFERENCES roles (tenant_id, id)
      )`);
    await db.query(`
      CREATE TABLE access_grants (
        tenant_id uuid NOT NULL CONSTRAINT fk_access_grants_tenant REFERENCES tenants (id),
        id uuid NOT NULL,
        subject_type text NOT NULL CONSTRAINT ck_access_grants_subject_type CHECK (subject_type IN ('User', 'Role')),
        subject_id uuid NOT NULL,
        target_type text NOT NULL CONSTRAINT ck_access_grants_target_type CHECK (target_type IN ('File', 'FileType')),
        target_id uuid NOT NULL,
        level text NOT NULL CONSTRAINT ck_access_grants_level CHECK (level IN ('Read', 'Write')),
        reason text,
        expires_at timestamptz(3),
        created_by uuid NOT NULL CONSTRAINT fk_access_grants_created_by REFERENCES users (id),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        revoked_at timestamptz(3),
        CONSTRAINT pk_access_grants PRIMARY KEY (tenant_id, id)
      )`);
    await db.query(`
      CREATE INDEX ix_access_grants_live ON access_grants (tenant_id, subject_id, target_type, target_id)
        INCLUDE (level, expires_at, subject_type) WHERE revoked_at IS NULL`);
    await db.query('CREATE INDEX ix_access_grants_created ON access_grants (tenant_id, created_at, id)');

    await db.query('GRANT SELECT, INSERT, UPDATE ON users TO filing_service_role');
    await db.query('GRANT SELECT, UPDATE ON tenants TO filing_service_role');
    await db.query('GRANT SELECT, INSERT, UPDATE, DELETE ON tenant_slugs TO filing_service_role');
    await db.query('GRANT SELECT ON service_secrets TO filing_service_role');
    await tenantTable(db, 'roles', 'SELECT, INSERT, UPDATE, DELETE');
    await tenantTable(db, 'members', 'SELECT, INSERT, UPDATE, DELETE');
    await tenantTable(db, 'expected_members', 'SELECT, INSERT, DELETE');
    await tenantTable(db, 'access_grants', 'SELECT, INSERT, UPDATE');
    await this.guardTenants(db);

    await db.query(`
      INSERT INTO service_secrets (name, value)
      VALUES ('cursor', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'))`);
  }

  /** Every transaction can read all tenants. Only a transaction of the tenant can change it or its slugs. */
  private async guardTenants(db: QueryRunner): Promise<void> {
    const own = (column: string) => `${column} = nullif(current_setting('app.tenant_id', true), '')::uuid`;
    for (const [table, column] of [
      ['tenants', 'id'],
      ['tenant_slugs', 'tenant_id'],
    ] as const) {
      await db.query(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
      await db.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
      await db.query(`CREATE POLICY read_all ON ${table} FOR SELECT USING (true)`);
      await db.query(`CREATE POLICY tenant_insert ON ${table} FOR INSERT WITH CHECK (${own(column)})`);
    }
    await db.query(`CREATE POLICY tenant_update ON tenants FOR UPDATE USING (${own('id')})`);
    // Any tenant can take over an expired slug.
    const takeable = `${own('tenant_id')} OR expires_at <= now()`;
    await db.query(
      `CREATE POLICY tenant_update ON tenant_slugs FOR UPDATE USING (${takeable}) WITH CHECK (${own('tenant_id')})`,
    );
    await db.query(`CREATE POLICY tenant_delete ON tenant_slugs FOR DELETE USING (${takeable})`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(
      'DROP TABLE access_grants, expected_members, members, roles, service_secrets, tenant_slugs, tenants, users',
    );
  }
}
