import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../database/tenant-row.js';

/** An e-mail address whose user becomes a member at the first request with a token that has it as verified address. */
@Entity('expected_members')
export class ExpectedMemberEntity extends TenantRow {
  /** Key for comparisons of the address (`emailKey`). */
  @PrimaryColumn({ type: 'text', name: 'email_key' })
  emailKey!: string;

  @Column('text')
  email!: string;

  @Column({ type: 'uuid', name: 'role_id' })
  roleId!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;
}
