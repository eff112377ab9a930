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
}
