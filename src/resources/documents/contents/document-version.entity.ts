import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row.js';

/**
 * A current or former content of a document. The document row repeats the properties of the newest version
 * (docs/adr/0020).
 */
@Entity('document_versions')
export class DocumentVersionEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'document_id' })
  documentId!: string;

  /** From 1, without gaps. */
  @PrimaryColumn('integer')
  number!: number;

  /** Lower-case hexadecimal; refers to a row of `contents`. */
  @Column({ type: 'text', name: 'content_sha256' })
  contentSha256!: string;

  /** As uploaded, without a folder path. */
  @Column({ type: 'text', name: 'file_name', nullable: true })
  fileName!: string | null;

  /** Media type that the uploader sent. Each processing run starts from it. */
  @Column({ type: 'text', name: 'claimed_media_type' })
  claimedMediaType!: string;

  /** Detected media type; until the content has been processed, the claimed one. */
  @Column({ type: 'text', name: 'media_type' })
  mediaType!: string;

  /** In bytes. */
  @Column('bigint')
  size!: number;

  @Column({ type: 'integer', name: 'page_count', nullable: true })
  pageCount!: number | null;

  /** In pixels; both are set or none. */
  @Column({ type: 'integer', name: 'image_width', nullable: true })
  imageWidth!: number | null;

  @Column({ type: 'integer', name: 'image_height', nullable: true })
  imageHeight!: number | null;

  /** Number of words in the extracted text; null if unknown or not processed yet. */
  @Column({ type: 'integer', name: 'word_count', nullable: true })
  wordCount!: number | null;

  /** Pages whose text is from character recognition (OCR), from 1; a text without pages is page 1. */
  @Column({ type: 'integer', array: true, name: 'recognised_pages' })
  recognisedPages!: readonly number[];

  /** Why the text could not be read; null otherwise. */
  @Column('text', { nullable: true })
  failure!: string | null;

  /** Number of the version that was restored to create this one; null otherwise. */
  @Column({ type: 'integer', name: 'restored_from', nullable: true })
  restoredFrom!: number | null;

  @Column({ type: 'uuid', name: 'created_by' })
  createdBy!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;
}
