import { beforeEach, describe, expect, it } from '@jest/globals';
import { BUILT_IN_ROLES_VERSION } from '../../../../src/platform/database/schema/built-in-roles.js';
import { migrateDatabase } from '../../../../src/platform/database/schema/migrate.js';
import { BUILT_IN_ROLES, type BuiltInRoleKey } from '../../../../src/common/vocabulary/built-in-roles.js';
import { type Actor } from '../../../support/actor.js';
import { waitForBlockedStatements } from '../../../support/locks.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { RAISE_ACCESS_VERSION } from '../../../support/database.js';

/** For tenants that were created before a permission was added, or was added to a built-in role. */
describe('updateBuiltInRoles', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer');
  });

  const setPermissions = (key: BuiltInRoleKey, permissions: readonly string[]) =>
    service.query('UPDATE roles SET permissions = $3 WHERE tenant_id = $1 AND key = $2', [
      tenant.id,
      key,
      permissions,
    ]);

  /** Permissions that another release has stored. */
  async function setFormerPermissions(key: BuiltInRoleKey, permissions: readonly string[]): Promise<void> {
    await setPermissions(key, permissions);
    await service.query('UPDATE tenants SET built_in_roles = NULL WHERE id = $1', [tenant.id]);
  }

  async function permissions(): Promise<Record<string, string[]>> {
    const rows = await service.query<{ key: string; permissions: string[] }>(
      'SELECT coalesce(key, name) AS key, permissions FROM roles WHERE tenant_id = $1',
      [tenant.id],
    );
    return Object.fromEntries(rows.map((row) => [row.key, row.permissions]));
  }

  const vocabulary = Object.fromEntries(
    BUILT_IN_ROLES.map(({ key, permissions: all }) => [key, [...all] as string[]]),
  );

  it('sets the permissions of this release, also for running instances', async () => {
    await setFormerPermissions('administrator', ['files.read']);
    await setFormerPermissions('viewer', ['files.read', 'roles.manage']);
    await tenant.increaseAccessVersion();
    await viewer.get('/tags').expect(403);
    await migrateDatabase(service.database.ownerUrl);
    expect(await permissions()).toEqual(vocabulary);
    // Also on an instance that was already running.
    await viewer.get('/tags').expect(200);
    expect(await tenant.audit()).toEqual([]);
  });

  it('keeps permissions of a newer release', async () => {
    await setFormerPermissions('guest', ['planets.read', 'files.read', 'planets.manage']);
    await migrateDatabase(service.database.ownerUrl);
    expect(await permissions()).toEqual({
      ...vocabulary,
      guest: [...(vocabulary.guest ?? []), 'planets.read', 'planets.manage'],
    });
  });

  it('does not read the roles of tenants that this release has created or updated', async () => {
    await setFormerPermissions('viewer', ['files.read']);
    await migrateDatabase(service.database.ownerUrl);
    expect(await permissions()).toEqual(vocabulary);
    await setPermissions('viewer', ['files.read']);
    await migrateDatabase(service.database.ownerUrl);
    expect((await permissions())['viewer']).toEqual(['files.read']);
    const created = await service.tenant();
    const [row] = await service.query<{ version: string }>(
      'SELECT built_in_roles AS version FROM tenants WHERE id = $1',
      [created.id],
    );
    expect(row?.version).toBe(BUILT_IN_ROLES_VERSION);
  });

  it('changes nothing when the roles are up to date, and never changes the tenant’s own roles', async () => {
    await tenant.with('tags.read');
    await setFormerPermissions('viewer', vocabulary['viewer'] ?? []);
    const before = await tenant.fingerprint();
    const former = await tenant.accessVersion();
    await migrateDatabase(service.database.ownerUrl);
    expect(await tenant.fingerprint()).toEqual(before);
    expect(await tenant.accessVersion()).toBe(former);
  });

  it('waits for a change of roles in progress, which does not wait for it', async () => {
    await setFormerPermissions('viewer', ['files.read']);
    const client = await service.owner.connect();
    try {
      await client.query('BEGIN');
      await client.query(RAISE_ACCESS_VERSION, [tenant.id]);
      const updated = migrateDatabase(service.database.ownerUrl);
      expect(await waitForBlockedStatements(service)).toBe(true);
      const role = `SELECT FROM roles WHERE tenant_id = $1 AND key = 'viewer' FOR UPDATE NOWAIT`;
      expect((await client.query(role, [tenant.id])).rowCount).toBe(1);
      await client.query('COMMIT');
      await updated;
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    expect(await permissions()).toEqual(vocabulary);
  });
});
