import { type BenchArguments, isSelected } from './arguments.js';
import { type BenchRun, type PeerName } from './bench-run.js';
import { setSynchronousCommit } from './database.js';
import { type LoadResult, runLoad } from './load.js';
import { memoryOf, processorTimeOf } from './machine.js';
import { type Operation, type OperationName, operations } from './operations.js';
import { openExternalServer } from './external-server.js';
import { checkSameAnswers } from './same-answers.js';
import { type ServerProcess } from './server-process.js';
import { type Spread, median, spread } from './statistics.js';

export const CONNECTIONS = 32;
/** After this number, V8 has compiled the hot code of the service, which has more code than the peers. */
const WARM_UP_REQUESTS = 4000;
const MAX_WARM_UP_SECONDS = 20;

export type TargetName = 'service' | PeerName | 'peer' | 'against';

interface Target {
  readonly name: TargetName;
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Process id; null for an external server. */
  readonly pid: number | null;
  readonly next: (operation: Operation) => Operation['next'] | null;
}

interface Sample extends LoadResult {
  /** CPU time of the server per request, in microseconds. */
  readonly processor: number;
  /** Resident memory at the end of the round, in MiB. */
  readonly memory: number;
}

export interface Measurement {
  readonly operation: OperationName;
  readonly target: TargetName;
  readonly perSecond: Spread;
  /** Ratio of requests per second to the bare server in the same round. */
  readonly ratio: Spread;
  readonly p50: number;
  readonly p99: number;
  readonly p99Ratio: Spread;
  readonly processor: number;
  /** Maximum resident memory after a round, in MiB. */
  readonly memory: number;
}

export interface Comparison {
  readonly measurements: readonly Measurement[];
  /** Ratio of the service to `bareText` in ListFiles. */
  readonly ratioToBareText: Spread | null;
  /** Resident memory after the load and its maximum, in MiB. */
  readonly memory: Readonly<Record<string, { readonly now: number; readonly peak: number }>>;
  readonly sameBytes: number;
}

const DOCUMENT_OPERATIONS: readonly string[] = ['ListFileDocuments', 'SearchDocuments'];

/** Measures each operation in rounds that include all targets, so that disturbances affect all targets equally. */
export async function compare(run: BenchRun, args: BenchArguments): Promise<Comparison> {
  const captured = await run.captureDocuments();
  const service = await run.startService();
  const bare = await run.startPeer('bare', captured);
  const bareText = await run.startPeer('bareText');
  const fastify = await run.startPeer('fastify');
  const ofFiles = (operation: string) => !DOCUMENT_OPERATIONS.includes(operation);
  const sameBytes = await checkSameAnswers(run, service, [
    { name: 'bare', server: bare, answers: () => true },
    { name: 'bareText', server: bareText, answers: ofFiles },
    { name: 'fastify', server: fastify, answers: ofFiles },
  ]);
  run.log(`${sameBytes} answers of the peers are equal to those of the service`);

  const headers = run.headers();
  const local = (name: TargetName, server: ServerProcess, has: (name: string) => boolean): Target => ({
    ...{ name, origin: server.origin, headers, pid: server.pid },
    next: (operation) => (has(operation.name) ? operation.next : null),
  });
  const targets: Target[] = [
    local('service', service, () => true),
    local('bare', bare, () => true),
    local('bareText', bareText, (name) => name === 'ListFiles'),
    local('fastify', fastify, ofFiles),
  ];
  if (args.against !== undefined) {
    const other = await run.startService({ checkout: args.against });
    targets.splice(
      1,
      0,
      local('against', other, () => true),
    );
  }
  if (args.peer) {
    const external = await openExternalServer(args.peer.url, args.peer.token, args.peer.path);
    targets.push({ name: 'peer', ...external, pid: null, next: ({ name }) => external.loads[name] ?? null });
  }

  const measurements: Measurement[] = [];
  let ratioToBareText: Spread | null = null;
  const selected = (await operations(run.database.ownerUrl)).filter(({ name }) =>
    isSelected(name, args.only),
  );
  for (const operation of selected) {
    const samples = await measure(run, args, operation, targets);
    for (const [target, ofTarget] of samples) {
      measurements.push(summarise(operation.name, target, ofTarget, samples.get('bare') ?? []));
    }
    const text = samples.get('bareText');
    if (text)
      ratioToBareText = spread(ratios(samples.get('service') ?? [], text, ({ perSecond }) => perSecond));
  }
  const memory = { service, bare, bareText, fastify };
  return {
    ...{ measurements, ratioToBareText, sameBytes },
    memory: Object.fromEntries(Object.entries(memory).map(([name, { pid }]) => [name, memoryOf(pid)])),
  };
}

