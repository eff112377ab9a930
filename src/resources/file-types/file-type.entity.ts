import { Column, Entity } from 'typeorm';
import { IdentifiedRow } from '../../platform/database/tenant-row.js';

@Entity('file_types')
export class FileTypeEntity extends IdentifiedRow {
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
