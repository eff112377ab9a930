import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row.js';

/** An entry of the access list of a confidential document. Only these users can see the document. */
@Entity('document_confidential_users')
export class DocumentConfidentialUserEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'document_id' })
  documentId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'user_id' })
  userId!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  /**
   * Creation time of the document, so that an index returns the confidential documents of a user in list
   * order.
   */
  @Column({ type: 'timestamptz', name: 'document_created_at', precision: 3 })
  documentCreatedAt!: string;
}
