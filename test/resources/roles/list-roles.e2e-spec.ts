import { beforeEach, describe, expect, it } from '@jest/globals';
import { BUILT_IN_ROLES } from '../../../src/common/vocabulary/built-in-roles.js';
import { saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { pagedList, readAll } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ListRoles', () => {
  let tenant: TestTenant;
  let auditor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    auditor = await tenant.as('auditor');
  });

  const names = async (limit = 200) =>
    (await readAll(auditor, '/roles', limit)).map((role) => (role as unknown as { name: string }).name);

  pagedList({
    actor: () => auditor,
    other: () => tenant.as('administrator'),
    path: '/roles',
    otherPath: '/members',
    neverEmpty: true,
    fill: async (where, count) => {
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) {
        ids.push((await saveRole(where, [], `A ${String(n).padStart(3, '0')}`)).id);
      }
      const byName = ['administrator', 'auditor', 'editor', 'guest', 'records_manager', 'viewer'] as const;
      return [...ids, ...(await Promise.all(byName.map((key) => where.roleId(key))))];
    },
  });

  it('returns 200 with the built-in roles, and custom roles without a key', async () => {
    const { id } = await saveRole(tenant, ['tags.manage', 'files.read'], 'Zettelkasten');
    const response = await auditor.get('/roles').expect(200);
    const byName = [...BUILT_IN_ROLES].sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(response.body).toEqual({
      items: [
        ...byName.map(({ key, name, permissions }) => ({
          id: expect.any(String),
          key,
          name,
          isBuiltIn: true,
          permissions: expect.arrayContaining([...permissions]),
        })),
        {
          id,
          key: null,
          name: 'Zettelkasten',
          isBuiltIn: false,
          permissions: ['files.read', 'tags.manage'],
        },
      ],
      nextCursor: null,
    });
    expect(response.headers.etag).toBeUndefined();
    const { items } = response.body as { items: { key: string; permissions: string[] }[] };
    for (const { key, permissions } of BUILT_IN_ROLES) {
      expect(items.find((role) => role.key === key)?.permissions).toHaveLength(permissions.length);
    }
  });

  it('returns 200 sorted by name in the root collation, ignoring case', async () => {
    for (const name of ['vieweR 2', 'Übung', 'édition', 'EDITOR A', 'zz', '10', '9']) {
      await saveRole(tenant, [], name);
    }
    const sorted = [
      ...['10', '9', 'Administrator', 'Auditor', 'édition', 'Editor', 'EDITOR A', 'Guest'],
      ...['Records manager', 'Übung', 'Viewer', 'vieweR 2', 'zz'],
    ];
    expect(await names()).toEqual(sorted);
    expect(await names(1)).toEqual(sorted);
  });

  it('returns 200 without stored permissions that no longer exist', async () => {
    const { id } = await saveRole(tenant, ['stamps.collect' as 'files.read', 'files.read'], 'A');
    const { items } = (await auditor.get('/roles?limit=1')).body as { items: object[] };
    expect(items).toEqual([{ id, key: null, name: 'A', isBuiltIn: false, permissions: ['files.read'] }]);
  });
});
