import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('file_types')
export class FileTypeEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  /** Identifier for programs: unique in the tenant, cannot be changed. */
  @Column('text')
  key!: string;

  @Column({ type: 'text', name: 'name_de' })
  nameDe!: string;

  @Column({ type: 'text', name: 'name_en' })
  nameEn!: string;

  /** Case-folded German name; lists are sorted by it. */
  @Column({ type: 'text', name: 'sort_key' })
  sortKey!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: string;
}
