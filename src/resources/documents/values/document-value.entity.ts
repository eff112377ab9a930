import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * One value of a document, as searches compare it (docs/adr/0015); what clients are shown stands in the document's
 * own row. Which of the columns is used follows from the type of the field.
 */
@Entity('document_values')
export class DocumentValueEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'document_id' })
  documentId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'field_id' })
  fieldId!: string;

  /** The document's, so that an index finds its documents in the order of lists. */
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  /** Case-folded. */
  @Column({ type: 'text', name: 'text_key', nullable: true })
  textKey!: string | null;

  /** A Number, or the amount of Money; every digit of it. */
  @Column({ type: 'numeric', name: 'number_value', nullable: true })
  numberValue!: string | null;

  /** Of Money. */
  @Column({ type: 'text', nullable: true })
  currency!: string | null;

  @Column({ type: 'date', name: 'date_value', nullable: true })
  dateValue!: string | null;

  @Column({ type: 'text', name: 'option_key', nullable: true })
  optionKey!: string | null;

  /** Of a file, document or user, which may be gone by now. */
  @Column({ type: 'uuid', name: 'reference_id', nullable: true })
  referenceId!: string | null;
}
