import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { migrateDatabase } from '../src/platform/database/schema/migrate.js';
import { freeTestPort } from '../test/support/free-test-port.js';
import {
  PostgresProcess,
  installedVersions,
  programFolder,
} from '../test/support/servers/postgres-process.js';
import { type BenchArguments, isSelected } from './arguments.js';
import { type BenchRun } from './bench-run.js';
import { CONNECTIONS } from './compare.js';
import { runLoad } from './load.js';
import { processorTimeOfTree } from './machine.js';
import { type Operation, operations } from './operations.js';
import { table } from './report.js';
import { seed } from './seed/seed.js';
import { type Spread, median, spread } from './statistics.js';
import { spreadText } from './targets.js';

interface Figures {
  readonly perSecond: number;
  /** CPU time per request in µs. */
  readonly service: number;
  readonly primary: number;
  readonly replica: number;
  /** Share of the requests that the replica has answered. */
  readonly fromReplica: number;
}

export interface ReplicaResult {
  readonly operation: string;
  readonly load: string;
  readonly replicas: number;
  readonly perSecond: Spread;
  readonly figures: Figures;
}

interface Target {
  readonly replicas: number;
  readonly origin: string;
  readonly pid: number;
  readonly metricsUrl: string;
}

interface Load {
  readonly name: string;
  readonly connections: number;
  /** Whether another service creates files at the same time. Their CPU time is not that of the requests. */
  readonly writes: boolean;
}

/** Durable, as in production; the settings of the tests come first. */
const SETTINGS = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'shared_buffers=256MB'];
const MEASURED = ['ListFiles', 'ListFileDocuments', 'SearchDocuments'];
const LOADS: readonly Load[] = [
  { name: '1 connection', connections: 1, writes: false },
  { name: `${CONNECTIONS} connections`, connections: CONNECTIONS, writes: false },
  { name: `${CONNECTIONS} connections, writes`, connections: CONNECTIONS, writes: true },
];

/** Compares a service with a read replica on the same machine with one without, in alternating rounds. */
export async function replicas(
  run: BenchRun,
  { rounds, seconds, only }: BenchArguments,
): Promise<ReplicaResult[]> {
  const [version = 0] = await installedVersions();
  const primary = await PostgresProcess.start({
    bin: programFolder(version),
    authentication: 'host all,replication all 127.0.0.1/32 trust\n',
    settings: SETTINGS,
  });
  run.onClose(() => primary.stop());
  const ownerUrl = primary.superuserUrl.replace('postgres@', 'postgres:owner@');
  await migrateDatabase(ownerUrl);
  await seed(ownerUrl, run.issuer.url, run.log);
  const replica = await primary.replica(...SETTINGS);
  run.onClose(() => replica.stop());
  const all = await operations(ownerUrl);
  const targets = [
    await startTarget(run, ownerUrl, []),
    await startTarget(run, ownerUrl, [`postgres://127.0.0.1:${replica.port}`]),
  ] as const;
  const create = all.find(({ name }) => name === 'CreateFile');
  const results: ReplicaResult[] = [];
  for (const operation of all.filter(({ name }) => MEASURED.includes(name) && isSelected(name, only))) {
    for (const load of LOADS) {
      const measured = new Map<Target, Figures[]>(targets.map((target) => [target, []]));
      // The first round warms up.
      for (let round = -1; round < rounds; round += 1) {
        for (const target of targets) {
          const writing = load.writes && create ? send(run, targets[0], create, 1, seconds) : undefined;
          const servers = [target.pid, primary.pid, replica.pid];
          const figures = await measure(run, target, servers, operation, load, seconds);
          await writing;
          if (round >= 0) measured.get(target)?.push(figures);
        }
      }
      for (const target of targets) {
        const figures = measured.get(target) ?? [];
        const of = (name: keyof Figures) => figures.map((each) => each[name]);
        results.push({
          operation: operation.name,
          load: load.name,
          replicas: target.replicas,
          perSecond: spread(of('perSecond')),
          figures: {
            perSecond: median(of('perSecond')),
            service: median(of('service')),
            primary: median(of('primary')),
            replica: median(of('replica')),
            fromReplica: median(of('fromReplica')),
          },
        });
      }
      run.log(`${operation.name}, ${load.name}: measured`);
    }
  }
  return results;
}

async function startTarget(run: BenchRun, ownerUrl: string, urls: readonly string[]): Promise<Target> {
  const metricsPort = await freeTestPort();
  const { origin, pid } = await run.startService({
    unpinned: true,
    environment: {
      DATABASE_URL: ownerUrl,
      DATABASE_REPLICA_URLS: urls.join(','),
      DATA_DIR: await mkdtemp(path.join(run.database.folder, 'service-')),
      METRICS_PORT: String(metricsPort),
    },
  });
  return { replicas: urls.length, origin, pid, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` };
}

function send(
  run: BenchRun,
  { origin }: Target,
  { next, status }: Operation,
  connections: number,
  seconds: number,
) {
  return runLoad({ origin, headers: run.headers(), seconds, next, status, connections });
}

async function measure(
  run: BenchRun,
  target: Target,
  servers: readonly number[],
  operation: Operation,
  { connections }: Load,
  seconds: number,
): Promise<Figures> {
  const times = () => servers.map(processorTimeOfTree);
  const [readsBefore, before] = [await readsOf(target), times()];
  const { perSecond, answers } = await send(run, target, operation, connections, seconds);
  const [service = 0, primary = 0, replica = 0] = times().map(
    (time, index) => ((time - (before[index] ?? 0)) / answers) * 1e6,
  );
  const fromReplica = ((await readsOf(target)) - readsBefore) / answers;
  return { perSecond, service, primary, replica, fromReplica };
}

async function readsOf({ metricsUrl }: Target): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^database_replica_reads_total\{.*\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

export function replicaTable(results: readonly ReplicaResult[]): string {
  return table(
    [
      'operation',
      'load',
      'replicas',
      'requests/s',
      'CPU µs/request: service',
      'primary',
      'replica',
      'from replica',
    ],
    results.map(({ operation, load, replicas: count, perSecond, figures }) => [
      ...[operation, load, String(count), spreadText(perSecond, 0)],
      ...[figures.service, figures.primary, figures.replica].map((value) => value.toFixed(0)),
      `${(figures.fromReplica * 100).toFixed(0)} %`,
    ]),
  );
}
