import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The words of a tenant. Its row is locked while words are added or removed. */
@Entity('lexicons')
export class LexiconEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  /** Number of words. */
  @Column('integer')
  words!: number;
}
