import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row.js';

@Entity('document_files')
export class DocumentFileEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'document_id' })
  documentId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'file_id' })
  fileId!: string;

  @Column({ type: 'timestamptz', name: 'filed_at', precision: 3 })
  filedAt!: string;

  /** Creation time of the document, so that an index returns the documents of a file in list order. */
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  /** Type of the file, which never changes. Grants on file types are checked against it. */
  @Column({ type: 'uuid', name: 'file_type_id' })
  fileTypeId!: string;
}
