import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../platform/database/tenant-row.js';

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
