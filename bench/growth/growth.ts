import pg from 'pg';
import { type BenchArguments, isSelected } from '../arguments.js';
import { type BenchRun } from '../bench-run.js';
import { type CapturedStatement } from '../captured.js';
import { withClient } from '../database.js';
import { ensureServiceRole } from '../../src/platform/database/service-role/derived-service-role.js';
import { type LoadRequest, runLoad } from '../load.js';
import { idSql } from '../seed/rows.js';
import { tenantId } from '../seed/tenants.js';
import { type ServerProcess } from '../server-process.js';
import { median } from '../statistics.js';
import { type CapturingApplication } from '../capturing-application.js';
import { type GrowthCase, growthCases } from './growth-cases.js';
import { GROWTH_SLUG, grow, withConfidentialDocuments } from './growth-tenant.js';

/** In milliseconds, of one case at one size. */
export interface Cost {
  /** A request over HTTP, without other load. */
  readonly http: number;
  /** Only its statements, as the service role, on an open connection. */
  readonly database: number;
}

export interface Growth {
  readonly name: string;
  readonly limit: number;
  /** Costs in the order of the sizes. */
  readonly costs: readonly Cost[];
  /** HTTP time at the largest size divided by that at the smallest. */
  readonly ratio: number;
  readonly databaseRatio: number;
  readonly met: boolean;
  /** Plans at the largest size when the limit is exceeded. */
  readonly plans: readonly string[];
}

export interface GrowthResults {
  readonly sizes: readonly number[];
  readonly cases: readonly Growth[];
}

const SECONDS_EACH = 0.4;
const RUNS = 9;

/** Grows one tenant and measures the same requests at each size. */
export async function growth(run: BenchRun, args: BenchArguments): Promise<GrowthResults> {
  const { ownerUrl } = run.database;
  const sizes = [10_000, 100_000, ...(args.quick ? [] : [1_000_000]), ...(args.huge ? [10_000_000] : [])];
  const serviceUrl = await ensureServiceRole(ownerUrl);
  const costs = new Map<string, Cost[]>();
  const plans = new Map<string, string[]>();
  const file = await fileWithManyDocuments(ownerUrl);
  const cases = growthCases(file).filter(({ name }) => isSelected(name, args.only));
  let size = 0;
  let service: ServerProcess | undefined;
  let application: CapturingApplication | undefined;
  const measure = async (some: readonly GrowthCase[]) => {
    if (!service || !application) return;
    for (const one of some) {
      const headers = run.headers(await run.tokenOf(one.user));
      const request = await requestOf(one, application, headers, ownerUrl, size);
      const { statements } = await application.statementsOf(one.name, request, headers);
      const http = await httpCost(service.origin, headers, request);
      const database = await asService(serviceUrl, (client) => databaseCost(client, statements));
      const all = costs.get(one.name) ?? [];
      costs.set(one.name, [...all, { http, database }]);
      const first = all[0];
      if (size === sizes.at(-1) && first && http / first.http > one.limit)
        plans.set(one.name, await asService(serviceUrl, (client) => explain(client, statements)));
    }
  };
  for (const to of sizes) {
    const began = performance.now();
    await grow(ownerUrl, size, to);
    size = to;
    run.log(`${to} files: created in ${Math.round((performance.now() - began) / 1000)} s`);
    service ??= await run.startService();
    application ??= await run.startCapturingApplication();
    await measure(cases.filter(({ amongConfidential }) => !amongConfidential));
    const confidential = cases.filter(({ amongConfidential }) => amongConfidential);
    if (confidential.length > 0) await withConfidentialDocuments(ownerUrl, to, () => measure(confidential));
  }
  await application?.stop();
  return {
    sizes,
    cases: cases.map((one) => resultOf(one, costs.get(one.name) ?? [], plans.get(one.name) ?? [])),
  };
}

function resultOf({ name, limit }: GrowthCase, costs: readonly Cost[], plans: readonly string[]): Growth {
  const [first, last] = [costs[0], costs.at(-1)];
  const ratio = (last?.http ?? Number.NaN) / (first?.http ?? Number.NaN);
  const databaseRatio = (last?.database ?? Number.NaN) / (first?.database ?? Number.NaN);
  return { name, limit, costs, ratio, databaseRatio, met: ratio <= limit, plans };
}

async function fileWithManyDocuments(ownerUrl: string): Promise<string> {
  return withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(`SELECT ${idSql('file', GROWTH_SLUG, '7')} AS id`);
    return rows[0]?.id ?? '';
  });
}

/** With `depth`, the request includes the cursor. */
async function requestOf(
  { request, depth }: GrowthCase,
  application: CapturingApplication,
  headers: Readonly<Record<string, string>>,
  ownerUrl: string,
  size: number,
): Promise<LoadRequest> {
  if (!depth) return request;
  const column = depth.table === 'audit_entries' ? 'occurred_at' : 'created_at';
  const position = await withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ at: string; id: string }>(
      `SELECT to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, id FROM ${depth.table}
        WHERE tenant_id = $1 ORDER BY ${column} DESC, id DESC OFFSET $2 LIMIT 1`,
      [
        tenantId(GROWTH_SLUG),
        Math.floor(Math.min(size, depth.table === 'files' ? size : 1_000_000) * depth.share),
      ],
    );
    return rows[0];
  });
  if (!position) throw new Error(`${depth.table} has too few rows`);
  const cursor = await application.cursorAt(request, headers, [position.at, position.id]);
  return { ...request, path: `${request.path}&cursor=${cursor}` };
}

/** Median time of sequential requests after a warm-up, in milliseconds. */
async function httpCost(
  origin: string,
  headers: Readonly<Record<string, string>>,
  request: LoadRequest,
): Promise<number> {
  const load = { origin, headers, connections: 1, status: 200, next: () => request };
  await runLoad({ ...load, seconds: SECONDS_EACH / 4 });
  const { p50 } = await runLoad({ ...load, seconds: SECONDS_EACH });
  return p50;
}

async function databaseCost(client: pg.Client, statements: readonly CapturedStatement[]): Promise<number> {
  const times: number[] = [];
  for (let round = -2; round < RUNS; round += 1) {
    const began = performance.now();
    for (const { name, text, values } of statements)
      await client.query({ ...(name !== null && { name }), text, values: [...values] });
    if (round >= 0) times.push(performance.now() - began);
  }
  return median(times);
}

async function explain(client: pg.Client, statements: readonly CapturedStatement[]): Promise<string[]> {
  const plans: string[] = [];
  for (const { text, values } of statements) {
    // Skip the EXPLAIN with which searches by words estimate the number of rows.
    if (text.startsWith('EXPLAIN')) continue;
    const { rows } = await client.query<Record<string, string>>(`EXPLAIN (ANALYZE, BUFFERS) ${text}`, [
      ...values,
    ]);
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  return plans;
}

async function asService<T>(serviceUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: serviceUrl,
    options: `-c TimeZone=UTC -c app.tenant_id=${tenantId(GROWTH_SLUG)}`,
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
