import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type DocumentFilter } from '../document-filters/document-filters.reader.js';

/** A document filter that one member keeps under a name. It goes with the membership. */
@Entity('saved_views')
export class SavedViewEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column({ type: 'uuid', name: 'owner_id' })
  ownerId!: string;

  @Column('text')
  name!: string;

  /** Case-folded name, for uniqueness and order. */
  @Column({ type: 'text', name: 'name_key' })
  nameKey!: string;

  /** What it names may be gone by now. */
  @Column('jsonb')
  filter!: DocumentFilter;

  /** Bytes of `filter` as JSON. Written by the database. */
  @Column({ type: 'integer', name: 'filter_size' })
  filterSize!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: string;
}
