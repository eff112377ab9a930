import { Column, Entity, PrimaryColumn } from 'typeorm';
import { IdentifiedRow, TenantRow } from '../../platform/database/tenant-row.js';

export const DISPOSAL_STATUSES = ['Draft', 'Submitted', 'Approved', 'Completed'] as const;
export type DisposalStatus = (typeof DISPOSAL_STATUSES)[number];

/** A list of due files of one type that are destroyed, transferred or kept together. */
@Entity('disposals')
export class DisposalEntity extends IdentifiedRow {
  @Column('text')
  name!: string;

  @Column({ type: 'uuid', name: 'file_type_id' })
  fileTypeId!: string;

  /** `YYYY-MM-DD` */
  @Column({ type: 'date', name: 'due_before' })
  dueBefore!: string;

  @Column('text')
  status!: DisposalStatus;

  /** The rule of the file type: of the creation until it is approved, then that of the approval. */
  @Column('text')
  period!: string;

  @Column({ type: 'text', name: 'starts_at' })
  startsAt!: string;

  @Column('text')
  disposition!: string;

  /** Since when the rule is as it is. */
  @Column({ type: 'timestamptz', name: 'rule_changed_at', precision: 3 })
  ruleChangedAt!: string;

  /** The users who made, changed or submitted it. None of them may approve it. */
  @Column({ type: 'uuid', array: true })
  editors!: string[];

  @Column({ type: 'uuid', name: 'created_by' })
  createdById!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'uuid', name: 'submitted_by', nullable: true })
  submittedById!: string | null;

  @Column({ type: 'timestamptz', name: 'submitted_at', precision: 3, nullable: true })
  submittedAt!: string | null;

  @Column({ type: 'uuid', name: 'approved_by', nullable: true })
  approvedById!: string | null;

  @Column({ type: 'timestamptz', name: 'approved_at', precision: 3, nullable: true })
  approvedAt!: string | null;

  /** Reason of the last rejection. */
  @Column({ type: 'text', nullable: true })
  rejection!: string | null;

  @Column({ type: 'timestamptz', name: 'completed_at', precision: 3, nullable: true })
  completedAt!: string | null;
}

/** A content of destroyed documents whose bytes are still to be removed, unless another version has them. */
@Entity('disposal_contents')
export class DisposalContentEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'disposal_id' })
  disposalId!: string;

  @PrimaryColumn('text')
  sha256!: string;
}
