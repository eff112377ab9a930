import assert from 'node:assert/strict';
import { type BenchArguments, isSelected } from './arguments.js';
import { setSynchronousCommit } from './database.js';
import { type BenchEnvironment, UNLIMITED_REQUESTS } from './environment.js';
import { type LoadRequest, type LoadResult, fetchOnce, runLoad } from './load.js';
import { memoryOf, processorTimeOf } from './machine.js';
import { LIST_FILES, OPERATIONS, type Operation } from './operations.js';
import { captureStatements, externalRequests, startPeer } from './peers.js';
import { type Outcome, log, printTable, spreadText, verdictText } from './report.js';
import { type ServerProcess } from './server-process.js';
import { type Spread, median, spread } from './statistics.js';
import { type Measurement, verdictsOf } from './verdicts.js';

export const CONNECTIONS = 32;
/** After this number, V8 has compiled the hot code of the service, which has more code than the peers. */
const WARM_UP_REQUESTS = 4000;
const MAX_WARM_UP_SECONDS = 20;
/** Requests of each operation whose answers are compared. */
const COMPARED = 40;
const DOCUMENT_OPERATIONS = ['ListFileDocuments', 'SearchDocuments'];

interface Target {
  readonly name: string;
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for an external server. */
  readonly pid: number | null;
  /** Undefined for an operation that the server does not have. */
  readonly next: (operation: Operation) => (() => LoadRequest) | undefined;
}

interface Sample extends LoadResult {
  /** CPU time of the server per request, in microseconds. */
  readonly processor: number;
  /** Resident memory at the end of the round, in MiB. */
  readonly memory: number;
}

/** Measures each operation in rounds that include all targets, so that disturbances affect all targets equally. */
export async function compare(bench: BenchEnvironment, args: BenchArguments): Promise<Outcome> {
  const start = args.only.length > 0 ? null : await startTimes(bench, args.quick ? 3 : 7);
  const targets = await startTargets(bench, args);
  const measurements: Measurement[] = [];
  for (const operation of OPERATIONS.filter(({ name }) => isSelected(name, args.only))) {
    const measured = await measure(bench, args, operation, targets);
    const rates = measured.map(({ target, perSecond }) => `${target} ${perSecond.median.toFixed(0)}/s`);
    log(`${operation.name}: ${rates.join(', ')}`);
    measurements.push(...measured);
  }
  const memory = targets.flatMap(({ name, pid }) => (pid === null ? [] : [{ name, ...memoryOf(pid) }]));
  const verdicts = verdictsOf(measurements, memory[0]?.peak ?? Number.NaN, start);
  const orEmpty = (value: number) => (Number.isNaN(value) ? '' : value.toFixed(0));
  printTable(
    [
      ...['operation', 'server', 'requests/s', 'ratio to bare', 'p50 ms', 'p99 ms'],
      ...['p99 ratio to bare', 'CPU µs/request', 'RSS, MiB'],
    ],
    measurements.map(({ operation, target, perSecond, ratio, p50, p99, p99Ratio, processor, memory }) => [
      ...[operation, target, spreadText(perSecond, 0), spreadText(ratio), p50.toFixed(1), p99.toFixed(1)],
      ...[p99Ratio.median.toFixed(2), orEmpty(processor), orEmpty(memory)],
    ]),
  );
  printTable(
    ['server', 'RSS after the load, MiB', 'RSS maximum, MiB'],
    memory.map(({ name, now, peak }) => [name, now.toFixed(0), peak.toFixed(0)]),
  );
  printTable(
    ['measure', 'target', 'measured', 'result'],
    verdicts.map(({ name, target, measured, met }) => [name, target, measured, verdictText(met)]),
  );
  return { results: { start, measurements, memory, verdicts }, met: verdicts.every(({ met }) => met) };
}

/** Milliseconds from the start of the process to the first 200 to an authenticated request. */
async function startTimes(bench: BenchEnvironment, rounds: number): Promise<Spread> {
  const times: number[] = [];
  const probe = { path: LIST_FILES[0]?.path ?? '', headers: await bench.headersOf('admin') };
  // Round -1 is not counted: it loads the program from the disk.
  for (let round = -1; round < rounds; round += 1) {
    const service = await bench.startService({ probe });
    if (round >= 0) times.push(service.startMs);
    await service.stop();
  }
  return spread(times);
}

