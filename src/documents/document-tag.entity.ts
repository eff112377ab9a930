import { Entity, PrimaryColumn } from 'typeorm';

/** A tag on a document. */
@Entity('document_tags')
export class DocumentTagEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'document_id' })
  documentId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'tag_id' })
  tagId!: string;
}
