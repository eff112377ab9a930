import { newId } from '../../common/identifier.js';
import { AUDIT_ACTIONS } from '../../common/vocabulary/audit.js';
import { type Statement } from '../database/transactions/tenant-batch.js';
import {
  type AuditRecord,
  RecordingStatements,
  type WriteTransaction,
} from '../database/transactions/tenant-transaction.js';
import { enqueueStatement } from '../jobs/job-queue.js';
import { type NotificationMailQueue } from './notification-mail-queue.js';

const AUDIT_COLUMNS =
  'tenant_id, id, actor_id, actor_name, action, subject_type, subject_id, summary, content_version, related';
const AUDIT_ROWS = `unnest($4::uuid[], $5::text[], $6::text[], $7::uuid[], $8::text[], $9::integer[], $10::jsonb[])
  AS e (id, action, subject_type, subject_id, summary, content_version, related)`;
/** Values of an entry after its id, in the order of {@link AUDIT_ROWS}. */
const AUDIT_VALUES: readonly ((entry: AuditRecord) => unknown)[] = [
  ({ action }) => action,
  ({ action, subjectType }) => subjectType ?? AUDIT_ACTIONS[action],
  ({ subjectId }) => subjectId,
  ({ summary }) => summary,
  ({ contentVersion }) => contentVersion ?? null,
  ({ related }) => JSON.stringify(related ?? {}),
];
const QUEUE_ROWS = 'unnest($2::uuid[]) AS q (entry_id)';
const NOTIFICATION_ROWS = `unnest($2::uuid[], $3::uuid[], $4::text[], $5::jsonb[], $6::uuid[], $7::uuid[])
  AS n (id, user_id, type, parameters, document_id, file_id)`;

export class Recording extends RecordingStatements {
  private readonly listeners = new Set<(tenantId: string) => void>();

  /** @param mails null in commands, which send no mail */
  constructor(private readonly mails: NotificationMailQueue | null = null) {
    super();
  }

  override async of(tx: WriteTransaction): Promise<Statement[]> {
    const statements: Statement[] = [];
    const mails = (await this.mails?.add(tx)) ?? [];
    if (tx.audit.length > 0) statements.push(...auditStatements(tx));
    if (tx.notifications.length > 0) statements.push(notificationStatement(tx), ...mails);
    if (tx.jobs.length > 0) statements.push(enqueueStatement(tx.tenantId, tx.jobs));
    return statements;
  }

  override committed(tx: WriteTransaction): void {
    if (tx.audit.length > 0) for (const listener of this.listeners) listener(tx.tenantId);
  }

  /** The listener is called after each commit of this process that has recorded audit entries of the tenant. */
  onAudit(listener: (tenantId: string) => void): void {
    this.listeners.add(listener);
  }
}

/** The sequencer gives the queued entries their place in the tenant's event log (docs/adr/0039). */
function auditStatements(tx: WriteTransaction): Statement[] {
  const [entry] = tx.audit;
  // Citus plans no INSERT in a CTE.
  if (entry && tx.audit.length === 1 && !tx.layout.isDistributed) return [entryStatement(tx, entry)];
  const ids = tx.audit.map(() => newId());
  return [auditStatement(tx, ids), queueStatement(tx, ids)];
}

/** Most changes have one entry. This costs PostgreSQL less than the statements for several (docs/performance.md). */
function entryStatement({ tenantId, context }: WriteTransaction, entry: AuditRecord): Statement {
  return {
    text: `WITH entry AS (INSERT INTO audit_entries (${AUDIT_COLUMNS})
                          VALUES ($1, $4, $2, $3, $5, $6, $7, $8, $9, $10))
           INSERT INTO event_queue (tenant_id, entry_id) VALUES ($1, $4)`,
    values: [
      tenantId,
      context.actorId,
      context.actorName,
      newId(),
      ...AUDIT_VALUES.map((valueOf) => valueOf(entry)),
    ],
  };
}

function auditStatement(
  { audit, tenantId, context, layout }: WriteTransaction,
  ids: readonly string[],
): Statement {
  const { newRows } = layout;
  return {
    text: `INSERT INTO audit_entries (${AUDIT_COLUMNS})
           SELECT ${newRows.tenantId}, e.id, $2, $3, e.action, e.subject_type, e.subject_id, e.summary,
                  e.content_version, e.related
             FROM ${newRows.from(AUDIT_ROWS)}`,
    values: [
      tenantId,
      context.actorId,
      context.actorName,
      ids,
      ...AUDIT_VALUES.map((valueOf) => audit.map(valueOf)),
    ],
  };
}

function queueStatement({ tenantId, layout }: WriteTransaction, ids: readonly string[]): Statement {
  const { newRows } = layout;
  return {
    text: `INSERT INTO event_queue (tenant_id, entry_id)
           SELECT ${newRows.tenantId}, q.entry_id FROM ${newRows.from(QUEUE_ROWS)}`,
    values: [tenantId, ids],
  };
}

/** Document and file ids are also stored in separate columns, so that queries can check their visibility. */
function notificationStatement({ notifications, tenantId, layout }: WriteTransaction): Statement {
  const { newRows } = layout;
  return {
    text: `INSERT INTO notifications (tenant_id, id, user_id, type, parameters, document_id, file_id)
           SELECT ${newRows.tenantId}, n.id, n.user_id, n.type, n.parameters, n.document_id, n.file_id
             FROM ${newRows.from(NOTIFICATION_ROWS)}`,
    values: [
      tenantId,
      notifications.map(({ id }) => id),
      notifications.map(({ userId }) => userId),
      notifications.map(({ type }) => type),
      notifications.map(({ parameters }) => JSON.stringify(parameters)),
      notifications.map(({ parameters }) => parameters.documentId ?? null),
      notifications.map(({ parameters }) => parameters.fileId ?? null),
    ],
  };
}
