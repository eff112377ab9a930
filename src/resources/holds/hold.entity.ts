import { Column, Entity } from 'typeorm';
import { IdentifiedRow } from '../../platform/database/tenant-row.js';

export const HOLD_STATUSES = ['Active', 'Released'] as const;
export type HoldStatus = (typeof HOLD_STATUSES)[number];

@Entity('holds')
export class HoldEntity extends IdentifiedRow {
  @Column('text')
  name!: string;

  @Column('text')
  reason!: string;

  @Column('text')
  status!: HoldStatus;

  @Column({ type: 'uuid', name: 'created_by' })
  createdById!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'released_at', precision: 3, nullable: true })
  releasedAt!: string | null;
}
