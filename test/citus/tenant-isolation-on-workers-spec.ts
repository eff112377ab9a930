import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { createApplication, openDatabase } from '../../src/application.js';
import { defineIsolationTests } from '../security/tenant-isolation/support/isolation-tests.js';
import {
  startServiceTrustingLoopback,
  withOwnService,
} from '../security/tenant-isolation/support/isolation-fixtures.js';
import { SqlRewritingProxy } from '../security/tenant-isolation/support/sql-rewriting-proxy.js';
import { nodeUrls } from '../support/database.js';
import { inDatabase } from '../support/database-nodes.js';
import { SecondInstance } from '../support/service/second-instance.js';
import { type TestService } from '../support/service/service.js';

/** Conditions on the tenant in the SQL that the coordinator sends to a worker; the last one is that of search views. */
const OF_TENANT = new RegExp(
  String.raw`(?:\w+\.)?tenant_id OPERATOR\(pg_catalog\.=\) (?:(\$\d+)|'[^']+'::uuid|\w+\.(?:tenant_id|id)|` +
    String.raw`\(NULLIF\(current_setting\('app\.tenant_id'::text, true\), ''::text\)\)::uuid)`,
  'g',
);
/** Citus adds it to INSERT ... SELECT. */
const NOT_NULL = /tenant_id IS NOT NULL/g;
/** A slug is looked up before the tenant is known. */
const ABOUT_SLUGS = /\b(?:FROM|UPDATE|INTO) public\.tenant_slugs_/;

/** Removes the conditions. A parameter stays, because PostgreSQL needs it to infer the type. */
function withoutTenant(sql: string): string {
  return sql.replace(OF_TENANT, (_condition, parameter?: string) =>
    parameter === undefined ? 'true' : `${parameter}::uuid IS NOT NULL`,
  );
}

/**
 * Tests row-level security on the workers alone: proxies between the nodes remove the conditions on the tenant. Both
 * tenants are on one shard. The nodes must connect to each other without TLS.
 */
describe('Tenant isolation on the workers without conditions on the tenant', () => {
  const proxies: SqlRewritingProxy[] = [];
  let service: TestService;
  let isUnprotected = false;

  const isolation = defineIsolationTests(
    async () => {
      service = await startServiceTrustingLoopback();
      const serviceRole = new URL(service.database.serviceUrl).username;
      const database = new URL(service.database.ownerUrl).pathname.slice(1);
      for (const url of nodeUrls().slice(1)) {
        const proxy = await SqlRewritingProxy.start(
          inDatabase(url, database),
          withoutTenant,
          (user) => isUnprotected || user === serviceRole,
        );
        proxies.push(proxy);
        await service.query(
          `SELECT citus_update_node(nodeid, '127.0.0.1', $2) FROM pg_dist_node WHERE nodeport = $1`,
          [Number(new URL(url).port), Number(new URL(proxy.url).port)],
        );
      }
      await keepTenantsTogether(service);
      const instance = await SecondInstance.start(service, {
        configuration: { trustedProxies: ['127.0.0.1'] },
      });
      return withOwnService({
        service,
        url: instance.url,
        server: instance.app.getHttpServer(),
        stop: () => instance.stop(),
      });
    },
    { withTokens: false, step: 4 },
  );
  afterAll(() => Promise.all(proxies.map((proxy) => proxy.stop())));

  it('has removed every condition on the tenant', () => {
    const changed = proxies.flatMap((proxy) => [...proxy.changed]);
    expect(changed.length).toBeGreaterThan(100);
    const forwarded = proxies.flatMap((proxy) => [...proxy.forwarded]);
    const remaining = forwarded.filter(
      (sql) =>
        !ABOUT_SLUGS.test(sql) &&
        /\btenant_id\s*(?:OPERATOR|[=<>]|IN\b|IS\b)/i.test(sql.replace(NOT_NULL, '')),
    );
    expect(remaining).toEqual([]);
  });

  it('shows data of other tenants to a role that bypasses row-level security', async () => {
    isUnprotected = true;
    const dataSource = await openDatabase(service.configuration, service.database.ownerUrl);
    const app = await createApplication(service.configuration, dataSource);
    try {
      await app.listen(0, '127.0.0.1');
      const { own, other, users } = isolation();
      const response = await fetch(`${await app.getUrl()}/api/v1/t/${own.tenant.slug}/tags?limit=200`, {
        headers: { Authorization: `Bearer ${users.administrator.token}` },
      });
      const { items } = (await response.json()) as { items: { id: string }[] };
      expect(items.map(({ id }) => id)).toContain(other.identifiers.tag);
    } finally {
      isUnprotected = false;
      await app.close();
      await dataSource.destroy();
    }
  });
});

/** Makes the service create tenants whose rows are in the same shards. */
async function keepTenantsTogether(service: TestService): Promise<void> {
  const create = service.tenant.bind(service);
  const shardOf = async (id: string) => {
    const [row] = await service.query<{ shard: string }>(
      `SELECT get_shard_id_for_distribution_column('roles', $1::uuid) AS shard`,
      [id],
    );
    return row?.shard;
  };
  const shard = await shardOf((await create()).id);
  jest.spyOn(service, 'tenant').mockImplementation(async () => {
    for (;;) {
      const tenant = await create();
      if ((await shardOf(tenant.id)) === shard) return tenant;
    }
  });
}
