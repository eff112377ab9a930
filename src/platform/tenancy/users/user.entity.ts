import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person or machine that logs in at an issuer. One row per (issuer, subject); it belongs to no tenant. */
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

  /** Key for comparisons of the address (`emailKey`). */
  @Column({ type: 'text', name: 'email_key', nullable: true })
  emailKey!: string | null;

  @Column({ type: 'boolean', name: 'email_verified' })
  emailVerified!: boolean;

  @Column({ type: 'text', name: 'display_name', nullable: true })
  displayName!: string | null;

  /** Sort key in lists: display name, else address, else subject, case-folded. */
  @Column({ type: 'text', name: 'name_key' })
  nameKey!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: string;
}
