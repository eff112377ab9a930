import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../database/tenant-row.js';

/** A user in a tenant, with exactly one role. */
@Entity('members')
export class MemberEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'user_id' })
  userId!: string;

  @Column({ type: 'uuid', name: 'role_id' })
  roleId!: string;

  /** When the user called this tenant for the first time as this member; null before. Written once. */
  @Column({ type: 'timestamptz', name: 'first_called_at', precision: 3, nullable: true })
  firstCalledAt!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: string;
}
