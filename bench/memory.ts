import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createTenant } from '../test/support/create-tenant.js';
import { S3Server } from '../test/support/servers/s3-server.js';
import { type BenchDatabase, openBenchDatabase } from './database.js';
import { BenchIssuer } from './issuer.js';
import { describeMachine, memoryOf } from './machine.js';
import { table } from './report.js';
import { ServerProcess } from './server-process.js';

/** Limits in MiB; see HELP. */
const MAX_ABOVE_BASE = 100;
const MAX_GROWTH = 25;

const HELP = `Measures the memory of the service during uploads and downloads of large contents, on disk and in an S3 bucket.

  npm run bench:memory

  --rounds <n>     Number of rounds (default 9). Each round uploads contents in parallel, then downloads them.
  --parallel <n>   Number of parallel uploads and downloads (default 4).
  --mebibytes <n>  Size of each content in MiB (default 100).
  --store <name>   disk or s3 (default both).

The bucket is the S3 server of the tests, in the process of this benchmark. Exits with status 1 when the memory rises
more than ${MAX_ABOVE_BASE} MiB above its value before the load, or when the last third of the rounds needs
${MAX_GROWTH} MiB more than the first third.
`;

const MEBIBYTE = 1024 * 1024;
const SLUG = 'memory';
const SAMPLE_EVERY_MS = 50;

const print = (text = '') => process.stdout.write(`${text}\n`);
const log = (line: string) => process.stderr.write(`${line}\n`);

interface Load {
  readonly rounds: number;
  readonly parallel: number;
  readonly mebibytes: number;
}

interface Phase {
  readonly name: string;
  readonly seconds: number;
  /** Resident memory in MiB. */
  readonly median: number;
  readonly max: number;
}

interface Outcome {
  readonly store: string;
  readonly base: number;
  readonly phases: readonly Phase[];
  readonly after: number;
}

async function sampleMemory(name: string, pid: number, work: () => Promise<unknown>): Promise<Phase> {
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(memoryOf(pid).now), SAMPLE_EVERY_MS);
  const began = performance.now();
  await work().finally(() => clearInterval(timer));
  const sorted = samples.sort((one, other) => one - other);
  return {
    name,
    seconds: (performance.now() - began) / 1000,
    median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    max: sorted.at(-1) ?? Number.NaN,
  };
}

class Client {
  constructor(
    private readonly origin: string,
    private readonly token: string,
  ) {}

  /** Uploads a unique content of random bytes; returns the id of the document and the hash. */
  async upload(mebibytes: number): Promise<{ id: string; sha256: string }> {
    const request = this.#request('POST', '/documents', {
      'Content-Type': 'multipart/form-data; boundary=b',
    });
    const answer = once(request, 'response') as Promise<[IncomingMessage]>;
    answer.catch(() => undefined);
    request.write(
      '--b\r\nContent-Disposition: form-data; name="document"\r\n\r\n{"title":"Large"}\r\n' +
        '--b\r\nContent-Disposition: form-data; name="content"; filename="large.bin"\r\n\r\n',
    );
    const hash = createHash('sha256');
    const block = randomBytes(MEBIBYTE);
    for (let n = 0; n < mebibytes; n += 1) {
      const piece = Buffer.from(block);
      piece.writeUInt32BE(n);
      hash.update(piece);
      if (!request.write(piece)) await Promise.race([once(request, 'drain'), answer]);
    }
    request.end('\r\n--b--\r\n');
    const [response] = await answer;
    const text = await textOf(response);
    if (response.statusCode !== 201) throw new Error(`An upload returned ${response.statusCode}: ${text}`);
    return { id: (JSON.parse(text) as { id: string }).id, sha256: hash.digest('hex') };
  }

  async download({ id, sha256 }: { id: string; sha256: string }): Promise<void> {
    const request = this.#request('GET', `/documents/${id}/content`).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const hash = createHash('sha256');
    for await (const chunk of response as AsyncIterable<Buffer>) hash.update(chunk);
    if (hash.digest('hex') !== sha256) throw new Error('A download differs from its upload.');
  }

  #request(method: string, resource: string, headers: Record<string, string> = {}) {
    return httpRequest(`${this.origin}/api/v1/t/${SLUG}${resource}`, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, ...headers },
    });
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) text += chunk;
  return text;
}

async function makeTenant(ownerUrl: string, email: string): Promise<void> {
  await createTenant(ownerUrl, {
    slug: SLUG,
    name: 'Memory',
    expectedMembers: [{ email, roleKey: 'administrator' }],
  });
}

