import { Column, Entity, PrimaryColumn } from 'typeorm';
import { IdentifiedRow, TenantRow } from '../../platform/database/tenant-row.js';
import { type ExportFailure } from '../../common/vocabulary/exports.js';
import { type DocumentScope } from '../documents/documents.reader.js';

export const EXPORT_STATUSES = ['Pending', 'Running', 'Ready', 'Failed', 'Expired'] as const;

export type ExportStatus = (typeof EXPORT_STATUSES)[number];

@Entity('exports')
export class ExportEntity extends IdentifiedRow {
  @Column('text')
  name!: string;

  @Column('jsonb')
  scope!: DocumentScope;

  @Column('text')
  status!: ExportStatus;

  /** As counted at the creation; after the export has run, those in the package. */
  @Column({ type: 'integer', name: 'document_count' })
  documentCount!: number;

  @Column({ type: 'integer', name: 'documents_done' })
  documentsDone!: number;

  @Column({ type: 'boolean', name: 'has_audit_entries' })
  hasAuditEntries!: boolean;

  /** The attempt that packs the export; only for the status `Running`. Other attempts must not change it. */
  @Column({ type: 'uuid', name: 'run_id', nullable: true })
  runId!: string | null;

  /** Lower-case hexadecimal; refers to a row of `contents`. */
  @Column({ type: 'text', name: 'content_sha256', nullable: true })
  contentSha256!: string | null;

  /** In bytes. */
  @Column('bigint', { nullable: true })
  size!: number | null;

  @Column('text', { nullable: true })
  failure!: ExportFailure | null;

  @Column({ type: 'uuid', name: 'created_by' })
  createdById!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt!: string | null;
}

/** A file or a document in the package of an export. */
@Entity('export_items')
export class ExportItemEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'export_id' })
  exportId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'item_id' })
  itemId!: string;

  @Column({ type: 'boolean', name: 'is_file' })
  isFile!: boolean;
}
