import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestService } from '../../support/service/service.js';
import { defineIsolationTests } from './support/isolation-tests.js';
import {
  type RewritingFixture,
  startRewritingFixture,
  startServiceTrustingLoopback,
  withOwnService,
} from './support/isolation-fixtures.js';

/** Conditions on the tenant in SQL: compared with a parameter, and with another row. */
const BY_ID = /(?<!\bSET )\b(?:\w+\.)?tenant_id = (\$\d+)(?:::uuid)?/g;
const BY_ROW = /(?<!\btenant_slugs \w+ ON )\b\w+\.tenant_id = \w+\.(?:tenant_id|id)\b/g;

/** Statements about slugs are not rewritten: a slug is looked up before the tenant is known. */
const ABOUT_SLUGS = /\b(?:FROM|UPDATE|INTO) tenant_slugs\b/;
const SLUG_OF_TENANT = /\btenant_slugs \w+ ON \w+\.tenant_id = t\.id\b/g;

/** Removes the conditions on the tenant. The parameter stays, because PostgreSQL needs it to infer the type. */
function withoutTenant(quoted: string): string {
  // Statements of TypeORM's query builder quote all names.
  const sql = quoted.replace(/"([a-z_]+)"/g, '$1');
  return ABOUT_SLUGS.test(sql) ? sql : sql.replace(BY_ID, '$1::uuid IS NOT NULL').replace(BY_ROW, 'true');
}

describe('Tenant isolation without conditions on the tenant', () => {
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

  it('has removed every condition on the tenant', () => {
    const { changed, forwarded } = fixture.proxy;
    expect(changed.size).toBeGreaterThan(100);
    const remaining = [...forwarded].filter(
      (sql) =>
        !ABOUT_SLUGS.test(sql) && /\btenant_id\s*(?:[=<>]|IN\b|IS\b)/i.test(sql.replace(SLUG_OF_TENANT, '')),
    );
    expect(remaining).toEqual([]);
  });

  describe('under a role that bypasses row-level security', () => {
    let unprotected: RewritingFixture;
    beforeAll(async () => {
      unprotected = await startRewritingFixture(service, 'ownerUrl', withoutTenant);
    });
    afterAll(() => unprotected.stop());

    it('shows data of other tenants, which proves that row-level security protected them', async () => {
      const { own, other, users } = isolation();
      const headers = { Authorization: `Bearer ${users.administrator.token}` };
      const response = await fetch(`${unprotected.url}/api/v1/t/${own.tenant.slug}/tags?limit=200`, {
        headers,
      });
      const { items } = (await response.json()) as { items: { id: string }[] };
      expect(items.map(({ id }) => id)).toContain(other.identifiers.tag);
    });
  });
});
