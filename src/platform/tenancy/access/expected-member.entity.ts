import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Somebody who becomes a member at first sight of a token with this verified address. */
@Entity('expected_members')
export class ExpectedMemberEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  /** What the address is compared by (`emailKey`). */
  @PrimaryColumn({ type: 'text', name: 'email_key' })
  emailKey!: string;

  @Column('text')
  email!: string;

  @Column({ type: 'uuid', name: 'role_id' })
  roleId!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;
}
