import { type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTenant } from '../test/support/create-tenant.js';
import { type BenchArguments } from './arguments.js';
import { type BenchRun } from './bench-run.js';
import { memoryOf, processorTimeOf } from './machine.js';
import { table } from './report.js';
import { type ServerProcess } from './server-process.js';
import { quantile } from './statistics.js';
import { TenantClient } from './tenant-client.js';

/** 500 streams: 5 tenants × 10 callers × 10 streams of each. */
const TENANTS = 5;
const CALLERS = 10;
const STREAMS = 10;

const IDLE_SECONDS = 20;

/** The round without streams first: opening them once loads and compiles code. */
const SETTLE_MS = 5000;

const WRITES_PER_SECOND = 10;

interface Figures {
  readonly kind: 'events' | 'notifications';
  readonly streams: number;
  /** Resident memory in MiB without open streams. */
  readonly before: number;
  readonly with: number;
  /** Share of one core while nothing is written. */
  readonly idle: number;
}

export interface StreamResults {
  readonly figures: readonly Figures[];
  /** Milliseconds from the answer of a write to the arrival of its event in each of the streams of its tenant. */
  readonly delay: { readonly writes: number; readonly median: number; readonly p99: number };
}

/** Measures the memory and the processor time of 500 open streams on one instance, and the delay of events in them. */
export async function streams(run: BenchRun, { seconds }: BenchArguments): Promise<StreamResults> {
  const readers = await createReaders(run);
  const service = await run.startService({ probePath: '/readyz' });
  for (const reader of readers) await reader.request(service, 'GET', '/me');
  const figures: Figures[] = [];
  for (const kind of ['events', 'notifications'] as const) {
    await close(await openAll(service, readers, kind));
    await sleep(SETTLE_MS);
    const before = memoryOf(service.pid).now;
    const open = await openAll(service, readers, kind);
    await sleep(SETTLE_MS);
    const began = processorTimeOf(service.pid);
    await sleep(IDLE_SECONDS * 1000);
    const idle = (processorTimeOf(service.pid) - began) / IDLE_SECONDS;
    figures.push({ kind, streams: open.length, before, with: memoryOf(service.pid).now, idle });
    run.log(`${open.length} streams of ${kind}`);
    await close(open);
  }
  return { figures, delay: await delayOf(service, readers, seconds) };
}

async function createReaders(run: BenchRun): Promise<TenantClient[]> {
  const readers: TenantClient[] = [];
  const callers = Array.from({ length: CALLERS }, (_, n) => ({
    subject: `reader ${n}`,
    email: `reader-${n}@bench.example`,
  }));
  for (let n = 0; n < TENANTS; n += 1) {
    const slug = `streams-${n}`;
    await createTenant(run.database.ownerUrl, {
      slug,
      name: slug,
      expectedMembers: callers.map(({ email }) => ({ email: `${n}-${email}`, roleKey: 'administrator' })),
    });
    for (const { subject, email } of callers)
      readers.push(
        new TenantClient(
          slug,
          await run.issuer.token({ subject: `${n} ${subject}`, email: `${n}-${email}` }),
        ),
      );
  }
  return readers;
}

async function openAll(
  service: ServerProcess,
  readers: readonly TenantClient[],
  kind: Figures['kind'],
): Promise<IncomingMessage[]> {
  const all: IncomingMessage[] = [];
  for (const reader of readers)
    all.push(...(await Promise.all(Array.from({ length: STREAMS }, () => reader.stream(service, kind)))));
  return all;
}

async function close(all: readonly IncomingMessage[]): Promise<void> {
  for (const response of all) response.destroy();
  // Until the service has noticed it.
  await sleep(1000);
}

/** Writes in one tenant while all streams are open, and measures when its streams have the event. */
async function delayOf(service: ServerProcess, readers: readonly TenantClient[], seconds: number) {
  const all = await openAll(service, readers, 'events');
  const [writer] = readers;
  if (!writer) throw new Error('There are no readers');
  const delays: number[] = [];
  let answered = Infinity;
  let expected = 0;
  for (const response of all.slice(0, CALLERS * STREAMS))
    response.on('data', (chunk: string) => {
      if (!chunk.includes('event: ')) return;
      // An event can arrive before the answer of its write.
      delays.push(Math.max(0, performance.now() - answered));
      expected -= 1;
    });
  const writes = Math.max(20, Math.round(seconds * WRITES_PER_SECOND));
  for (let n = 0; n < writes; n += 1) {
    expected = CALLERS * STREAMS;
    answered = Infinity;
    await writer.request(service, 'POST', '/tags', { name: `Tag ${n}` });
    answered = performance.now();
    while (expected > 0) await sleep(1);
    await sleep(1000 / WRITES_PER_SECOND);
  }
  await close(all);
  return { writes, median: quantile(delays, 0.5), p99: quantile(delays, 0.99) };
}

export function streamTable({ figures, delay }: StreamResults): string {
  const rows = figures.map(({ kind, streams: count, before, with: now, idle }) => [
    ...[kind, String(count), before.toFixed(0), now.toFixed(0)],
    (((now - before) * 1024) / count).toFixed(1),
    `${(idle * 100).toFixed(1)} %`,
  ]);
  const { writes, median, p99 } = delay;
  return [
    table(
      ['streams of', 'open', 'RSS without, MiB', 'RSS with, MiB', 'KiB per stream', 'processor time, idle'],
      rows,
    ),
    '',
    `From the answer of a write to the event in 100 of the streams, ${writes} writes: median ${median.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms.`,
  ].join('\n');
}
