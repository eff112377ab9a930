import { type Permission } from '../../../common/vocabulary/permissions.js';

/** A member who holds both can give every other right back, so one such member must always be left. */
export const ADMINISTRATING: readonly Permission[] = ['roles.manage', 'members.manage'];

export function isAdministrating(permissions: readonly string[]): boolean {
  return ADMINISTRATING.every((permission) => permissions.includes(permission));
}
