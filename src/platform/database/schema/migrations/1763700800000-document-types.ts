import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { searchView, tenantTable } from '../tenant-table.js';

/** Document types with their fields, and the searchable values of documents (docs/adr/0015). */
export class DocumentTypes1763700800000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE document_types (
        tenant_id uuid NOT NULL CONSTRAINT fk_document_types_tenant REFERENCES tenants (id),
        id uuid NOT NULL,
        key text NOT NULL,
        name_de text NOT NULL,
        name_en text NOT NULL,
        sort_key text NOT NULL,
        is_active boolean NOT NULL DEFAULT true,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_document_types PRIMARY KEY (tenant_id, id),
        CONSTRAINT uq_document_types_tenant_key UNIQUE (tenant_id, key)
      )`);
    await db.query(
      'CREATE INDEX ix_document_types_sort ON document_types (tenant_id, sort_key COLLATE "und-x-icu", id)',
    );
    await db.query(`
      CREATE TABLE document_type_fields (
        tenant_id uuid NOT NULL CONSTRAINT fk_document_type_fields_tenant REFERENCES tenants (id),
        id uuid NOT NULL,
        document_type_id uuid NOT NULL,
        key text NOT NULL,
        position integer NOT NULL,
        type text NOT NULL CONSTRAINT ck_document_type_fields_type
          CHECK (type IN ('Text', 'Number', 'Date', 'Money', 'Enumeration', 'Reference')),
        is_required boolean NOT NULL,
        label_de text NOT NULL,
        label_en text NOT NULL,
        options jsonb,
        reference_target text CONSTRAINT ck_document_type_fields_reference_target
          CHECK (reference_target IN ('File', 'Document', 'User')),
        is_removed boolean NOT NULL DEFAULT false,
        CONSTRAINT pk_document_type_fields PRIMARY KEY (tenant_id, id),
        CONSTRAINT uq_document_type_fields_key UNIQUE (tenant_id, document_type_id, key),
        CONSTRAINT fk_document_type_fields_document_type
          FOREIGN KEY (tenant_id, document_type_id) REFERENCES document_types (tenant_id, id),
        CONSTRAINT ck_document_type_fields_enumeration CHECK ((type = 'Enumeration') = (options IS NOT NULL)),
        CONSTRAINT ck_document_type_fields_reference CHECK ((type = 'Reference') = (reference_target IS NOT NULL))
      )`);
    await db.query('CREATE INDEX ix_document_type_fields_key ON document_type_fields (tenant_id, key)');
    await db.query(
      `CREATE INDEX ix_document_type_fields_removed ON document_type_fields (tenant_id, document_type_id) INCLUDE (key)
        WHERE is_removed`,
    );
    await db.query(`
      ALTER TABLE documents ADD CONSTRAINT fk_documents_type
        FOREIGN KEY (tenant_id, document_type_id) REFERENCES document_types (tenant_id, id)`);
    await db.query(
      'CREATE INDEX ix_documents_type ON documents (tenant_id, document_type_id, created_at, id)',
    );
    await db.query(`
      CREATE TABLE document_values (
        tenant_id uuid NOT NULL CONSTRAINT fk_document_values_tenant REFERENCES tenants (id),
        document_id uuid NOT NULL,
        field_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL,
        text_key text,
        number_value numeric,
        currency text,
        date_value date,
        option_key text,
        reference_id uuid,
        CONSTRAINT pk_document_values PRIMARY KEY (tenant_id, document_id, field_id),
        CONSTRAINT fk_document_values_document FOREIGN KEY (tenant_id, document_id)
          REFERENCES documents (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_document_values_field FOREIGN KEY (tenant_id, field_id)
          REFERENCES document_type_fields (tenant_id, id),
        CONSTRAINT ck_document_values_one CHECK (
          num_nonnulls(text_key, number_value, date_value, option_key, reference_id) = 1
          AND (currency IS NULL OR number_value IS NOT NULL)
        )
      )`);
    // Each index starts with the columns that values of its type are searched by, followed by the sort order of lists.
    const led = (name: string, by: string, column: string) =>
      db.query(
        `CREATE INDEX ix_document_values_${name} ON document_values (tenant_id, field_id, ${by}, created_at, document_id)
          WHERE ${column} IS NOT NULL`,
      );
    await led('number', 'number_value', 'number_value');
    await led('date', 'date_value', 'date_value');
    await led('option', 'option_key', 'option_key');
    await led('reference', 'reference_id', 'reference_id');
    // An index entry can have at most 2,704 bytes, which a text can exceed.
    await led('text', 'left(text_key, 64)', 'text_key');
    await db.query(
      `CREATE INDEX ix_document_values_contains ON document_values USING gin (tenant_id, field_id, text_key gin_trgm_ops)
        WHERE text_key IS NOT NULL`,
    );
    for (const table of ['document_types', 'document_type_fields'])
      await tenantTable(db, table, 'SELECT, INSERT, UPDATE');
    await tenantTable(db, 'document_values', 'SELECT, INSERT, UPDATE, DELETE');
    await searchView(db, 'document_values');
    await searchView(db, 'documents');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP VIEW documents_search, document_values_search');
    await db.query('DROP POLICY search_view ON documents');
    await db.query('DROP TABLE document_values');
    await db.query('DROP INDEX ix_documents_type');
    await db.query('ALTER TABLE documents DROP CONSTRAINT fk_documents_type');
    await db.query('DROP TABLE document_type_fields, document_types');
  }
}
