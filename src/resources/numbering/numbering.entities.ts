import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../platform/database/tenant-row.js';

/** The pattern of the numbers of a file type. A file type without a row has none. */
@Entity('file_type_numberings')
export class FileTypeNumberingEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'file_type_id' })
  fileTypeId!: string;

  @Column('text')
  pattern!: string;
}

/** The counter of a series of numbers: all file types whose patterns give the same series share it. */
@Entity('number_counters')
export class NumberCounterEntity extends TenantRow {
  /** See `NumberSeries`. */
  @PrimaryColumn({ type: 'text', name: 'series_key' })
  seriesKey!: string;

  /** The first number that is tried next; null before the first one. */
  @Column({ type: 'bigint', nullable: true })
  next!: number | null;

  /** The greatest number that was given. It is never given again, even if its file was deleted. */
  @Column('bigint')
  given!: number;
}
