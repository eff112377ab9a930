import { Column, Entity } from 'typeorm';
import { IdentifiedRow } from '../../platform/database/tenant-row.js';

@Entity('document_types')
export class DocumentTypeEntity extends IdentifiedRow {
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

  /** Documents that have an inactive type keep it, but no other document can get it. */
  @Column({ type: 'boolean', name: 'is_active' })
  isActive!: boolean;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: string;

  /** The words of values of documents with smaller ids are to be indexed again; null if there are none. */
  @Column({ type: 'uuid', name: 'index_before', nullable: true })
  indexBefore!: string | null;
}
