import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../platform/database/tenant-row.js';

export const FIELD_TYPES = ['Text', 'Number', 'Date', 'Money', 'Enumeration', 'Reference'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export const REFERENCE_TARGETS = ['File', 'Document', 'User'] as const;
export type ReferenceTarget = (typeof REFERENCE_TARGETS)[number];

export interface FieldOption {
  readonly key: string;
  readonly labelDe: string;
  readonly labelEn: string;
}

/** A field of a document type. Fields are never deleted, so that documents keep their values. */
@Entity('document_type_fields')
export class DocumentTypeFieldEntity extends TenantRow {
  /** Identifies the field where values are stored. Clients identify it by type and key. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column({ type: 'uuid', name: 'document_type_id' })
  documentTypeId!: string;

  @Column('text')
  key!: string;

  /** Position in the type, from 0: live fields first, then removed ones. */
  @Column('integer')
  position!: number;

  /** Never changes. */
  @Column('text')
  type!: FieldType;

  @Column({ type: 'boolean', name: 'is_required' })
  isRequired!: boolean;

  @Column({ type: 'text', name: 'label_de' })
  labelDe!: string;

  @Column({ type: 'text', name: 'label_en' })
  labelEn!: string;

  /** In display order; null unless the type is Enumeration. */
  @Column({ type: 'jsonb', nullable: true })
  options!: FieldOption[] | null;

  /** Size of `options` as JSON in bytes; 0 for null. Set by the database. */
  @Column({ type: 'integer', name: 'options_size' })
  optionsSize!: number;

  /** Null unless the type is Reference. */
  @Column({ type: 'text', name: 'reference_target', nullable: true })
  referenceTarget!: ReferenceTarget | null;

  /** Removed from the type: documents keep their values, but cannot get new ones. */
  @Column({ type: 'boolean', name: 'is_removed' })
  isRemoved!: boolean;
}
