import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { databaseProblem } from '../../src/platform/database/database-problems.js';
import { createTenant } from '../support/create-tenant.js';
import { inDatabase, runAsAdmin } from '../support/database-nodes.js';
import { demoToken } from '../support/demo-token.js';
import { type CitusCluster } from '../support/servers/citus-cluster.js';
import { type PostgresProcess } from '../support/servers/postgres-process.js';
import { ServiceProcess } from '../support/service/service-process.js';
import { waitUntil } from '../support/wait-until.js';
import { placementOf, restart, startOwnCluster } from './own-cluster.js';
import { TenantLoad } from './tenant-load.js';

const TENANTS = ['alpha', 'beta', 'gamma', 'delta'];
const ADMINISTRATOR = 'administrator@people.example';
const STEPS = 5;
/** Length of the end of the log that is reported, in characters. */
const LOG_LENGTH = 20_000;

/** `auto` copies a shard while it is written, by logical replication; `block_writes` lets writes wait. */
type TransferMode = 'auto' | 'block_writes';

describe('A Citus cluster under load', () => {
  let cluster: CitusCluster;
  let directory: string;
  let ownerUrl: string;
  let superuserUrl: string;
  let service: ServiceProcess;
  let url: string;
  let token: string;
  let loads: TenantLoad[];
  let runs = 0;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'filing-moving-'));
    ({ cluster, ownerUrl, superuserUrl } = await startOwnCluster());
    service = new ServiceProcess({
      PORT: '0',
      DATABASE_URL: ownerUrl,
      DATA_DIR: directory,
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_BURST: '1000000',
    });
    url = await service.url();
    token = await demoToken(url, directory, ADMINISTRATOR);
  });

  /** New tenants with load, at least one on each worker. */
  beforeEach(async () => {
    runs += 1;
    const slugs: string[] = [];
    for (let number = 1; number <= TENANTS.length || (await portsOf(slugs)).size < 2; number += 1) {
      const slug = `tenant-${runs}-${number}`;
      const expectedMembers = [{ email: ADMINISTRATOR, roleKey: 'administrator' as const }];
      await createTenant(ownerUrl, { slug, name: slug, expectedMembers });
      slugs.push(slug);
    }
    loads = slugs.map((slug) => new TenantLoad(slug, url, token));
    for (const load of loads) await load.start();
  });

  afterEach(() => Promise.all(loads.map((load) => load.stop())));

  afterAll(async () => {
    service.signal('SIGKILL');
    await service.exit;
    await cluster.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function portsOf(slugs: readonly string[]): Promise<Set<number>> {
    const placements = await Promise.all(slugs.map((slug) => placementOf(superuserUrl, slug)));
    return new Set(placements.map(({ port }) => port));
  }

  const otherPort = (port: number) => cluster.workers.find((worker) => worker.port !== port)?.port ?? 0;

  /** Citus deletes the shard on the former node later, when no transaction uses it. Until then it cannot move back. */
  async function waitUntilCleanedUp(): Promise<void> {
    await waitUntil(async () => {
      await runAsAdmin(superuserUrl, 'CALL citus_cleanup_orphaned_resources()');
      return (await runAsAdmin(superuserUrl, 'SELECT FROM pg_dist_cleanup')).length === 0;
    }, 'the deletion of the moved shard');
  }

  async function move(slug: string, mode: TransferMode): Promise<void> {
    await waitUntilCleanedUp();
    const { shard, port } = await placementOf(superuserUrl, slug);
    await runAsAdmin(
      superuserUrl,
      `SELECT citus_move_shard_placement(${shard}, '127.0.0.1', ${port}, '127.0.0.1', ${otherPort(port)}, '${mode}')`,
    );
    expect((await placementOf(superuserUrl, slug)).port).toBe(otherPort(port));
  }

  /** The statement of docs/deployment.md. */
  async function documentedSplit(slug: string, port: number): Promise<string> {
    const page = await readFile(new URL('../../docs/deployment.md', import.meta.url), 'utf8');
    const [, statement = ''] = /```sql\n(SELECT citus_split_shard_by_split_points.*?)```/s.exec(page) ?? [];
    return statement
      .replace('acme', slug)
      .replace('worker2.example', '127.0.0.1')
      .replace('5432', String(port));
  }

  const allProceed = () => Promise.all(loads.map((load) => load.waitForSteps(STEPS)));

  /** Every answered write is there once, in the right tenant, and no other one. */
  async function expectExactlyTheAnsweredWrites(): Promise<void> {
    await Promise.all(loads.map((load) => load.stop()));
    const unexpected = loads.flatMap((load) => load.unexpected);
    // The log has the cause.
    if (unexpected.length > 0) throw new Error([...unexpected, service.output.slice(-LOG_LENGTH)].join('\n'));
    for (const load of loads) {
      const { expected, found } = await load.compare();
      expect(found).toEqual(expected);
      expect(expected.length).toBeGreaterThanOrEqual(load.steps);
    }
  }

  /** Row-level security is enabled on each shard of a tenant table, and no policy is restrictive or missing. */
  async function expectRowLevelSecurity(): Promise<void> {
    const describeTables = (url: string, suffix: string) =>
      runAsAdmin(
        url,
        `SET citus.show_shards_for_app_name_prefixes = '*'`,
        `SELECT regexp_replace(c.relname, '_\\d+$', '') AS name, c.relrowsecurity AS enabled,
                ARRAY(SELECT p.polname || ' ' || p.polpermissive || ' ' || pg_get_expr(p.polqual, c.oid) || ' ' ||
                             coalesce(pg_get_expr(p.polwithcheck, c.oid), '')
                        FROM pg_policy p WHERE p.polrelid = c.oid ORDER BY 1) AS policies
           FROM pg_class c
          WHERE c.relkind = 'r' AND c.relname ~ '^(audit_entries|documents|files|members)${suffix}$'`,
      );
    const tables = await describeTables(superuserUrl, '');
    for (const worker of cluster.workers) {
      const shards = await describeTables(inDatabase(worker.superuserUrl, 'filing'), '_\\d+');
      expect(shards.length).toBeGreaterThan(0);
      for (const shard of shards) expect(tables).toContainEqual(shard);
    }
  }

  it.each(['auto', 'block_writes'] as const)(
    'loses and repeats no write while a tenant moves to another node and back (%s)',
    async (mode) => {
      const [{ slug } = { slug: '' }] = loads;
      await allProceed();
      await move(slug, mode);
      await allProceed();
      await expectRowLevelSecurity();
      await move(slug, mode);
      await allProceed();
      await expectExactlyTheAnsweredWrites();
    },
  );

  it('loses and repeats no write while a tenant gets a shard of its own, which moves', async () => {
    const [{ slug } = { slug: '' }] = loads;
    await allProceed();
    const before = await placementOf(superuserUrl, slug);
    await runAsAdmin(
      superuserUrl,
      `SELECT isolate_tenant_to_new_shard('roles', (SELECT tenant_id FROM tenant_slugs WHERE slug = '${slug}'), 'CASCADE', 'block_writes')`,
    );
    const isolated = await placementOf(superuserUrl, slug);
    expect(isolated).toEqual({ shard: expect.not.stringMatching(`^${before.shard}$`), port: before.port });
    await allProceed();
    await move(slug, 'auto');
    await allProceed();
    await expectRowLevelSecurity();
    await expectExactlyTheAnsweredWrites();
  });

  it('loses and repeats no write while a shard is split on another node, with a shard of its own for a tenant', async () => {
    const [{ slug } = { slug: '' }] = loads;
    await allProceed();
    await waitUntilCleanedUp();
    const before = await placementOf(superuserUrl, slug);
    await runAsAdmin(superuserUrl, await documentedSplit(slug, otherPort(before.port)));
    const after = await placementOf(superuserUrl, slug);
    expect(after).toEqual({
      shard: expect.not.stringMatching(`^${before.shard}$`),
      port: otherPort(before.port),
    });
    await allProceed();
    await expectRowLevelSecurity();
    await expectExactlyTheAnsweredWrites();
  });

  it('serves the tenants of the other nodes while a worker is down, and all again after its restart', async () => {
    await allProceed();
    const [worker] = cluster.workers as [PostgresProcess];
    const placements = await Promise.all(loads.map(({ slug }) => placementOf(superuserUrl, slug)));
    const affected = loads.filter((_load, index) => placements[index]?.port === worker.port);
    const others = loads.filter((load) => !affected.includes(load));
    const commit = await openTransaction(affected[0]?.slug ?? '');
    process.kill(worker.pid, 'SIGKILL');
    await Promise.all(affected.map((load) => waitForFailure(load)));
    await Promise.all(others.map((load) => load.waitForSteps(STEPS)));
    await Promise.all(affected.map((load) => waitForFailure(load)));
    const failure = await commit().catch((error: unknown) => error);
    expect(databaseProblem(failure)).toMatchObject({ code: 'service.unavailable' });
    await restart(worker);
    await allProceed();
    await expectExactlyTheAnsweredWrites();
  });

  /** Opens a transaction that has changed rows of the tenant. Returns the function that commits it. */
  async function openTransaction(slug: string): Promise<() => Promise<unknown>> {
    const client = new pg.Client({ connectionString: superuserUrl });
    await client.connect();
    await client.query('BEGIN');
    const { rows } = await client.query<{ id: string }>(
      'SELECT tenant_id AS id FROM tenant_slugs WHERE slug = $1',
      [slug],
    );
    await client.query('UPDATE roles SET name = name WHERE tenant_id = $1', [rows[0]?.id]);
    return () => client.query('COMMIT').finally(() => client.end());
  }

  async function waitForFailure(load: TenantLoad): Promise<void> {
    const { unavailable } = load;
    await waitUntil(() => load.unavailable > unavailable, `a 503 of ${load.slug}`);
  }
});
