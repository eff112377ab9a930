import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { searchView } from '../tenant-table.js';

/**
 * Columns and indexes for document search (docs/adr/0016). The tables that documents are found by (values, tags,
 * files) get a copy of the document's `created_at`, so that their indexes return documents in the order of lists.
 * Foreign keys keep the copies equal, and show the planner that the two columns are one key.
 */
export class DocumentSearch1763701000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(
      'ALTER TABLE documents ADD CONSTRAINT uq_documents_created UNIQUE (tenant_id, created_at, id)',
    );
    await db.query('DROP INDEX ix_documents_created');
    await db.query('CREATE INDEX ix_documents_status ON documents (tenant_id, status, created_at, id)');

    await this.addCopies(db);
    for (const table of ['document_values', 'document_tags', 'document_files']) {
      await db.query(`
        ALTER TABLE ${table} DROP CONSTRAINT fk_${table}_document,
          ADD CONSTRAINT fk_${table}_document FOREIGN KEY (tenant_id, document_id, created_at)
            REFERENCES documents (tenant_id, id, created_at) ON DELETE CASCADE`);
    }
    // A grant on a file type covers the documents in its files, so the copy must always be the type of the file.
    await db.query(
      'ALTER TABLE files ADD CONSTRAINT uq_files_file_type UNIQUE (tenant_id, id, file_type_id)',
    );
    await db.query(`
      ALTER TABLE document_files DROP CONSTRAINT fk_document_files_file,
        ADD CONSTRAINT fk_document_files_file FOREIGN KEY (tenant_id, file_id, file_type_id)
          REFERENCES files (tenant_id, id, file_type_id)`);

    await db.query('DROP INDEX ix_document_tags_tag');
    await db.query(
      'CREATE INDEX ix_document_tags_tag ON document_tags (tenant_id, tag_id, created_at, document_id)',
    );
    await db.query(
      'CREATE INDEX ix_document_files_created ON document_files (tenant_id, file_id, created_at, document_id)',
    );
    await db.query(
      'CREATE INDEX ix_document_files_file_type ON document_files (tenant_id, file_type_id, created_at, document_id)',
    );
    await db.query(
      'CREATE INDEX ix_document_values_field ON document_values (tenant_id, field_id, created_at, document_id)',
    );
    await db.query('DROP INDEX ix_document_values_number');
    await db.query(`
      CREATE INDEX ix_document_values_number
        ON document_values (tenant_id, field_id, number_value, created_at, document_id) INCLUDE (currency)
        WHERE number_value IS NOT NULL`);
    // A field, a tag or a file belongs to one tenant. Without these statistics, the planner multiplies their
    // selectivities.
    for (const [table, column] of [
      ['document_values', 'field_id'],
      ['document_tags', 'tag_id'],
      ['document_files', 'file_id'],
      ['documents', 'document_type_id'],
    ] as const) {
      await db.query(
        `CREATE STATISTICS st_${table}_${column} (dependencies) ON tenant_id, ${column} FROM ${table}`,
      );
    }
    await searchView(db, 'document_tags');
    await searchView(db, 'document_files');
  }

  private async addCopies(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE document_tags ADD COLUMN created_at timestamptz(3)');
    await db.query(
      'ALTER TABLE document_files ADD COLUMN created_at timestamptz(3), ADD COLUMN file_type_id uuid',
    );
    // To update the rows of all tenants. Row level security is forced again below.
    const tables = ['documents', 'files', 'document_tags', 'document_files'];
    for (const table of tables) await db.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
    await db.query(`
      UPDATE document_tags t SET created_at = d.created_at
        FROM documents d WHERE d.tenant_id = t.tenant_id AND d.id = t.document_id`);
    await db.query(`
      UPDATE document_files df SET created_at = d.created_at, file_type_id = f.file_type_id
        FROM documents d, files f
       WHERE d.tenant_id = df.tenant_id AND d.id = df.document_id
         AND f.tenant_id = df.tenant_id AND f.id = df.file_id`);
    for (const table of tables) await db.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
    await db.query('ALTER TABLE document_tags ALTER COLUMN created_at SET NOT NULL');
    await db.query(
      'ALTER TABLE document_files ALTER COLUMN created_at SET NOT NULL, ALTER COLUMN file_type_id SET NOT NULL',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP VIEW document_files_search, document_tags_search');
    await db.query('DROP POLICY search_view ON document_files');
    await db.query('DROP POLICY search_view ON document_tags');
    await db.query(
      `DROP STATISTICS st_document_values_field_id, st_document_tags_tag_id, st_document_files_file_id,
         st_documents_document_type_id`,
    );
    await db.query('DROP INDEX ix_document_values_number, ix_document_values_field');
    await db.query(`
      CREATE INDEX ix_document_values_number
        ON document_values (tenant_id, field_id, number_value, created_at, document_id)
        WHERE number_value IS NOT NULL`);
    for (const table of ['document_values', 'document_tags', 'document_files']) {
      await db.query(`
        ALTER TABLE ${table} DROP CONSTRAINT fk_${table}_document,
          ADD CONSTRAINT fk_${table}_document FOREIGN KEY (tenant_id, document_id)
            REFERENCES documents (tenant_id, id) ON DELETE CASCADE`);
    }
    await db.query(`
      ALTER TABLE document_files DROP CONSTRAINT fk_document_files_file, DROP COLUMN created_at,
        DROP COLUMN file_type_id,
        ADD CONSTRAINT fk_document_files_file FOREIGN KEY (tenant_id, file_id) REFERENCES files (tenant_id, id)`);
    await db.query('ALTER TABLE files DROP CONSTRAINT uq_files_file_type');
    await db.query('ALTER TABLE document_tags DROP COLUMN created_at');
    await db.query('CREATE INDEX ix_document_tags_tag ON document_tags (tenant_id, tag_id, document_id)');
    await db.query('DROP INDEX ix_documents_status');
    await db.query('CREATE INDEX ix_documents_created ON documents (tenant_id, created_at, id)');
    await db.query('ALTER TABLE documents DROP CONSTRAINT uq_documents_created');
  }
}
