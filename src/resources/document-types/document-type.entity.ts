import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A kind of documents: what its documents can say in typed fields. */
@Entity('document_types')
export class DocumentTypeEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  /** For machines: unique in the tenant, never changes. */
  @Column('text')
  key!: string;

  @Column({ type: 'text', name: 'name_de' })
  nameDe!: string;

  @Column({ type: 'text', name: 'name_en' })
  nameEn!: string;

  /** Case-folded German name, for the order of lists. */
  @Column({ type: 'text', name: 'sort_key' })
  sortKey!: string;

  /** Inactive types are not given to documents; those that have one keep it. */
  @Column({ type: 'boolean', name: 'is_active' })
  isActive!: boolean;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: string;
}
