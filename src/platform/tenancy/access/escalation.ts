import { Problem } from '../../../common/problem.js';
import { isPermission } from '../../../common/vocabulary/permissions.js';
import { type Caller } from './caller.js';

/**
 * No escalation: who gives, changes or takes away a role must hold everything in it, as it was and as it becomes
 * (`permission.escalation` otherwise). Permissions that the vocabulary no longer has allow nothing, so nobody needs
 * them. Comes after everything that the request and stored data refuse (400, 404), before conflicts (409), and in a
 * transaction that has called `startAccessChange`, so that the caller's own rights are those of this moment.
 */
export function refuseEscalation(caller: Caller, ...permissionLists: readonly (readonly string[])[]): void {
  if (!caller.holdsAll(permissionLists.flat().filter(isPermission)))
    throw new Problem('permission.escalation');
}
