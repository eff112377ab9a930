import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('document_tags')
export class DocumentTagEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'document_id' })
  documentId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'tag_id' })
  tagId!: string;

  /** Creation time of the document, so that an index returns the documents with a tag in list order. */
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;
}
