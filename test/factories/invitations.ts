import { randomBytes } from 'node:crypto';
import { emailKey } from '../../src/common/email-address.js';
import { newId } from '../../src/common/identifier.js';
import { hashOfSecret } from '../../src/resources/invitations/invitation-secret.js';
import { type BuiltInRoleKey } from '../../src/common/vocabulary/built-in-roles.js';
import { type Actor } from '../support/actor.js';
import { type TestTenant } from '../support/tenant.js';

export interface InvitationOverrides {
  readonly email?: string;
  readonly role?: BuiltInRoleKey;
  readonly roleId?: string;
  readonly message?: string;
  /** As SQL: `now() - interval '1 second'`. */
  readonly expiresAt?: string;
  readonly status?: 'Pending' | 'Accepted' | 'Declined' | 'Revoked' | 'Expired';
}

export interface SavedInvitation {
  readonly id: string;
  readonly email: string;
  readonly secret: string;
}

let count = 0;

/** Inserts an invitation directly, without audit entry and mail. */
export async function saveInvitation(
  tenant: TestTenant,
  inviter: Actor,
  overrides: InvitationOverrides = {},
): Promise<SavedInvitation> {
  const id = newId();
  const secret = randomBytes(32).toString('base64url');
  count += 1;
  const { email = `invited-${count}@people.example`, role = 'viewer', message = null } = overrides;
  const { expiresAt = `now() + interval '1 hour'`, status = 'Pending' } = overrides;
  await tenant.service.query(
    `INSERT INTO invitations (tenant_id, id, email, email_key, role_id, pending_role_id, status, message, secret_hash,
                              invited_by, expires_at, accepted_at, revoked_at)
     VALUES ($1, $2, $3, $4, $5, CASE WHEN $6 = 'Pending' THEN $5::uuid END, $6, $7, $8, $9, ${expiresAt},
             CASE WHEN $6 = 'Accepted' THEN now() END, CASE WHEN $6 = 'Revoked' THEN now() END)`,
    [
      tenant.id,
      id,
      email,
      emailKey(email),
      overrides.roleId ?? (await tenant.roleId(role)),
      status,
      message,
      hashOfSecret(secret),
      inviter.userId,
    ],
  );
  return { id, email, secret };
}
