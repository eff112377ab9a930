import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestService } from '../../support/service/service.js';
import { defineIsolationTests } from './support/isolation-tests.js';
import {
  type RewritingFixture,
  startRewritingFixture,
  startServiceTrustingLoopback,
  withOwnService,
} from './support/isolation-fixtures.js';

/** Conditions on the tenant: by its id, and by that of another row. */
const BY_ID = /(?<!\bSET )\b(?:\w+\.)?tenant_id = (\$\d+)(?:::uuid)?/g;
const BY_ROW = /(?<!\btenant_slugs \w+ ON )\b\w+\.tenant_id = \w+\.(?:tenant_id|id)\b/g;

/** Slugs lead to tenants, so everybody can look them up: there the tenant is the question, not a isolation. */
const ABOUT_SLUGS = /\b(?:FROM|UPDATE|INTO) tenant_slugs\b/;
const SLUG_OF_TENANT = /\btenant_slugs \w+ ON \w+\.tenant_id = t\.id\b/g;

/** As if whoever wrote the statement had forgotten the tenant. The value stays, for its type is known by it. */
function withoutTenant(sql: string): string {
  return ABOUT_SLUGS.test(sql) ? sql : sql.replace(BY_ID, '$1::uuid IS NOT NULL').replace(BY_ROW, 'true');
}

describe('The isolation between two tenants when no statement names its tenant', () => {
  let service: TestService;
  let fixture: RewritingFixture;
  const isolation = defineIsolationTests(
    async () => {
      service = await startServiceTrustingLoopback();
      fixture = await startRewritingFixture(service, 'serviceUrl', withoutTenant);
      return withOwnService(fixture);
    },
    { withTokens: false, step: 4 },
  );

  it('has stood without a single condition on the tenant', () => {
    const { changed, passed } = fixture.proxy;
    expect(changed.size).toBeGreaterThan(100);
    const left = [...passed].filter(
      (sql) =>
        !ABOUT_SLUGS.test(sql) && /\btenant_id\s*(?:[=<>]|IN\b|IS\b)/i.test(sql.replace(SLUG_OF_TENANT, '')),
    );
    expect(left).toEqual([]);
  });

  describe('before a role that passes row level security by', () => {
    let open: RewritingFixture;
    beforeAll(async () => {
      open = await startRewritingFixture(service, 'ownerUrl', withoutTenant);
    });
    afterAll(() => open.stop());

    it('falls: so it was row level security that held', async () => {
      const { own, other, users } = isolation();
      const headers = { Authorization: `Bearer ${users.administrator.token}` };
      const response = await fetch(`${open.url}/api/v1/t/${own.tenant.slug}/tags?limit=200`, { headers });
      const { items } = (await response.json()) as { items: { id: string }[] };
      expect(items.map(({ id }) => id)).toContain(other.identifiers.tag);
    });
  });
});
