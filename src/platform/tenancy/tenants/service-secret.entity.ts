import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that all instances share, made by a migration. */
@Entity('service_secrets')
export class ServiceSecretEntity {
  @PrimaryColumn('text')
  name!: string;

  @Column('bytea')
  value!: Buffer;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;
}
