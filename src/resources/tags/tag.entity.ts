import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A word of the tenant that documents are marked with. */
@Entity('tags')
export class TagEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** Case-folded name, for uniqueness and order. */
  @Column({ type: 'text', name: 'name_key' })
  nameKey!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;
}
