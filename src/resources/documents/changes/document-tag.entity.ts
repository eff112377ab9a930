import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row.js';

@Entity('document_tags')
export class DocumentTagEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'document_id' })
  documentId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'tag_id' })
  tagId!: string;

  /** Creation time of the document, so that an index returns the documents with a tag in list order. */
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;
}
