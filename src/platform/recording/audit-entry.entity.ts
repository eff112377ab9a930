import { Column, Entity } from 'typeorm';
import { IdentifiedRow } from '../database/tenant-row.js';
import { type AuditAction, type AuditSubjectType, type RelatedIds } from '../../common/vocabulary/audit.js';

/** The service role can add entries, but not change or delete them. */
@Entity('audit_entries')
export class AuditEntryEntity extends IdentifiedRow {
  @Column({ type: 'timestamptz', name: 'occurred_at', precision: 3 })
  occurredAt!: string;

  /** Null for an action of the service. */
  @Column({ type: 'uuid', name: 'actor_id', nullable: true })
  actorId!: string | null;

  /** Name of the actor at that time. */
  @Column({ type: 'text', name: 'actor_name', nullable: true })
  actorName!: string | null;

  @Column('text')
  action!: AuditAction;

  @Column({ type: 'text', name: 'subject_type' })
  subjectType!: AuditSubjectType;

  @Column({ type: 'uuid', name: 'subject_id' })
  subjectId!: string;

  @Column({ type: 'text', nullable: true })
  summary!: string | null;

  /** Only for a download: version of the content. Null in entries of earlier releases. */
  @Column({ type: 'integer', name: 'content_version', nullable: true })
  contentVersion!: number | null;

  /** Ids of other objects that the action is about. Empty in entries of earlier releases. */
  @Column('jsonb')
  related!: RelatedIds;
}
