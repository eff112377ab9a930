import { type Permission } from '../../../common/vocabulary/permissions.js';

/** A member with both permissions can restore all other rights, so each tenant must always have such a member. */
export const ADMINISTRATOR_PERMISSIONS: readonly Permission[] = ['roles.manage', 'members.manage'];

export function hasAdministratorPermissions(permissions: readonly string[]): boolean {
  return ADMINISTRATOR_PERMISSIONS.every((permission) => permissions.includes(permission));
}
