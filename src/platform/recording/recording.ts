import { newId } from '../../common/identifier.js';
import { AUDIT_ACTIONS } from '../../common/vocabulary/audit.js';
import { type Statement } from '../database/transactions/tenant-batch.js';
import { type WriteTransaction } from '../database/transactions/tenant-transaction.js';
import { RecordingStatements } from '../database/transactions/unit-of-work.js';
import { enqueueStatement } from '../jobs/job-queue.js';

const AUDIT_ROWS = `unnest($4::uuid[], $5::text[], $6::text[], $7::uuid[], $8::text[], $9::integer[])
  AS e (id, action, subject_type, subject_id, summary, content_version)`;
const NOTIFICATION_ROWS = `unnest($2::uuid[], $3::uuid[], $4::text[], $5::jsonb[], $6::uuid[], $7::uuid[])
  AS n (id, user_id, type, parameters, document_id, file_id)`;

export class Recording extends RecordingStatements {
  override of(tx: WriteTransaction): Statement[] {
    const statements: Statement[] = [];
    if (tx.audit.length > 0) statements.push(auditStatement(tx));
    if (tx.notifications.length > 0) statements.push(notificationStatement(tx));
    if (tx.jobs.length > 0) statements.push(enqueueStatement(tx.tenantId, tx.jobs));
    return statements;
  }
}

function auditStatement({ audit, tenantId, context, layout }: WriteTransaction): Statement {
  const { newRows } = layout;
  return {
    text: `INSERT INTO audit_entries
             (tenant_id, id, actor_id, actor_name, action, subject_type, subject_id, summary, content_version)
           SELECT ${newRows.tenantId}, e.id, $2, $3, e.action, e.subject_type, e.subject_id, e.summary,
                  e.content_version
             FROM ${newRows.from(AUDIT_ROWS)}`,
    values: [
      tenantId,
      context.actorId,
      context.actorName,
      audit.map(() => newId()),
      audit.map(({ action }) => action),
      audit.map(({ action }) => AUDIT_ACTIONS[action]),
      audit.map(({ subjectId }) => subjectId),
      audit.map(({ summary }) => summary),
      audit.map(({ contentVersion }) => contentVersion ?? null),
    ],
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
      notifications.map(() => newId()),
      notifications.map(({ userId }) => userId),
      notifications.map(({ type }) => type),
      notifications.map(({ parameters }) => JSON.stringify(parameters)),
      notifications.map(({ parameters }) => parameters.documentId ?? null),
      notifications.map(({ parameters }) => parameters.fileId ?? null),
    ],
  };
}
