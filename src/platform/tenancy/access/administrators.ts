import { Problem } from '../../../common/problem.js';
import { type TenantTransaction } from '../../database/transactions/tenant-transaction.js';
import { type Permission } from '../../../common/vocabulary/permissions.js';

/** Who holds both can give every other right back; so somebody always does. */
const ADMINISTRATING: readonly Permission[] = ['roles.manage', 'members.manage'];

export function isAdministrating(permissions: readonly string[]): boolean {
  return ADMINISTRATING.every((permission) => permissions.includes(permission));
}

/**
 * Throws `member.last-administrator` when no member is left who can manage both roles and members. Only members who
 * have called the tenant count: any (issuer, subject) can be made a member, also one that nobody can log in as. Asked
 * after a change that took this from somebody, in a transaction that has called `changeAccess`: such changes of one
 * tenant wait for each other, so two of them cannot each count on the other's administrator.
 */
export async function refuseWithoutAdministrator(tx: TenantTransaction): Promise<void> {
  const left = await tx.query(
    `SELECT FROM members m JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
      WHERE m.tenant_id = $1 AND r.tenant_id = $1 AND r.permissions @> $2
        AND (m.first_called_at IS NOT NULL OR m.user_id = $3) LIMIT 1`,
    [tx.tenantId, ADMINISTRATING, tx.context.actorId],
  );
  if (left.length === 0) throw new Problem('member.last-administrator');
}
