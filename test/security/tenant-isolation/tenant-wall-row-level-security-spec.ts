import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestService } from '../../support/service/service.js';
import { tenantWall } from './support/tenant-wall.js';
import {
  type RewrittenGround,
  rewrittenGround,
  startWithProxies,
  withService,
} from './support/wall-ground.js';

/** Conditions on the tenant: by its id, and by that of another row. */
const BY_ID = /(?<!\bSET )\b(?:\w+\.)?tenant_id = (\$\d+)(?:::uuid)?/g;
const BY_ROW = /(?<!\btenant_slugs \w+ ON )\b\w+\.tenant_id = \w+\.(?:tenant_id|id)\b/g;

/** Slugs lead to tenants, so everybody can look them up: there the tenant is the question, not a wall. */
const ABOUT_SLUGS = /\b(?:FROM|UPDATE|INTO) tenant_slugs\b/;
const SLUG_OF_TENANT = /\btenant_slugs \w+ ON \w+\.tenant_id = t\.id\b/g;

/** As if whoever wrote the statement had forgotten the tenant. The value stays, for its type is known by it. */
function withoutTenant(sql: string): string {
  return ABOUT_SLUGS.test(sql) ? sql : sql.replace(BY_ID, '$1::uuid IS NOT NULL').replace(BY_ROW, 'true');
}

describe('The wall between two tenants when no statement names its tenant', () => {
  let service: TestService;
  let ground: RewrittenGround;
  const wall = tenantWall(
    async () => {
      service = await startWithProxies();
      ground = await rewrittenGround(service, 'serviceUrl', withoutTenant);
      return withService(ground);
    },
    { withTokens: false, step: 4 },
  );

  it('has stood without a single condition on the tenant', () => {
    const { changed, passed } = ground.proxy;
    expect(changed.size).toBeGreaterThan(100);
    const left = [...passed].filter(
      (sql) =>
        !ABOUT_SLUGS.test(sql) && /\btenant_id\s*(?:[=<>]|IN\b|IS\b)/i.test(sql.replace(SLUG_OF_TENANT, '')),
    );
    expect(left).toEqual([]);
  });

  describe('before a role that passes row level security by', () => {
    let open: RewrittenGround;
    beforeAll(async () => {
      open = await rewrittenGround(service, 'ownerUrl', withoutTenant);
    });
    afterAll(() => open.stop());

    it('falls: so it was row level security that held', async () => {
      const { own, other, people } = wall();
      const headers = { Authorization: `Bearer ${people.administrator.token}` };
      const response = await fetch(`${open.url}/api/v1/t/${own.tenant.slug}/tags?limit=200`, { headers });
      const { items } = (await response.json()) as { items: { id: string }[] };
      expect(items.map(({ id }) => id)).toContain(other.things.tag);
    });
  });
});
