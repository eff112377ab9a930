import { Column, Entity } from 'typeorm';
import { IdentifiedRow } from '../../platform/database/tenant-row.js';
import { type ProcessingFailure } from '../../common/vocabulary/processing-failures.js';

export const DOCUMENT_STATUSES = ['Processing', 'Active', 'Archived', 'Deleted'] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** What became of the text of a content: not read yet, searchable, there is none, or reading failed. */
export const CONTENT_TEXTS = ['Pending', 'Available', 'None', 'Failed'] as const;
export type ContentText = (typeof CONTENT_TEXTS)[number];

/** Values of a document by field key, in the form that is stored and returned; see DocumentValues. */
export type FieldValues = Record<string, unknown>;

@Entity('documents')
export class DocumentEntity extends IdentifiedRow {
  @Column('text')
  title!: string;

  @Column({ type: 'uuid', name: 'document_type_id', nullable: true })
  documentTypeId!: string | null;

  @Column('text')
  status!: DocumentStatus;

  /** Status before deletion, which restoring sets again; null if the document is not in the bin. */
  @Column({ type: 'text', name: 'status_before_deletion', nullable: true })
  statusBeforeDeletion!: DocumentStatus | null;

  @Column({ type: 'boolean', name: 'is_confidential' })
  isConfidential!: boolean;

  @Column('jsonb')
  fields!: FieldValues;

  /** Size of `fields` as JSON in bytes, including values of removed fields. Set by the database. */
  @Column({ type: 'integer', name: 'fields_size' })
  fieldsSize!: number;

  /**
   * Lower-case hexadecimal; refers to a row of `contents`. All content columns are null if the document has
   * no content.
   */
  @Column({ type: 'text', name: 'content_sha256', nullable: true })
  contentSha256!: string | null;

  /** As uploaded, without a folder path; null also if the client sent no name. */
  @Column({ type: 'text', name: 'content_file_name', nullable: true })
  contentFileName!: string | null;

  @Column({ type: 'text', name: 'content_media_type', nullable: true })
  contentMediaType!: string | null;

  /** In bytes. */
  @Column({ type: 'bigint', name: 'content_size', nullable: true })
  contentSize!: number | null;

  @Column({ type: 'integer', name: 'content_page_count', nullable: true })
  contentPageCount!: number | null;

  /** Null without content. */
  @Column({ type: 'text', name: 'content_text', nullable: true })
  contentText!: ContentText | null;

  /** Set if `contentText` is Failed. */
  @Column({ type: 'text', name: 'content_failure', nullable: true })
  contentFailure!: ProcessingFailure | null;

  /** Number of the newest version, whose properties this row repeats. */
  @Column({ type: 'integer', name: 'content_version', nullable: true })
  contentVersion!: number | null;

  @Column({ type: 'uuid', name: 'created_by' })
  createdBy!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: string;

  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, nullable: true })
  deletedAt!: string | null;
}