async function measure(
  store: string,
  service: ServerProcess,
  client: Client,
  { rounds, parallel, mebibytes }: Load,
): Promise<Outcome> {
  // Warm up, so that loading and compiling code is not measured.
  await client.download(await client.upload(8));
  await client.download(await client.upload(8));
  await sleep(1000);
  const base = memoryOf(service.pid).now;
  const phases: Phase[] = [];
  const inParallel = <T>(work: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: parallel }, (_, n) => work(n)));
  for (let round = 1; round <= rounds; round += 1) {
    const uploads: { id: string; sha256: string }[] = [];
    phases.push(
      await sampleMemory(`upload ${round}`, service.pid, () =>
        inParallel(async () => uploads.push(await client.upload(mebibytes))),
      ),
    );
    phases.push(
      await sampleMemory(`download ${round}`, service.pid, () =>
        inParallel((n) => client.download(uploads[n] ?? { id: '', sha256: '' })),
      ),
    );
    log(`${store}: round ${round} of ${rounds}, maximum ${phases.at(-1)?.max.toFixed(0)} MiB`);
  }
  await sleep(2000);
  return { store, base, phases, after: memoryOf(service.pid).now };
}

function exceededLimits({ store, base, phases }: Outcome): string[] {
  const max = Math.max(...phases.map((phase) => phase.max));
  const third = Math.max(2, Math.floor(phases.length / 3));
  const mean = (some: readonly Phase[]) => some.reduce((sum, { median }) => sum + median, 0) / some.length;
  const growth = mean(phases.slice(-third)) - mean(phases.slice(0, third));
  return [
    ...(max - base > MAX_ABOVE_BASE
      ? [`${store}: ${(max - base).toFixed(0)} MiB above the start value, limit ${MAX_ABOVE_BASE}`]
      : []),
    ...(growth > MAX_GROWTH
      ? [
          `${store}: ${growth.toFixed(0)} MiB more in the last third of the rounds than in the first, limit ${MAX_GROWTH}`,
        ]
      : []),
  ];
}

function tableOf(outcomes: readonly Outcome[], { parallel, mebibytes }: Load): string {
  const rows = outcomes.flatMap(({ store, base, phases, after }) =>
    ['upload', 'download'].map((direction) => {
      const some = phases.filter(({ name }) => name.startsWith(direction));
      const third = Math.max(1, Math.floor(some.length / 3));
      const median = (list: readonly Phase[]) =>
        (list.reduce((sum, phase) => sum + phase.median, 0) / list.length).toFixed(0);
      const seconds = some.reduce((sum, phase) => sum + phase.seconds, 0);
      return [
        store,
        direction,
        `${some.length} × ${parallel} × ${mebibytes} MiB`,
        base.toFixed(0),
        median(some.slice(0, third)),
        median(some.slice(-third)),
        Math.max(...some.map((phase) => phase.max)).toFixed(0),
        after.toFixed(0),
        ((some.length * parallel * mebibytes) / seconds).toFixed(0),
      ];
    }),
  );
  return table(
    [
      'store',
      'direction',
      'load',
      'RSS before, MiB',
      'first third',
      'last third',
      'maximum',
      'after',
      'MiB/s',
    ],
    rows,
  );
}

async function measureStore(
  store: 'disk' | 's3',
  database: BenchDatabase,
  issuer: BenchIssuer,
  load: Load,
): Promise<Outcome> {
  const email = 'memory@bench.example';
  const token = await issuer.token({ subject: 'memory', email });
  const bucket = store === 's3' ? await S3Server.start() : null;
  try {
    const service = await ServerProcess.start({
      program: 'service',
      environment: {
        DATABASE_URL: database.ownerUrl,
        DATA_DIR: path.join(database.folder, store),
        OIDC_ISSUER: issuer.url,
        UPLOAD_LIMIT_BYTES: String(load.mebibytes * MEBIBYTE),
        LOG_LEVEL: 'warn',
        ...(bucket?.environment as Record<string, string> | undefined),
      },
      cores: null,
      logFile: path.join(database.folder, `${store}.log`),
      probe: { path: '/readyz' },
    });
    try {
      return await measure(store, service, new Client(service.origin, token), load);
    } finally {
      await service.stop();
    }
  } finally {
    await bucket?.stop();
  }
}

async function main(): Promise<boolean> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false, short: 'h' },
      ...{ rounds: text, parallel: text, mebibytes: text, store: text },
    },
  });
  if (values.help) {
    print(HELP);
    return true;
  }
  const load: Load = {
    rounds: Number(values.rounds ?? 9),
    parallel: Number(values.parallel ?? 4),
    mebibytes: Number(values.mebibytes ?? 100),
  };
  const machine = describeMachine(null);
  const issuer = await BenchIssuer.start();
  const database = await openBenchDatabase(process.env.DATABASE_URL, undefined, log);
  try {
    await makeTenant(database.ownerUrl, 'memory@bench.example');
    const outcomes: Outcome[] = [];
    for (const store of ['disk', 's3'] as const) {
      if ((values.store ?? store) === store) outcomes.push(await measureStore(store, database, issuer, load));
    }
    print(tableOf(outcomes, load));
    print();
    print(
      `${machine.processor}, ${machine.cores} cores; Node ${machine.node}; PostgreSQL ${database.version}`,
    );
    print(`Load average before the run: ${machine.loadBefore}`);
    const messages = outcomes.flatMap(exceededLimits);
    for (const message of messages) print(`LIMIT EXCEEDED: ${message}`);
    return messages.length === 0;
  } finally {
    await issuer.stop();
    await database.stop();
  }
}

process.exitCode = (await main()) ? 0 : 1;
