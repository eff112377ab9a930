import { type Actor } from './actor.js';
import { type AuditRow } from './tenant.js';

/** The audit entry of a change by the actor. */
export function auditEntry(
  actor: Actor,
  action: string,
  subjectType: string,
  subjectId: string,
  summary: string | null,
): AuditRow {
  return {
    actor_id: actor.userId,
    actor_name: actor.name,
    action,
    subject_type: subjectType,
    subject_id: subjectId,
    summary,
  };
}
