import { Column, Entity } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row.js';

/** The words of a tenant. Its row is locked while words are added or removed. */
@Entity('lexicons')
export class LexiconEntity extends TenantRow {
  /** Number of words. */
  @Column('integer')
  words!: number;
}
