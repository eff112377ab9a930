import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type AuditAction, type AuditSubjectType } from '../../common/vocabulary/audit.js';

/** What somebody, or the service itself, did. The serving role can add entries, never change or remove them. */
@Entity('audit_entries')
export class AuditEntryEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column({ type: 'timestamptz', name: 'occurred_at', precision: 3 })
  occurredAt!: string;

  /** Null for what the service did by itself. */
  @Column({ type: 'uuid', name: 'actor_id', nullable: true })
  actorId!: string | null;

  /** Name at that time. */
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

  /** Of a download: which version of the content. Entries of former releases have none. */
  @Column({ type: 'integer', name: 'content_version', nullable: true })
  contentVersion!: number | null;
}
