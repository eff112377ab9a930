import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Somebody, or a machine, that an issuer vouches for: one row for each (issuer, subject), of no tenant. */
@Entity('users')
export class UserEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  issuer!: string;

  @Column('text')
  subject!: string;

  @Column({ type: 'text', nullable: true })
  email!: string | null;

  /** What the address is compared by (`emailKey`). */
  @Column({ type: 'text', name: 'email_key', nullable: true })
  emailKey!: string | null;

  @Column({ type: 'boolean', name: 'email_verified' })
  emailVerified!: boolean;

  @Column({ type: 'text', name: 'display_name', nullable: true })
  displayName!: string | null;

  /** What the user is listed by: display name, else address, else subject, case-folded. */
  @Column({ type: 'text', name: 'name_key' })
  nameKey!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: string;
}
