import { newId } from '../../src/common/identifier.js';
import { type Actor } from '../support/actor.js';
import { type TestTenant } from '../support/tenant.js';

export interface NotificationOverrides {
  /** ISO 8601; now by default. */
  readonly createdAt?: string;
  /** ISO 8601; unread by default. */
  readonly readAt?: string;
}

/** Inserts a notification directly. Its type is RoleChanged, which every recipient may always see. */
export async function saveNotification(
  tenant: TestTenant,
  { userId }: Actor,
  { createdAt, readAt }: NotificationOverrides = {},
): Promise<string> {
  const id = newId();
  const parameters = { roleId: newId(), roleName: 'Editor', actorName: 'Ada' };
  await tenant.service.query(
    `INSERT INTO notifications (tenant_id, id, user_id, type, parameters, created_at, read_at)
     VALUES ($1, $2, $3, 'RoleChanged', $4, coalesce($5, now()), $6)`,
    [tenant.id, id, userId, JSON.stringify(parameters), createdAt ?? null, readAt ?? null],
  );
  return id;
}
