import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A content that a document has had, or has: the newest version. What stands here of the newest stands in the
 * document's own row, too (docs/adr/0020).
 */
@Entity('document_versions')
export class DocumentVersionEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'document_id' })
  documentId!: string;

  /** From 1, without gaps. */
  @PrimaryColumn('integer')
  number!: number;

  /** Lower-case hexadecimal; names a row of `contents`. */
  @Column({ type: 'text', name: 'content_sha256' })
  contentSha256!: string;

  /** As uploaded, without folders. */
  @Column({ type: 'text', name: 'file_name', nullable: true })
  fileName!: string | null;

  /** What the uploader said it was; processing starts from it, however often it runs. */
  @Column({ type: 'text', name: 'claimed_media_type' })
  claimedMediaType!: string;

  /** What it is, as far as anybody knows: what was claimed, until the bytes have been looked into. */
  @Column({ type: 'text', name: 'media_type' })
  mediaType!: string;

  /** In bytes. */
  @Column('bigint')
  size!: number;

  @Column({ type: 'integer', name: 'page_count', nullable: true })
  pageCount!: number | null;

  /** In pixels; both or none. */
  @Column({ type: 'integer', name: 'image_width', nullable: true })
  imageWidth!: number | null;

  @Column({ type: 'integer', name: 'image_height', nullable: true })
  imageHeight!: number | null;

  /** Words of the text that was found in it; null while, or if, nobody knows. */
  @Column({ type: 'integer', name: 'word_count', nullable: true })
  wordCount!: number | null;

  /** Why its text could not be read; null otherwise. */
  @Column('text', { nullable: true })
  failure!: string | null;

  /** The version whose content was made the newest again. */
  @Column({ type: 'integer', name: 'restored_from', nullable: true })
  restoredFrom!: number | null;

  @Column({ type: 'uuid', name: 'created_by' })
  createdBy!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;
}
