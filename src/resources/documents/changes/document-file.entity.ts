import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A document filed in a file. */
@Entity('document_files')
export class DocumentFileEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'document_id' })
  documentId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'file_id' })
  fileId!: string;

  @Column({ type: 'timestamptz', name: 'filed_at', precision: 3 })
  filedAt!: string;

  /** The document's, so that an index finds what is in the file in the order of lists of documents. */
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  /** The file's, which never changes: what grants on file types are held against. */
  @Column({ type: 'uuid', name: 'file_type_id' })
  fileTypeId!: string;
}
