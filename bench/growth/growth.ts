import pg from 'pg';
import { ensureServiceRole } from '../../src/platform/database/service-role/derived-service-role.js';
import { type BenchArguments, isSelected } from '../arguments.js';
import { type CapturedStatement } from '../captured.js';
import { CapturingApplication } from '../capturing-application.js';
import { type BenchEnvironment, UNLIMITED_REQUESTS } from '../environment.js';
import { type LoadRequest, runLoad } from '../load.js';
import { type Outcome, log, print, printTable, verdictText } from '../report.js';
import { createdAt, rowId } from '../seed/rows.js';
import { tenantId } from '../seed/tenants.js';
import { type ServerProcess } from '../server-process.js';
import { median } from '../statistics.js';
import { GROWTH_CASES, type GrowthCase } from './growth-cases.js';
import { GROWTH_SLUG, MAX_DOCUMENTS, grow, withConfidentialDocuments } from './growth-tenant.js';

/** In milliseconds, of one case at one size. */
interface Cost {
  /** A request over HTTP, without other load. */
  readonly http: number;
  /** Only its statements, as the service role, on an open connection. */
  readonly database: number;
}

interface Growth {
  readonly case: GrowthCase;
  /** In the order of the sizes. */
  readonly costs: Cost[];
  /** Plans at the largest size when the limit is exceeded. */
  plans: readonly string[];
}

const SECONDS_EACH = 0.4;
const RUNS = 9;

/** Grows one tenant and measures the same requests at each size. */
export async function growth(bench: BenchEnvironment, args: BenchArguments): Promise<Outcome> {
  const { ownerUrl } = bench.database;
  const sizes = [10_000, 100_000, ...(args.quick ? [] : [1_000_000]), ...(args.huge ? [10_000_000] : [])];
  const all: Growth[] = GROWTH_CASES.filter(({ name }) => isSelected(name, args.only)).map((one) => ({
    case: one,
    costs: [],
    plans: [],
  }));
  let size = 0;
  for (const to of sizes) {
    const began = performance.now();
    await grow(ownerUrl, size, to);
    log(`${to} files: created in ${Math.round((performance.now() - began) / 1000)} s`);
    size = to;
    // Started again: the service does not expect that a tenant grows a hundredfold within minutes.
    const meter = await GrowthMeter.start(bench);
    const measure = async (amongConfidential: boolean) => {
      for (const one of all)
        if ((one.case.amongConfidential ?? false) === amongConfidential)
          await meter.measure(one, size, size === sizes.at(-1));
    };
    await measure(false);
    if (all.some(({ case: { amongConfidential } }) => amongConfidential))
      await withConfidentialDocuments(ownerUrl, size, () => measure(true));
    await meter.stop();
  }
  const results = all.map(resultOf);
  printTable(
    [
      'request: ms over HTTP (ms in the database)',
      ...sizes.map((files) => files.toLocaleString('en')),
      ...['ratio', 'database ratio', 'limit', 'result'],
    ],
    results.map(({ name, costs, ratio, databaseRatio, limit, met }) => [
      name,
      ...costs.map(({ http, database }) => `${http.toFixed(1)} (${database.toFixed(1)})`),
      ...[ratio.toFixed(2), databaseRatio.toFixed(2), String(limit), verdictText(met)],
    ]),
  );
  for (const { name, plans } of results) for (const plan of plans) print(`${name}:\n\n${plan}\n`);
  return { results: { sizes, cases: results }, met: results.every(({ met }) => met) };
}

function ratioOf(costs: readonly Cost[], key: keyof Cost): number {
  return (costs.at(-1)?.[key] ?? Number.NaN) / (costs[0]?.[key] ?? Number.NaN);
}

function resultOf({ case: { name, limit }, costs, plans }: Growth) {
  const ratio = ratioOf(costs, 'http');
  const databaseRatio = ratioOf(costs, 'database');
  return { name, limit, costs, ratio, databaseRatio, met: ratio <= limit, plans };
}

/** Measures requests in the service, and their statements on a connection of the service role. */
class GrowthMeter {
  private constructor(
    private readonly bench: BenchEnvironment,
    private readonly service: ServerProcess,
    private readonly application: CapturingApplication,
    private readonly client: pg.Client,
  ) {}

  static async start(bench: BenchEnvironment): Promise<GrowthMeter> {
    const service = await bench.startService({ environment: UNLIMITED_REQUESTS });
    const application = await CapturingApplication.start(bench.serviceEnvironment);
    const client = new pg.Client({
      connectionString: await ensureServiceRole(bench.database.ownerUrl),
      options: `-c TimeZone=UTC -c app.tenant_id=${tenantId(GROWTH_SLUG)}`,
    });
    await client.connect();
    return new GrowthMeter(bench, service, application, client);
  }

  async measure(growth: Growth, size: number, isLargest: boolean): Promise<void> {
    const { name, user, limit } = growth.case;
    const headers = await this.bench.headersOf(user);
    const request = await this.requestOf(growth.case, headers, size);
    const { statements } = await this.application.statementsOf(name, request, headers);
    const http = await this.httpCost(headers, request);
    growth.costs.push({ http, database: await this.databaseCost(statements) });
    if (isLargest && ratioOf(growth.costs, 'http') > limit) growth.plans = await this.explain(statements);
  }

  /** With `depth`, the request includes the cursor. */
  private async requestOf(
    { request, depth }: GrowthCase,
    headers: Readonly<Record<string, string>>,
    size: number,
  ): Promise<LoadRequest> {
    if (!depth) return request;
    // The newest rows, which have the greatest numbers, come first.
    const rows = depth.rows === 'file' ? size : Math.min(size, MAX_DOCUMENTS);
    const row = rows - Math.floor(rows * depth.share);
    const position = [createdAt(row), rowId(depth.rows, GROWTH_SLUG, row)];
    const cursor = await this.application.cursorAt(request, headers, position);
    return { ...request, path: `${request.path}&cursor=${cursor}` };
  }

  /** Median time of sequential requests after a warm-up, in milliseconds. */
  private async httpCost(headers: Readonly<Record<string, string>>, request: LoadRequest): Promise<number> {
    const load = { origin: this.service.origin, headers, connections: 1, status: 200, next: () => request };
    await runLoad({ ...load, seconds: SECONDS_EACH / 4 });
    const { p50 } = await runLoad({ ...load, seconds: SECONDS_EACH });
    return p50;
  }

  private async databaseCost(statements: readonly CapturedStatement[]): Promise<number> {
    const times: number[] = [];
    for (let round = -2; round < RUNS; round += 1) {
      const began = performance.now();
      for (const { name, text, values } of statements)
        await this.client.query({ ...(name !== null && { name }), text, values: [...values] });
      if (round >= 0) times.push(performance.now() - began);
    }
    return median(times);
  }

  private async explain(statements: readonly CapturedStatement[]): Promise<string[]> {
    const plans: string[] = [];
    for (const { text, values } of statements) {
      // Skip the EXPLAIN with which searches by words estimate the number of rows.
      if (text.startsWith('EXPLAIN')) continue;
      const { rows } = await this.client.query<Record<string, string>>(`EXPLAIN (ANALYZE, BUFFERS) ${text}`, [
        ...values,
      ]);
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    return plans;
  }

  async stop(): Promise<void> {
    await this.client.end();
    await this.application.stop();
    await this.service.stop();
  }
}
