import { Injectable } from '@nestjs/common';
import { byKey } from '../../database/paging/by-key.js';
import { type TenantTransaction } from '../../database/transactions/tenant-transaction.js';
import { MEMBER_NAME } from '../users/member-names.js';
import { type AccessGrantEntity, type GrantLevel, type GrantSubjectType } from './access-grant.entity.js';

interface RevokedGrant {
  readonly id: string;
  readonly level: GrantLevel;
}

const IS_ACTIVE = `g.revoked_at IS NULL AND g.expired_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > now())`;

/** Revokes and deletes what depends on a membership, a role or a file, and checks whether an administrator remains. */
@Injectable()
export class AccessRevocationRepository {
  revokeGrantsOf(
    tx: TenantTransaction,
    type: GrantSubjectType,
    subjectId: string,
  ): Promise<
    (RevokedGrant & Pick<AccessGrantEntity, 'targetType' | 'targetId'> & { readonly target: string })[]
  > {
    return tx.query(
      `UPDATE access_grants g SET revoked_at = now()
        WHERE g.tenant_id = $1 AND g.subject_type = $2 AND g.subject_id = $3
          AND ${IS_ACTIVE}
        RETURNING g.id, g.level, g.target_type AS "targetType", g.target_id AS "targetId", coalesce(
          CASE WHEN g.target_type = 'File' THEN (SELECT f.number || ': ' || f.name FROM files f
                               WHERE f.tenant_id = $1 AND f.id = g.target_id)
            ELSE (SELECT t.name_de || ' / ' || t.name_en FROM file_types t
                   WHERE t.tenant_id = $1 AND t.id = g.target_id)
          END, g.target_id::text) AS target`,
      [tx.tenantId, type, subjectId],
    );
  }

  revokeGrantsOnFile(
    tx: TenantTransaction,
    fileId: string,
  ): Promise<
    (RevokedGrant &
      Pick<AccessGrantEntity, 'subjectType' | 'subjectId'> & {
        readonly subject: string;
        readonly userIds: string[];
      })[]
  > {
    return tx.query(
      `WITH ended AS (UPDATE access_grants g SET revoked_at = now()
        WHERE g.tenant_id = $1 AND g.target_type = 'File' AND g.target_id = $2 AND ${IS_ACTIVE}
        RETURNING g.id, g.level, g.subject_type AS "subjectType", g.subject_id AS "subjectId",
          coalesce(
            CASE WHEN g.subject_type = 'User' THEN (SELECT ${MEMBER_NAME} FROM members m JOIN users u ON u.id = m.user_id
                            WHERE m.tenant_id = $1 AND m.user_id = g.subject_id)
              ELSE (SELECT r.name FROM roles r WHERE r.tenant_id = $1 AND r.id = g.subject_id)
            END, g.subject_id::text) AS subject,
          ARRAY(SELECT m.user_id FROM members m WHERE m.tenant_id = $1
                 AND CASE WHEN g.subject_type = 'User' THEN m.user_id ELSE m.role_id END = g.subject_id
                 ORDER BY m.user_id) AS "userIds")
       SELECT * FROM ended ORDER BY id`,
      [tx.tenantId, fileId],
    );
  }

  async markExpiredInvitations(tx: TenantTransaction, roleId: string): Promise<void> {
    await tx.query(
      `UPDATE invitations SET status = 'Expired', pending_role_id = NULL
        WHERE tenant_id = $1 AND pending_role_id = $2 AND expires_at <= now()`,
      [tx.tenantId, roleId],
    );
  }

  /** Returns the documents whose lists changed. */
  removeFromConfidentialLists(
    tx: TenantTransaction,
    userId: string,
  ): Promise<{ readonly id: string; readonly title: string }[]> {
    return tx.query(
      `WITH removed AS (
         DELETE FROM document_confidential_users c WHERE c.tenant_id = $1 AND c.user_id = $2 RETURNING c.document_id)
       SELECT d.id, d.title FROM removed r
        ${byKey('documents', 'd', 'r.document_id')}`,
      [tx.tenantId, userId],
    );
  }

  deleteSavedViews(
    tx: TenantTransaction,
    userId: string,
  ): Promise<{ readonly id: string; readonly name: string }[]> {
    return tx.query(
      'DELETE FROM saved_views v WHERE v.tenant_id = $1 AND v.owner_id = $2 RETURNING v.id, v.name',
      [tx.tenantId, userId],
    );
  }

  async deleteExpectedMember(tx: TenantTransaction, userId: string): Promise<void> {
    await tx.query(
      `WITH verified AS (SELECT u.email_key FROM users u WHERE u.id = $2 AND u.email_verified)
       DELETE FROM expected_members e WHERE e.tenant_id = $1 AND e.email_key IN (SELECT v.email_key FROM verified v)`,
      [tx.tenantId, userId],
    );
  }

  /** Whether a member with all of the permissions has called the tenant, or is the caller. */
  async hasMemberWith(tx: TenantTransaction, permissions: readonly string[]): Promise<boolean> {
    const found = await tx.query(
      `SELECT FROM members m JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
        WHERE m.tenant_id = $1 AND r.tenant_id = $1 AND r.permissions @> $2
          AND (m.first_called_at IS NOT NULL OR m.user_id = $3) LIMIT 1`,
      [tx.tenantId, permissions, tx.context.actorId],
    );
    return found.length > 0;
  }
}
