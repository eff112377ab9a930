import { type Permission } from '../../../common/vocabulary/permissions.js';
import { type Bind } from '../../database/sql-parameters.js';

/**
 * For whom a condition of visibility holds: the caller of a request, or each row of a query. All methods return SQL. For
 * a caller, ids are parameters, and permissions are constants, which the conditions then omit.
 */
export interface Viewer {
  tenantSql(bind: Bind): string;
  userSql(bind: Bind): string;
  roleSql(bind: Bind): string;
  /** `true` or `false` if the permissions are known. */
  hasSql(permission: Permission): string;
}

/** The members in the rows `m` of `members`, joined with their roles `r`. `tenantId` is a placeholder. */
export function membersIn(tenantId: string): Viewer {
  return { ...rolesIn(tenantId), userSql: () => 'm.user_id' };
}

/** Members without grants, lists and documents of their own, by the rows `r` of `roles`. */
export function rolesIn(tenantId: string): Viewer {
  return {
    tenantSql: () => tenantId,
    userSql: () => 'NULL::uuid',
    roleSql: () => 'r.id',
    hasSql: (permission) => `'${permission}' = ANY (r.permissions)`,
  };
}
