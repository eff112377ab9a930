import { Column, Entity } from 'typeorm';
import { IdentifiedRow } from '../../platform/database/tenant-row.js';
import { type DocumentFilter } from '../document-filters/document-filters.reader.js';

/** A document filter that a member saved under a name. It is deleted with the membership. */
@Entity('saved_views')
export class SavedViewEntity extends IdentifiedRow {
  @Column({ type: 'uuid', name: 'owner_id' })
  ownerId!: string;

  @Column('text')
  name!: string;

  /** Case-folded name; must be unique, and lists are sorted by it. */
  @Column({ type: 'text', name: 'name_key' })
  nameKey!: string;

  /** The ids and keys in it may refer to deleted objects. */
  @Column('jsonb')
  filter!: DocumentFilter;

  /** Size of `filter` as JSON in bytes. Set by the database. */
  @Column({ type: 'integer', name: 'filter_size' })
  filterSize!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: string;
}
