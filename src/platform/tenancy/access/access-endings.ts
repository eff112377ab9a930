import { type WriteTransaction } from '../../database/transactions/tenant-transaction.js';
import { type GrantLevel, type GrantSubjectType } from './access-grant.entity.js';
import { MEMBER_NAME } from '../users/member-names.js';

/**
 * What ends with a membership, a role or a file. Each place that is taken away is recorded; who is gone is not told,
 * for they read no notifications here. To be called after `changeAccess`, so that nothing can be added meanwhile.
 */

/** Whose access ends; the name is for the audit log. */
export interface EndedSubject {
  readonly type: GrantSubjectType;
  readonly id: string;
  readonly name: string;
}

const STILL_COUNTS = `g.revoked_at IS NULL AND g.expired_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > now())`;

/** Revokes the grants that still counted. Those that have ended before stay as they ended. */
export async function endGrants(tx: WriteTransaction, { type, id, name }: EndedSubject): Promise<void> {
  const revoked = await tx.query<{ id: string; level: GrantLevel; target: string }>(
    `UPDATE access_grants g SET revoked_at = now()
      WHERE g.tenant_id = $1 AND g.subject_type = $2 AND g.subject_id = $3
        AND ${STILL_COUNTS}
      RETURNING g.id, g.level, coalesce(
        CASE g.target_type
          WHEN 'File' THEN (SELECT f.number || ': ' || f.name FROM files f
                             WHERE f.tenant_id = $1 AND f.id = g.target_id)
          ELSE (SELECT t.name_de || ' / ' || t.name_en FROM file_types t
                 WHERE t.tenant_id = $1 AND t.id = g.target_id)
        END, g.target_id::text) AS target`,
    [tx.tenantId, type, id],
  );
  for (const grant of revoked) {
    tx.record({
      action: 'AccessRevoked',
      subjectId: grant.id,
      summary: `${grant.level}: ${name} → ${grant.target}`,
    });
  }
}

/** Revokes what still counted of the grants on a file that is being deleted; who loses access that way is told. */
export async function endGrantsOnFile(tx: WriteTransaction, fileId: string, title: string): Promise<void> {
  const revoked = await tx.query<{ id: string; level: GrantLevel; subject: string; userIds: string[] }>(
    `WITH ended AS (UPDATE access_grants g SET revoked_at = now()
      WHERE g.tenant_id = $1 AND g.target_type = 'File' AND g.target_id = $2 AND ${STILL_COUNTS}
      RETURNING g.id, g.level,
        coalesce(
          CASE g.subject_type
            WHEN 'User' THEN (SELECT ${MEMBER_NAME} FROM members m JOIN users u ON u.id = m.user_id
                          WHERE m.tenant_id = $1 AND m.user_id = g.subject_id)
            ELSE (SELECT r.name FROM roles r WHERE r.tenant_id = $1 AND r.id = g.subject_id)
          END, g.subject_id::text) AS subject,
        ARRAY(SELECT m.user_id FROM members m WHERE m.tenant_id = $1
               AND CASE g.subject_type WHEN 'User' THEN m.user_id ELSE m.role_id END = g.subject_id
               ORDER BY m.user_id) AS "userIds")
     SELECT * FROM ended ORDER BY id`,
    [tx.tenantId, fileId],
  );
  for (const { id, level, subject, userIds } of revoked) {
    tx.record({ action: 'AccessRevoked', subjectId: id, summary: `${level}: ${subject} → ${title}` });
    for (const userId of userIds) {
      const { actorName } = tx;
      tx.notify(userId, 'AccessRevoked', {
        grantId: id,
        targetType: 'File',
        targetId: fileId,
        level,
        actorName,
      });
    }
  }
}

/**
 * Marks the invitations to a role that have run out, whether the sweep has come by or not: only pending ones keep a
 * role from being deleted.
 */
export async function endExpiredInvitations(tx: WriteTransaction, roleId: string): Promise<void> {
  await tx.query(
    `UPDATE invitations SET status = 'Expired', pending_role_id = NULL
      WHERE tenant_id = $1 AND pending_role_id = $2 AND expires_at <= now()`,
    [tx.tenantId, roleId],
  );
}

/**
 * Takes the user off every confidentiality list, also where nobody else is on it: such a document stays confidential
 * and is seen by nobody until somebody with `documents.confidential.manage` puts a user on its list.
 */
export async function endConfidentialPlaces(
  tx: WriteTransaction,
  { id: userId, name }: Pick<EndedSubject, 'id' | 'name'>,
): Promise<void> {
  const places = await tx.query<{ id: string; title: string }>(
    `DELETE FROM document_confidential_users c USING documents d
      WHERE c.tenant_id = $1 AND c.user_id = $2 AND d.tenant_id = $1 AND d.id = c.document_id
      RETURNING d.id, d.title`,
    [tx.tenantId, userId],
  );
  for (const { id, title } of places) {
    tx.record({ action: 'ConfidentialUserRemoved', subjectId: id, summary: `${title}: ${name}` });
  }
}

/** Deletes the views that the user has saved: nobody else could ever see them, and coming back restores nothing. */
export async function endSavedViews(tx: WriteTransaction, userId: string): Promise<void> {
  const views = await tx.query<{ id: string; name: string }>(
    'DELETE FROM saved_views v WHERE v.tenant_id = $1 AND v.owner_id = $2 RETURNING v.id, v.name',
    [tx.tenantId, userId],
  );
  for (const { id, name } of views) tx.record({ action: 'SavedViewDeleted', subjectId: id, summary: name });
}

/**
 * Forgets that a member with the user's verified address was expected when the tenant was made: otherwise somebody
 * who was made a member in another way would, once removed, be let in again by that.
 */
export async function endExpectation(tx: WriteTransaction, userId: string): Promise<void> {
  await tx.query(
    `DELETE FROM expected_members e USING users u
      WHERE e.tenant_id = $1 AND u.id = $2 AND u.email_verified AND e.email_key = u.email_key`,
    [tx.tenantId, userId],
  );
}
