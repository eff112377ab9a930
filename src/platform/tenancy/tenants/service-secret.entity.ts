import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A secret key that all instances use. Created by a migration. */
@Entity('service_secrets')
export class ServiceSecretEntity {
  @PrimaryColumn('text')
  name!: string;

  @Column('bytea')
  value!: Buffer;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;
}
