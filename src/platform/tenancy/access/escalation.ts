import { Problem } from '../../../common/problem.js';
import { type Permission, isPermission } from '../../../common/vocabulary/permissions.js';
import { type Caller } from './caller.js';

/**
 * Prevents privilege escalation: a caller who assigns, changes or removes a role must have all permissions of the role,
 * before and after the change. Throws `permission.escalation` otherwise. Permissions that no longer exist are ignored.
 *
 * Order of checks: after those of the request and of stored data (400, 404), before conflicts (409). Call it in a
 * transaction that has called `startAccessChange`, so that the caller's own rights are current.
 */
export function refuseEscalation(caller: Caller, ...permissionLists: readonly (readonly string[])[]): void {
  const isHeld = (permission: Permission) => caller.has(permission);
  if (!permissionLists.flat().filter(isPermission).every(isHeld)) throw new Problem('permission.escalation');
}
