import { type Permission } from '../../../common/vocabulary/permissions.js';

/** A member who holds both can give every other right back, so one such member must always be left. */
export const ADMINISTRATOR_PERMISSIONS: readonly Permission[] = ['roles.manage', 'members.manage'];

export function hasAdministratorPermissions(permissions: readonly string[]): boolean {
  return ADMINISTRATOR_PERMISSIONS.every((permission) => permissions.includes(permission));
}
