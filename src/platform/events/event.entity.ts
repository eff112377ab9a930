import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../database/tenant-row.js';
import { type AuditAction } from '../../common/vocabulary/audit.js';

/** Place of an audit entry in the tenant's event log. The service role can add rows, but not change or delete them. */
@Entity('events')
export class EventEntity extends TenantRow {
  @PrimaryColumn('bigint')
  sequence!: number;

  @Column({ type: 'uuid', name: 'entry_id' })
  entryId!: string;

  /** Action of the entry, for the index by type. */
  @Column('text')
  type!: AuditAction;
}
