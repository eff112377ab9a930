import { Injectable } from '@nestjs/common';
import { userByKey } from '../../platform/database/paging/by-key.js';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { SqlParameters } from '../../platform/database/sql-parameters.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type GrantTargetType } from '../../platform/tenancy/access/access-grant.entity.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { type Viewer, membersIn, rolesIn } from '../../platform/tenancy/access/viewer.js';
import {
  MEMBER_DISPLAY_NAME,
  MEMBER_NAME_KEY,
  MEMBER_SORT_KEY,
} from '../../platform/tenancy/users/member-names.js';
import {
  type AccessConditions,
  type MissingCondition,
  DOCUMENT_CONDITIONS,
  FILE_CONDITIONS,
} from './access-conditions.js';

/** Maximum number of reasons that an answer names for a member. */
export const MAX_REASONS = 10;

export interface AccessSubject {
  readonly type: 'File' | 'Document';
  readonly id: string;
}

/** A reason why a member can read a file or a document. */
export type ReasonRow =
  | { readonly kind: 'Role'; readonly roleId: string }
  | { readonly kind: 'ConfidentialityList' | 'Creator' }
  | {
      readonly kind: `GrantOn${GrantTargetType}`;
      readonly grantId: string;
      /** Null for a grant to the member. */
      readonly roleId: string | null;
      readonly fileId: string | null;
      /** As PostgreSQL writes it. */
      readonly expiresAt: string | null;
    };

export interface ReaderRow {
  readonly userId: string;
  readonly displayName: string | null;
  /** Sort key of lists of members. */
  readonly nameKey: string;
  readonly canWrite: boolean;
  /** At most one more than {@link MAX_REASONS}. */
  readonly reasons: readonly ReasonRow[];
}

export interface MemberAccessRow {
  readonly canRead: boolean;
  readonly canWrite: boolean;
  readonly reasons: readonly ReasonRow[];
  readonly missing: readonly MissingCondition[];
}

const CONDITIONS = { File: FILE_CONDITIONS, Document: DOCUMENT_CONDITIONS };
const ROLES = rolesIn('$1');
const MEMBERS = membersIn('$1');
const GRANTED: Viewer = { ...MEMBERS, isGranted: true };
const ON_PAGE = membersIn('$1', 'page_grants');

const HOLDERS = `SELECT g.subject_id AS user_id FROM grants g WHERE g.subject_type = 'User'`;
/** The grants of the members of the page. Two joins, because a join by either column would compare all pairs. */
const PAGE_GRANTS = `page_grants AS MATERIALIZED (
  SELECT g.* FROM grants g JOIN page m ON g.subject_id = m.user_id WHERE g.subject_type = 'User' UNION
  SELECT g.* FROM grants g JOIN page m ON g.subject_id = m.role_id WHERE g.subject_type = 'Role')`;

/** Who can read a file or a document, computed from the conditions of all requests (docs/adr/0049). */
@Injectable()
export class AccessRepository {
  /**
   * A page of the members who can read the subject, and one row more if there are more; null if the caller may not ask.
   *
   * To evaluate the condition for every member would cost one query each. The result for a role holds for all its
   * members; besides, only members with a grant, the creator and the members on the list can read more.
   */
  async listReaders(
    tx: TenantTransaction,
    caller: Caller,
    { type, id }: AccessSubject,
    after: Position | null,
    limit: number,
  ): Promise<ReaderRow[] | null> {
    const values = new SqlParameters(tx.tenantId, id);
    const { bind } = values;
    const { canRead, canWrite, users, ...conditions } = CONDITIONS[type];
    const source = sourceOf(conditions, caller, bind);
    const afterPosition = after
      ? `AND (${MEMBER_SORT_KEY}, m.user_id) > (${bind(after[0])}::text, ${bind(after[1])}::uuid)`
      : '';
    const membersOf = (users: string) => `FROM subject t CROSS JOIN (${users}) further
                JOIN members m ON m.tenant_id = $1 AND m.user_id = further.user_id
                JOIN roles r ON r.tenant_id = $1 AND r.id = m.role_id`;
    const readingUsers = [
      `SELECT m.user_id ${membersOf(HOLDERS)} WHERE ${canRead(GRANTED, bind)}`,
      ...(users ? [`SELECT m.user_id ${membersOf(users)} WHERE ${canRead(MEMBERS, bind)}`] : []),
    ];
    const rows = await tx.query<ReaderRow | { userId: null }>(
      `WITH ${source},
            reading_roles AS MATERIALIZED (
              SELECT r.id FROM subject t CROSS JOIN roles r WHERE r.tenant_id = $1 AND ${canRead(ROLES, bind)}),
            reading_users AS MATERIALIZED (${readingUsers.join(' UNION ALL ')}),
            page AS MATERIALIZED (
              SELECT m.user_id, m.role_id, ${MEMBER_DISPLAY_NAME} AS display_name, ${MEMBER_NAME_KEY} AS name_key
                FROM members m ${userByKey('m.user_id')}
               WHERE m.tenant_id = $1 ${afterPosition}
                 AND (m.role_id IN (SELECT id FROM reading_roles) OR m.user_id IN (SELECT user_id FROM reading_users))
               ORDER BY ${MEMBER_SORT_KEY}, m.user_id LIMIT ${bind(limit + 1)}),
            ${PAGE_GRANTS}
       SELECT m.user_id AS "userId", m.display_name AS "displayName", m.name_key AS "nameKey",
              ${canWrite(ON_PAGE, bind)} AS "canWrite", ${reasonsOf(conditions, bind)} AS reasons
         FROM subject t LEFT JOIN (page m JOIN roles r ON r.tenant_id = $1 AND r.id = m.role_id) ON true
        ORDER BY m.name_key COLLATE "und-x-icu", m.user_id`,
      values.list,
    );
    if (rows.length === 0) return null;
    return rows.filter((row): row is ReaderRow => row.userId !== null);
  }

