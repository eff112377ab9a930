import { Column, Entity, PrimaryColumn } from 'typeorm';

export const FIELD_TYPES = ['Text', 'Number', 'Date', 'Money', 'Enumeration', 'Reference'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export const REFERENCE_TARGETS = ['File', 'Document', 'User'] as const;
export type ReferenceTarget = (typeof REFERENCE_TARGETS)[number];

export interface FieldOption {
  readonly key: string;
  readonly labelDe: string;
  readonly labelEn: string;
}

/** A field of a document type. It is never deleted, so that the values that documents have of it stay what they are. */
@Entity('document_type_fields')
export class DocumentTypeFieldEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  /** Names the field wherever its values are stored; clients know it by type and key. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column({ type: 'uuid', name: 'document_type_id' })
  documentTypeId!: string;

  @Column('text')
  key!: string;

  /** Place in the type, from 0: the live fields, then the removed ones. */
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

  /** In their order; null unless the type is Enumeration. */
  @Column({ type: 'jsonb', nullable: true })
  options!: FieldOption[] | null;

  /** Bytes of `options` as JSON; 0 without. Written by the database. */
  @Column({ type: 'integer', name: 'options_size' })
  optionsSize!: number;

  /** Null unless the type is Reference. */
  @Column({ type: 'text', name: 'reference_target', nullable: true })
  referenceTarget!: ReferenceTarget | null;

  /** Left out of the type: no longer to be set, its values kept. */
  @Column({ type: 'boolean', name: 'is_removed' })
  isRemoved!: boolean;
}
