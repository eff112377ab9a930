import { Column, Entity } from 'typeorm';
import { IdentifiedRow } from '../../database/tenant-row.js';
import { type Permission } from '../../../common/vocabulary/permissions.js';

@Entity('roles')
export class RoleEntity extends IdentifiedRow {
  /** Set on built-in roles only. */
  @Column({ type: 'text', nullable: true })
  key!: string | null;

  @Column('text')
  name!: string;

  /** Case-folded name, for uniqueness and order. */
  @Column({ type: 'text', name: 'name_key' })
  nameKey!: string;

  @Column({ type: 'text', array: true })
  permissions!: Permission[];

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: string;
}
