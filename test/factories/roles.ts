import { emailKey } from '../../src/common/email-address.js';
import { newId } from '../../src/common/identifier.js';
import { nameKey } from '../../src/common/text.js';
import { type Permission } from '../../src/common/vocabulary/permissions.js';
import { type Actor } from '../support/actor.js';
import { type TestTenant } from '../support/tenant.js';

let count = 0;

/** Inserts a custom role directly, without an audit entry. */
export async function saveRole(
  tenant: TestTenant,
  permissions: readonly Permission[],
  name = `Role ${(count += 1)}`,
  key = nameKey(name),
): Promise<{ id: string; name: string }> {
  const id = newId();
  await tenant.service.query(
    'INSERT INTO roles (tenant_id, id, name, name_key, permissions) VALUES ($1, $2, $3, $4, $5)',
    [tenant.id, id, name, key, permissions],
  );
  return { id, name };
}

/** Changes the role of a member directly and invalidates cached rights. */
export async function setMemberRole(tenant: TestTenant, { userId }: Actor, roleId: string): Promise<void> {
  await tenant.service.query('UPDATE members SET role_id = $3 WHERE tenant_id = $1 AND user_id = $2', [
    tenant.id,
    userId,
    roleId,
  ]);
  await tenant.increaseAccessVersion();
}

export async function roleIdOf(tenant: TestTenant, { userId }: Actor): Promise<string | null> {
  const [member] = await tenant.service.query<{ role_id: string }>(
    'SELECT role_id FROM members WHERE tenant_id = $1 AND user_id = $2',
    [tenant.id, userId],
  );
  return member?.role_id ?? null;
}

/** Inserts an expected member: a user with this verified address becomes a member with the first request. */
export async function saveExpectedMember(tenant: TestTenant, email: string, roleId: string): Promise<void> {
  await tenant.service.query(
    'INSERT INTO expected_members (tenant_id, email_key, email, role_id) VALUES ($1, $2, $3, $4)',
    [tenant.id, emailKey(email), email, roleId],
  );
}
