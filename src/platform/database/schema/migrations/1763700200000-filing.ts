import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { searchView, tenantTable } from '../tenant-table.js';

/** File types, files, tags, documents with their content, and the links between them. */
export class Filing1763700200000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE file_types (
        tenant_id uuid NOT NULL CONSTRAINT fk_file_types_tenant REFERENCES tenants (id),
        id uuid NOT NULL,
        key text NOT NULL,
        name_de text NOT NULL,
        name_en text NOT NULL,
        sort_key text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_file_types PRIMARY KEY (tenant_id, id),
        CONSTRAINT uq_file_types_tenant_key UNIQUE (tenant_id, key)
      )`);
    await db.query(
      'CREATE INDEX ix_file_types_sort ON file_types (tenant_id, sort_key COLLATE "und-x-icu", id)',
    );
    await db.query(`
      CREATE TABLE files (
        tenant_id uuid NOT NULL CONSTRAINT fk_files_tenant REFERENCES tenants (id),
        id uuid NOT NULL,
        file_type_id uuid NOT NULL,
        number text NOT NULL,
        number_key text NOT NULL,
        name text NOT NULL,
        status text NOT NULL DEFAULT 'Open' CONSTRAINT ck_files_status CHECK (status IN ('Open', 'Closed')),
        search_text text NOT NULL,
        search_starts text[] NOT NULL,
        created_by uuid NOT NULL CONSTRAINT fk_files_created_by REFERENCES users (id),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        closed_at timestamptz(3),
        CONSTRAINT pk_files PRIMARY KEY (tenant_id, id),
        CONSTRAINT uq_files_tenant_number UNIQUE (tenant_id, number_key),
        CONSTRAINT fk_files_file_type FOREIGN KEY (tenant_id, file_type_id) REFERENCES file_types (tenant_id, id),
        CONSTRAINT ck_files_closed_at CHECK ((status = 'Closed') = (closed_at IS NOT NULL))
      )`);
    await db.query('CREATE INDEX ix_files_created ON files (tenant_id, created_at, id)');
    await db.query('CREATE INDEX ix_files_file_type ON files (tenant_id, file_type_id, created_at, id)');
    await db.query('CREATE INDEX ix_files_status ON files (tenant_id, status, created_at, id)');
    await db.query(
      'CREATE INDEX ix_files_search_text ON files USING gin (tenant_id, search_text gin_trgm_ops)',
    );
    await db.query('CREATE INDEX ix_files_search_starts ON files USING gin (tenant_id, search_starts)');
    await db.query(`
      CREATE TABLE tags (
        tenant_id uuid NOT NULL CONSTRAINT fk_tags_tenant REFERENCES tenants (id),
        id uuid NOT NULL,
        name text NOT NULL,
        name_key text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_tags PRIMARY KEY (tenant_id, id),
        CONSTRAINT uq_tags_tenant_name UNIQUE (tenant_id, name_key)
      )`);
    await db.query('CREATE INDEX ix_tags_name ON tags (tenant_id, name_key COLLATE "und-x-icu", id)');
    await db.query(`
      CREATE TABLE contents (
        tenant_id uuid NOT NULL CONSTRAINT fk_contents_tenant REFERENCES tenants (id),
        sha256 text NOT NULL CONSTRAINT ck_contents_sha256 CHECK (sha256 ~ '^[0-9a-f]{64}$'),
        size bigint NOT NULL CONSTRAINT ck_contents_size CHECK (size >= 0),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        linked_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_contents PRIMARY KEY (tenant_id, sha256)
      )`);
    await db.query(`
      CREATE TABLE documents (
        tenant_id uuid NOT NULL CONSTRAINT fk_documents_tenant REFERENCES tenants (id),
        id uuid NOT NULL,
        title text NOT NULL,
        document_type_id uuid,
        status text NOT NULL
          CONSTRAINT ck_documents_status CHECK (status IN ('Processing', 'Active', 'Archived', 'Deleted')),
        status_before_deletion text,
        is_confidential boolean NOT NULL DEFAULT false,
        fields jsonb NOT NULL DEFAULT '{}',
        content_sha256 text,
        content_file_name text,
        content_media_type text,
        content_size bigint,
        content_page_count integer,
        created_by uuid NOT NULL CONSTRAINT fk_documents_created_by REFERENCES users (id),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        deleted_at timestamptz(3),
        CONSTRAINT pk_documents PRIMARY KEY (tenant_id, id),
        CONSTRAINT fk_documents_content FOREIGN KEY (tenant_id, content_sha256) REFERENCES contents (tenant_id, sha256),
        CONSTRAINT ck_documents_deleted CHECK (
          (status = 'Deleted') = (deleted_at IS NOT NULL) AND (status = 'Deleted') = (status_before_deletion IS NOT NULL)
        ),
        CONSTRAINT ck_documents_content CHECK ((content_sha256 IS NULL) = (content_media_type IS NULL))
      )`);
    await db.query('CREATE INDEX ix_documents_created ON documents (tenant_id, created_at, id)');
    await db.query(
      'CREATE INDEX ix_documents_created_by ON documents (tenant_id, created_by, created_at, id)',
    );
    await db.query(
      'CREATE INDEX ix_documents_content ON documents (tenant_id, content_sha256) WHERE content_sha256 IS NOT NULL',
    );
    await db.query(`
      CREATE TABLE document_files (
        tenant_id uuid NOT NULL CONSTRAINT fk_document_files_tenant REFERENCES tenants (id),
        document_id uuid NOT NULL,
        file_id uuid NOT NULL,
        filed_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_document_files PRIMARY KEY (tenant_id, document_id, file_id),
        CONSTRAINT fk_document_files_document FOREIGN KEY (tenant_id, document_id)
          REFERENCES documents (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_document_files_file FOREIGN KEY (tenant_id, file_id) REFERENCES files (tenant_id, id)
      )`);
    await db.query(
      'CREATE INDEX ix_document_files_file ON document_files (tenant_id, file_id, filed_at, document_id)',
    );
    await db.query(`
      CREATE TABLE document_tags (
        tenant_id uuid NOT NULL CONSTRAINT fk_document_tags_tenant REFERENCES tenants (id),
        document_id uuid NOT NULL,
        tag_id uuid NOT NULL,
        CONSTRAINT pk_document_tags PRIMARY KEY (tenant_id, document_id, tag_id),
        CONSTRAINT fk_document_tags_document FOREIGN KEY (tenant_id, document_id)
          REFERENCES documents (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_document_tags_tag FOREIGN KEY (tenant_id, tag_id)
          REFERENCES tags (tenant_id, id) ON DELETE CASCADE
      )`);
    await db.query('CREATE INDEX ix_document_tags_tag ON document_tags (tenant_id, tag_id, document_id)');
    await db.query(`
      CREATE TABLE document_confidential_users (
        tenant_id uuid NOT NULL CONSTRAINT fk_document_confidential_users_tenant REFERENCES tenants (id),
        document_id uuid NOT NULL,
        user_id uuid NOT NULL CONSTRAINT fk_document_confidential_users_user REFERENCES users (id),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_document_confidential_users PRIMARY KEY (tenant_id, document_id, user_id),
        CONSTRAINT fk_document_confidential_users_document FOREIGN KEY (tenant_id, document_id)
          REFERENCES documents (tenant_id, id) ON DELETE CASCADE
      )`);
    await db.query(
      'CREATE INDEX ix_document_confidential_users_user ON document_confidential_users (tenant_id, user_id, document_id)',
    );

    for (const table of [
      'file_types',
      'files',
      'tags',
      'contents',
      'documents',
      'document_files',
      'document_tags',
      'document_confidential_users',
    ]) {
      await tenantTable(db, table, 'SELECT, INSERT, UPDATE, DELETE');
    }
    await searchView(db, 'files');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP VIEW files_search');
    await db.query(
      `DROP TABLE document_confidential_users, document_tags, document_files, documents, contents, tags, files,
        file_types`,
    );
  }
}
