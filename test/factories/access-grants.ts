import { newId } from '../../src/common/identifier.js';
import { type Actor } from '../support/actor.js';
import { type TestTenant } from '../support/tenant.js';

export interface GrantOverrides {
  readonly level?: 'Read' | 'Write';
  /** Whether to grant to the role of the actor instead of the actor. */
  readonly toRole?: boolean;
  /** As SQL: `now() - interval '1 second'`. */
  readonly expiresAt?: string;
  readonly revoked?: boolean;
}

/** Inserts an access grant directly and invalidates cached rights, as the service does. */
export async function saveAccessGrant(
  tenant: TestTenant,
  actor: Actor,
  target: { readonly file: string } | { readonly fileType: string },
  { level = 'Read', toRole = false, expiresAt = 'NULL', revoked = false }: GrantOverrides = {},
): Promise<string> {
  const id = newId();
  const [targetType, targetId] = 'file' in target ? ['File', target.file] : ['FileType', target.fileType];
  await tenant.service.query(
    `INSERT INTO access_grants (tenant_id, id, subject_type, subject_id, target_type, target_id, target_created_at,
                                level, expires_at, created_by, revoked_at)
     SELECT $1, $2, $3, CASE WHEN $3 = 'Role' THEN m.role_id ELSE m.user_id END, $5, $6,
            CASE WHEN $5 = 'File'
                 THEN coalesce((SELECT f.created_at FROM files f WHERE f.tenant_id = $1 AND f.id = $6), now()) END,
            $7, ${expiresAt}, $4,
            CASE WHEN $8::boolean THEN now() END
       FROM members m WHERE m.tenant_id = $1 AND m.user_id = $4`,
    [tenant.id, id, toRole ? 'Role' : 'User', actor.userId, targetType, targetId, level, revoked],
  );
  await tenant.increaseAccessVersion();
  return id;
}