  /** Null if the user is not a member, or the caller may not ask. */
  find(
    tx: TenantTransaction,
    caller: Caller,
    { type, id }: AccessSubject,
    userId: string,
  ): Promise<MemberAccessRow | null> {
    const values = new SqlParameters(tx.tenantId, id, userId);
    const { bind } = values;
    const { canRead, canWrite, missing, ...conditions } = CONDITIONS[type];
    const failing = Object.entries(missing(ON_PAGE, bind)).map(
      ([name, condition]) => `CASE WHEN ${condition} THEN '${name}' END`,
    );
    return tx.queryOrNull<MemberAccessRow>(
      `WITH ${sourceOf(conditions, caller, bind)},
            page AS MATERIALIZED (SELECT m.user_id, m.role_id FROM members m WHERE m.tenant_id = $1 AND m.user_id = $3),
            ${PAGE_GRANTS}
       SELECT ${canRead(ON_PAGE, bind)} AS "canRead", ${canWrite(ON_PAGE, bind)} AS "canWrite",
              ${reasonsOf(conditions, bind)} AS reasons,
              array_remove(ARRAY[${failing.join(', ')}], NULL) AS missing
         FROM subject t CROSS JOIN page m JOIN roles r ON r.tenant_id = $1 AND r.id = m.role_id`,
      values.list,
    );
  }
}

function sourceOf(
  { subject, grants }: Pick<AccessConditions, 'subject' | 'grants'>,
  caller: Caller,
  bind: SqlParameters['bind'],
): string {
  return `subject AS MATERIALIZED (${subject(caller, bind)}), grants AS MATERIALIZED (${grants(caller, bind)})`;
}

/** The reasons of the member `m` as JSON. Grants are in the order of their ids, which is that of their creation. */
function reasonsOf(
  { reasons, isGrantable }: Pick<AccessConditions, 'reasons' | 'isGrantable'>,
  bind: SqlParameters['bind'],
): string {
  const others = Object.entries(reasons(ON_PAGE, bind)).map(
    ([kind, condition]) =>
      `SELECT NULL::uuid AS id, jsonb_build_object('kind', '${kind}'${kind === 'Role' ? `, 'roleId', r.id` : ''}) AS reason
        WHERE ${condition}`,
  );
  const granted = `SELECT g.id, jsonb_build_object('kind', 'GrantOn' || g.target_type, 'grantId', g.id,
      'roleId', CASE WHEN g.subject_type = 'Role' THEN g.subject_id END, 'fileId', g.file_id, 'expiresAt', g.expires_at::text)
    FROM page_grants g WHERE ${isGrantable} AND ${ON_PAGE.holdsSql(bind)}`;
  return `(SELECT coalesce(jsonb_agg(top.reason ORDER BY top.id NULLS FIRST), '[]')
    FROM (${[...others, granted].join(' UNION ALL ')} ORDER BY id NULLS FIRST LIMIT ${MAX_REASONS + 1}) top)`;
}
