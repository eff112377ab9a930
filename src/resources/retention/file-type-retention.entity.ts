import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../platform/database/tenant-row.js';

export const RETENTION_STARTS = ['Closing', 'EndOfYearOfClosing'] as const;
export type RetentionStart = (typeof RETENTION_STARTS)[number];

export const DISPOSITIONS = ['Destroy', 'Transfer', 'Review'] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

@Entity('file_type_retentions')
export class FileTypeRetentionEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'file_type_id' })
  fileTypeId!: string;

  /** ISO 8601, whole years or months: `P10Y`. Null: the files are kept for ever. */
  @Column({ type: 'text', nullable: true })
  period!: string | null;

  @Column({ type: 'text', name: 'starts_at' })
  startsAt!: RetentionStart;

  /** What is to be done with a file that is due. */
  @Column('text')
  disposition!: Disposition;

  @Column({ type: 'timestamptz', name: 'changed_at', precision: 3 })
  changedAt!: string;
}
