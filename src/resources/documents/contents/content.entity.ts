import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row.js';

/**
 * A content in the content store. Any number of a tenant’s documents can share it. Uploads and the sweep lock
 * this row, so that the sweep cannot remove a content that an upload is linking.
 */
@Entity('contents')
export class ContentEntity extends TenantRow {
  /** Lower-case hexadecimal. */
  @PrimaryColumn('text')
  sha256!: string;

  /** In bytes. */
  @Column('bigint')
  size!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  /** When a document last got this content or lost it. The sweep keeps the content for a day after that. */
  @Column({ type: 'timestamptz', name: 'linked_at', precision: 3 })
  linkedAt!: string;

  /** Version of the programs that found the following. That of others is not used. */
  @Column({ type: 'text', nullable: true })
  previewer!: string | null;

  /** Number of pages that previews show. Other programs can count other pages in an Office file. */
  @Column({ type: 'integer', name: 'preview_pages', nullable: true })
  previewPages!: number | null;

  /** When previews of all pages failed. */
  @Column({ type: 'timestamptz', name: 'preview_failed_at', precision: 3, nullable: true })
  previewFailedAt!: string | null;
}
