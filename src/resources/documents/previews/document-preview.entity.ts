import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row.js';

/** A rendered page, or that it cannot be rendered (docs/adr/0045). */
@Entity('document_previews')
export class DocumentPreviewEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'document_id' })
  documentId!: string;

  /** Number of the version of the content. */
  @PrimaryColumn('integer')
  version!: number;

  /** From 1. */
  @PrimaryColumn('integer')
  page!: number;

  /** Requested width in pixels; the image can be narrower. */
  @PrimaryColumn('integer')
  width!: number;

  /** Version of the renderer. The image of another one is not used. */
  @Column('integer')
  renderer!: number;

  /** WebP; null if the page cannot be rendered. */
  @Column({ type: 'bytea', nullable: true })
  image!: Buffer | null;

  /** Whether the text of the page can be read. */
  @Column('boolean', { name: 'is_legible' })
  isLegible!: boolean;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;
}
