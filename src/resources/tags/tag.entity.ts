import { Column, Entity } from 'typeorm';
import { IdentifiedRow } from '../../platform/database/tenant-row.js';

@Entity('tags')
export class TagEntity extends IdentifiedRow {
  @Column('text')
  name!: string;

  /** Case-folded name; must be unique, and lists are sorted by it. */
  @Column({ type: 'text', name: 'name_key' })
  nameKey!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;
}
