import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user on the list of a confidential document: only these users see it. */
@Entity('document_confidential_users')
export class DocumentConfidentialUserEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'document_id' })
  documentId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'user_id' })
  userId!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  /** The document's, so that an index finds a user's confidential documents in the order of lists of documents. */
  @Column({ type: 'timestamptz', name: 'document_created_at', precision: 3 })
  documentCreatedAt!: string;
}
