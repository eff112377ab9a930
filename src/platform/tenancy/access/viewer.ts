import { type Permission } from '../../../common/vocabulary/permissions.js';
import { type Bind } from '../../database/sql-parameters.js';

/**
 * For whom a condition of visibility holds: the caller of a request, or each row of a query. All methods return SQL. For
 * a caller, ids are parameters, and permissions are constants, which the conditions then omit.
 */
export interface Viewer {
  /** The relation of grants: `access_grants`, or rows that a statement has already read from it. */
  readonly grants: string;
  /** A grant of the viewer covers what the condition is about. */
  readonly isGranted?: true;
  tenantSql(bind: Bind): string;
  userSql(bind: Bind): string;
  /** `true` or `false` if the permissions are known. */
  hasSql(permission: Permission): string;
  /** Whether the grant `g` is to the viewer or the viewer's role. */
  holdsSql(bind: Bind): string;
}

/** Whether the grant `g` is to the user or the role, which are SQL expressions. */
export function grantTo(user: string, role: string): string {
  return `((g.subject_type = 'User' AND g.subject_id = ${user})
      OR (g.subject_type = 'Role' AND g.subject_id = ${role}))`;
}

/**
 * The members in the rows `m`, joined with their roles `r`.
 *
 * @param tenantId Placeholder.
 * @param grants See {@link Viewer}; must contain all grants that matter.
 */
export function membersIn(tenantId: string, grants = 'access_grants'): Viewer {
  return {
    ...rolesIn(tenantId),
    grants,
    userSql: () => 'm.user_id',
    holdsSql: () => grantTo('m.user_id', 'm.role_id'),
  };
}

/** Members without grants, lists and documents of their own, by the rows `r` of `roles`. */
export function rolesIn(tenantId: string): Viewer {
  return {
    grants: 'access_grants',
    tenantSql: () => tenantId,
    userSql: () => 'NULL::uuid',
    hasSql: (permission) => `'${permission}' = ANY (r.permissions)`,
    holdsSql: () => `g.subject_type = 'Role' AND g.subject_id = r.id`,
  };
}
