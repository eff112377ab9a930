import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row.js';

/**
 * A value of a document in the form that searches compare (docs/adr/0015). Responses use the values in the
 * row of the document. The type of the field decides which column is set.
 */
@Entity('document_values')
export class DocumentValueEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'document_id' })
  documentId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'field_id' })
  fieldId!: string;

  /** Creation time of the document, so that an index returns the documents of a value in list order. */
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  /** Case-folded. */
  @Column({ type: 'text', name: 'text_key', nullable: true })
  textKey!: string | null;

  /** A Number, or the amount of Money, with all digits. */
  @Column({ type: 'numeric', name: 'number_value', nullable: true })
  numberValue!: string | null;

  /** Only for Money. */
  @Column({ type: 'text', nullable: true })
  currency!: string | null;

  @Column({ type: 'date', name: 'date_value', nullable: true })
  dateValue!: string | null;

  @Column({ type: 'text', name: 'option_key', nullable: true })
  optionKey!: string | null;

  /** Id of a file, document or user, which may no longer exist. */
  @Column({ type: 'uuid', name: 'reference_id', nullable: true })
  referenceId!: string | null;
}
