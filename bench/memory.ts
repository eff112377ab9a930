import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { S3Server } from '../test/support/servers/s3-server.js';
import { ApiClient } from './api-client.js';
import { type BenchArguments } from './arguments.js';
import { type BenchEnvironment, UNLIMITED_REQUESTS } from './environment.js';
import { memoryOf } from './machine.js';
import { type Outcome, log, print, printTable } from './report.js';
import { mean, median } from './statistics.js';

/** Limits in MiB: above the memory before the load, and of the last third of the rounds above the first. */
const MAX_ABOVE_BASE = 100;
const MAX_GROWTH = 25;

const MEBIBYTE = 1024 * 1024;
const SLUG = 'memory';
const SAMPLE_EVERY_MS = 50;

interface Phase {
  readonly direction: 'upload' | 'download';
  readonly seconds: number;
  /** Resident memory in MiB. */
  readonly median: number;
  readonly max: number;
}

interface StoreMemory {
  readonly store: string;
  readonly base: number;
  readonly phases: readonly Phase[];
  readonly after: number;
}

interface Content {
  readonly id: string;
  readonly sha256: string;
}

/** Uploads a unique content of random bytes. */
async function upload(client: ApiClient, mebibytes: number): Promise<Content> {
  const hash = createHash('sha256');
  const block = randomBytes(MEBIBYTE);
  async function* form() {
    yield Buffer.from(
      '--b\r\nContent-Disposition: form-data; name="document"\r\n\r\n{"title":"Large"}\r\n' +
        '--b\r\nContent-Disposition: form-data; name="content"; filename="large.bin"\r\n\r\n',
    );
    for (let n = 0; n < mebibytes; n += 1) {
      const piece = Buffer.from(block);
      piece.writeUInt32BE(n);
      hash.update(piece);
      yield piece;
    }
    yield Buffer.from('\r\n--b--\r\n');
  }
  const response = await client.send('/documents', {
    ...{ method: 'POST', body: form(), duplex: 'half' },
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  });
  const { id } = (await response.json()) as { id: string };
  return { id, sha256: hash.digest('hex') };
}

async function download(client: ApiClient, { id, sha256 }: Content): Promise<void> {
  const { body } = await client.send(`/documents/${id}/content`);
  const hash = createHash('sha256');
  for await (const chunk of body as AsyncIterable<Uint8Array>) hash.update(chunk);
  if (hash.digest('hex') !== sha256) throw new Error('A download differs from its upload.');
}

async function phaseOf(
  direction: Phase['direction'],
  pid: number,
  work: () => Promise<unknown>,
): Promise<Phase> {
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(memoryOf(pid).now), SAMPLE_EVERY_MS);
  const began = performance.now();
  await work().finally(() => clearInterval(timer));
  const seconds = (performance.now() - began) / 1000;
  return { direction, seconds, median: median(samples), max: Math.max(...samples) };
}

async function measureStore(
  bench: BenchEnvironment,
  store: string,
  { rounds, parallel, mebibytes }: BenchArguments,
  settings: Record<string, string>,
): Promise<StoreMemory> {
  const service = await bench.startService({
    environment: {
      ...{ UPLOAD_LIMIT_BYTES: String(mebibytes * MEBIBYTE), LOG_LEVEL: 'warn' },
      ...UNLIMITED_REQUESTS,
      ...settings,
    },
  });
  const client = new ApiClient(service.origin, SLUG, await bench.tokenOf(SLUG));
  // Warm up, so that loading and compiling code is not measured.
  for (let n = 0; n < 2; n += 1) await download(client, await upload(client, Math.min(8, mebibytes)));
  await sleep(1000);
  const base = memoryOf(service.pid).now;
  const phases: Phase[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    let contents: Content[] = [];
    const uploads = () => Array.from({ length: parallel }, () => upload(client, mebibytes));
    phases.push(
      await phaseOf('upload', service.pid, async () => (contents = await Promise.all(uploads()))),
      await phaseOf('download', service.pid, () =>
        Promise.all(contents.map((content) => download(client, content))),
      ),
    );
    log(`${store}: round ${round} of ${rounds}, maximum ${phases.at(-1)?.max.toFixed(0)} MiB`);
  }
  await sleep(2000);
  const after = memoryOf(service.pid).now;
  await service.stop();
  return { store, base, phases, after };
}

/** Mean memory of the first and of the last third of the phases, and the maximum of all. */
function course(phases: readonly Phase[]): { first: number; last: number; max: number } {
  const third = Math.max(1, Math.floor(phases.length / 3));
  const medians = phases.map((phase) => phase.median);
  return {
    first: mean(medians.slice(0, third)),
    last: mean(medians.slice(-third)),
    max: Math.max(...phases.map(({ max }) => max)),
  };
}

function exceededLimits({ store, base, phases }: StoreMemory): string[] {
  const { first, last, max } = course(phases);
  const limits = [
    [max - base, MAX_ABOVE_BASE, 'above the start value'],
    [last - first, MAX_GROWTH, 'more in the last third of the rounds than in the first'],
  ] as const;
  return limits
    .filter(([value, limit]) => value > limit)
    .map(([value, limit, what]) => `${store}: ${value.toFixed(0)} MiB ${what}, limit ${limit}`);
}

/** Uploads and downloads large contents in parallel, and measures the memory of the service. */
export async function memory(bench: BenchEnvironment, args: BenchArguments): Promise<Outcome> {
  const { parallel, mebibytes } = args;
  await bench.createTenant(SLUG, [SLUG]);
  const results: StoreMemory[] = [];
  if (args.store !== 's3') results.push(await measureStore(bench, 'disk', args, {}));
  if (args.store !== 'disk') {
    const bucket = await S3Server.start();
    try {
      results.push(await measureStore(bench, 's3', args, bucket.environment as Record<string, string>));
    } finally {
      await bucket.stop();
    }
  }
  const whole = (value: number) => value.toFixed(0);
  printTable(
    [
      ...['store', 'direction', 'load', 'RSS before, MiB', 'first third', 'last third'],
      ...['maximum', 'after', 'MiB/s'],
    ],
    results.flatMap(({ store, base, phases, after }) =>
      (['upload', 'download'] as const).map((direction) => {
        const some = phases.filter((phase) => phase.direction === direction);
        const { first, last, max } = course(some);
        const rate = (parallel * mebibytes) / mean(some.map(({ seconds }) => seconds));
        const load = `${some.length} × ${parallel} × ${mebibytes} MiB`;
        return [store, direction, load, ...[base, first, last, max, after, rate].map(whole)];
      }),
    ),
  );
  const messages = results.flatMap(exceededLimits);
  for (const message of messages) print(`LIMIT EXCEEDED: ${message}`);
  return { results, met: messages.length === 0 };
}