/** The service is the first one. Peers must answer the same bytes. */
async function startTargets(bench: BenchEnvironment, args: BenchArguments): Promise<Target[]> {
  const headers = await bench.headersOf('admin');
  const ofDocuments = ({ name }: Operation) => DOCUMENT_OPERATIONS.includes(name);
  const captured = await captureStatements(bench, OPERATIONS.filter(ofDocuments));
  const local = (name: string, { origin, pid }: ServerProcess, has = (_: Operation) => true): Target => ({
    ...{ name, origin, headers, pid },
    next: (operation) => (has(operation) ? operation.next : undefined),
  });
  const startService = (checkout?: string) =>
    bench.startService({ environment: UNLIMITED_REQUESTS, checkout });
  const service = local('service', await startService());
  const peers = [
    local('bare', await startPeer(bench, 'bare', { captured })),
    local(
      'bare, timestamps as text',
      await startPeer(bench, 'bare', { timestamps: 'text' }),
      ({ name }) => name === 'ListFiles',
    ),
    local('Fastify', await startPeer(bench, 'fastify'), (operation) => !ofDocuments(operation)),
  ];
  for (const peer of peers) {
    const requests = OPERATIONS.filter((operation) => peer.next(operation) !== undefined).flatMap(
      ({ reads }) => reads.slice(0, COMPARED),
    );
    await checkSameAnswers(service, peer, requests);
  }
  log('the answers of the peers are equal to those of the service');
  const targets = [service, ...peers];
  if (args.against !== undefined) targets.push(local('--against', await startService(args.against)));
  if (args.peer !== undefined) {
    const theirs: Record<string, string> = args.token ? { authorization: `Bearer ${args.token}` } : {};
    const requests = await externalRequests(args.peer, theirs);
    const { origin } = new URL(args.peer);
    targets.push({ name: '--peer', origin, headers: theirs, pid: null, next: ({ name }) => requests[name] });
  }
  return targets;
}

/**
 * Checks that the servers do the same work: throws unless their answers have the same bytes. Cursors are compared
 * without their signature, which only the service can create.
 */
async function checkSameAnswers(
  service: Target,
  peer: Target,
  requests: readonly LoadRequest[],
): Promise<void> {
  for (const request of requests) {
    const [expected, actual] = [await answerOf(service, request), await answerOf(peer, request)];
    assert.equal(
      actual,
      expected,
      `The answer of ${peer.name} to ${request.path} differs from that of the service`,
    );
  }
}

/** Without the signature: 16 bytes, and the four bits that share a base64url character with the last one. */
async function answerOf({ origin, headers }: Target, request: LoadRequest): Promise<string> {
  const response = await fetchOnce(origin, headers, request);
  return (await response.text()).replace(/("nextCursor":")[\w-]{22}/, '$1');
}

async function measure(
  { database: { ownerUrl } }: BenchEnvironment,
  { rounds, seconds }: BenchArguments,
  operation: Operation,
  targets: readonly Target[],
): Promise<Measurement[]> {
  const measured = targets.filter((target) => target.next(operation));
  const samples = new Map<string, Sample[]>(measured.map(({ name }) => [name, []]));
  if (operation.synchronousCommit) await setSynchronousCommit(ownerUrl, operation.synchronousCommit);
  try {
    for (const target of measured) await warmUp(target, operation);
    for (let round = 0; round < rounds; round += 1) {
      const first = round % measured.length;
      const order = [...measured.slice(first), ...measured.slice(0, first)];
      // What a server still does in the background after a load, such as numbering events, disturbs the next one.
      if (round % 2 === 1) order.reverse();
      for (const target of order) samples.get(target.name)?.push(await sampleOf(target, operation, seconds));
    }
  } finally {
    if (operation.synchronousCommit) await setSynchronousCommit(ownerUrl, null);
  }
  const bare = samples.get('bare') ?? [];
  return [...samples].map(([target, some]) => summarise(operation, target, some, bare));
}

async function warmUp(target: Target, operation: Operation): Promise<void> {
  let answers = 0;
  for (let seconds = 0; answers < WARM_UP_REQUESTS && seconds < MAX_WARM_UP_SECONDS; seconds += 1)
    answers += (await sampleOf(target, operation, 1)).answers;
}

async function sampleOf(target: Target, operation: Operation, seconds: number): Promise<Sample> {
  const { origin, headers, pid } = target;
  const { status } = operation;
  const next = target.next(operation) ?? operation.next;
  const processorTime = () => (pid === null ? Number.NaN : processorTimeOf(pid));
  const before = processorTime();
  const result = await runLoad({ origin, headers, connections: CONNECTIONS, seconds, next, status });
  const processor = ((processorTime() - before) * 1e6) / result.answers;
  return { ...result, processor, memory: pid === null ? Number.NaN : memoryOf(pid).now };
}

function summarise(
  { name, minRatio, maxP99Ratio }: Operation,
  target: string,
  samples: readonly Sample[],
  bare: readonly Sample[],
): Measurement {
  type Key = 'perSecond' | 'p50' | 'p99' | 'processor' | 'memory';
  const all = (key: Key) => samples.map((sample) => sample[key]);
  const toBare = (key: Key) =>
    spread(samples.map((sample, round) => sample[key] / (bare[round]?.[key] ?? Number.NaN)));
  return {
    ...{ operation: name, minRatio, maxP99Ratio, target },
    perSecond: spread(all('perSecond')),
    ratio: toBare('perSecond'),
    p50: median(all('p50')),
    p99: median(all('p99')),
    p99Ratio: toBare('p99'),
    processor: median(all('processor')),
    memory: Math.max(...all('memory')),
  };
}