async function measure(
  run: BenchRun,
  { rounds, seconds }: BenchArguments,
  operation: Operation,
  targets: readonly Target[],
): Promise<Map<TargetName, Sample[]>> {
  const measured = targets.filter((target) => target.next(operation) !== null);
  const samples = new Map<TargetName, Sample[]>(measured.map(({ name }) => [name, []]));
  if (operation.synchronousCommit)
    await setSynchronousCommit(run.database.ownerUrl, operation.synchronousCommit);
  try {
    for (const target of measured) await warmUp(target, operation);
    for (let round = 0; round < rounds; round += 1) {
      const first = round % measured.length;
      for (const target of [...measured.slice(first), ...measured.slice(0, first)]) {
        samples.get(target.name)?.push(await sampleOf(target, operation, seconds));
      }
    }
  } finally {
    if (operation.synchronousCommit) await setSynchronousCommit(run.database.ownerUrl, null);
  }
  const rates = [...samples].map(
    ([name, all]) => `${name} ${Math.round(median(all.map((s) => s.perSecond)))}/s`,
  );
  run.log(`${operation.name}: ${rates.join(', ')}`);
  return samples;
}

async function warmUp(target: Target, operation: Operation): Promise<void> {
  for (
    let answers = 0, seconds = 0;
    answers < WARM_UP_REQUESTS && seconds < MAX_WARM_UP_SECONDS;
    seconds += 1
  ) {
    answers += (await sampleOf(target, operation, 1)).answers;
  }
}

async function sampleOf(target: Target, operation: Operation, seconds: number): Promise<Sample> {
  const { origin, headers, pid } = target;
  const before = pid === null ? Number.NaN : processorTimeOf(pid);
  const next = target.next(operation) ?? operation.next;
  const result = await runLoad({
    origin,
    headers,
    connections: CONNECTIONS,
    seconds,
    next,
    status: operation.status,
  });
  const used = pid === null ? Number.NaN : processorTimeOf(pid) - before;
  const memory = pid === null ? Number.NaN : memoryOf(pid).now;
  return { ...result, memory, processor: (used * 1e6) / result.answers };
}

function summarise(
  operation: OperationName,
  target: TargetName,
  samples: readonly Sample[],
  bare: readonly Sample[],
): Measurement {
  return {
    ...{ operation, target },
    perSecond: spread(samples.map(({ perSecond }) => perSecond)),
    ratio: spread(ratios(samples, bare, ({ perSecond }) => perSecond)),
    p50: median(samples.map(({ p50 }) => p50)),
    p99: median(samples.map(({ p99 }) => p99)),
    p99Ratio: spread(ratios(samples, bare, ({ p99 }) => p99)),
    processor: median(samples.map(({ processor }) => processor)),
    memory: Math.max(...samples.map(({ memory }) => memory)),
  };
}

function ratios(
  samples: readonly Sample[],
  bare: readonly Sample[],
  of: (sample: Sample) => number,
): number[] {
  return samples.map((sample, round) => {
    const reference = bare[round];
    return reference ? of(sample) / of(reference) : Number.NaN;
  });
}
