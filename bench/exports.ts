import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createTenant } from '../test/support/create-tenant.js';
import { type BenchDatabase, openBenchDatabase, withClient } from './database.js';
import { BenchIssuer } from './issuer.js';
import { memoryOf } from './machine.js';
import { ServerProcess } from './server-process.js';

const HELP = `Measures the memory of the service while it packs an export, and the requests of another tenant meanwhile.

  npm run bench:exports

  --documents <n>  Number of documents (default 10000).
  --bytes <n>      Size of the content of each, in bytes (default 20000).
  --out <file>     Keeps the package.

Prints the memory above its value before, and p50 and p99 of GET /files of another tenant before, during and after the export.
`;

const EMAIL = 'exports@bench.example';
const FILES = 100;
const SAMPLE_EVERY_MS = 50;
const BEFORE_MS = 20_000;

const print = (line: string) => process.stdout.write(`${line}\n`);

class Client {
  constructor(
    private readonly origin: string,
    private readonly token: string,
    private readonly slug: string,
  ) {}

  async send(to: string, body?: string | FormData): Promise<Response> {
    const response = await fetch(`${this.origin}/api/v1/t/${this.slug}${to}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        Authorization: `Bearer ${this.token}`,
        ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
    if (!response.ok) throw new Error(`${to}: ${response.status} ${await response.text()}`);
    return response;
  }

  async json<T>(to: string, body?: string | FormData): Promise<T> {
    return (await (await this.send(to, body)).json()) as T;
  }

  /** Returns the id of the export when it is ready. */
  async export(scope: { readonly all: true } | { readonly fileIds: readonly string[] }): Promise<string> {
    const { id } = await this.json<{ id: string }>('/exports', JSON.stringify({ name: 'Bench', ...scope }));
    for (;;) {
      const { status, failure } = await this.json<{ status: string; failure: string }>(`/exports/${id}`);
      if (status === 'Ready') return id;
      if (status === 'Failed') throw new Error(`The export has failed: ${failure}`);
      await sleep(200);
    }
  }
}

/**
 * Uploads one document, and copies its rows. All documents have the same content, so that the disk holds it once. Returns
 * the ids of the files.
 */
async function seed(
  client: Client,
  ownerUrl: string,
  documents: number,
  bytes: number,
): Promise<readonly string[]> {
  const types = await client.json<{ id: string }>(
    '/file-types',
    JSON.stringify({ key: 'records', nameDe: 'Akten', nameEn: 'Records' }),
  );
  const fileIds: string[] = [];
  for (let number = 1; number <= FILES; number += 1) {
    const body = { fileTypeId: types.id, number: `AZ-${number}`, name: `File ${number}` };
    fileIds.push((await client.json<{ id: string }>('/files', JSON.stringify(body))).id);
  }
  const form = new FormData();
  form.append('document', JSON.stringify({ title: 'Document' }));
  const block = randomBytes(Math.min(bytes, 1024 * 1024));
  const blocks = Array.from({ length: Math.ceil(bytes / block.length) }, () => block);
  form.append('content', new Blob(blocks).slice(0, bytes), 'content.bin');
  const { id } = await client.json<{ id: string }>('/documents', form);
  await withClient(ownerUrl, async (database) => {
    const copy = async (table: string, source: string, changes: string, values: readonly unknown[]) => {
      const { rows } = await database.query<{ columns: string }>(
        `SELECT string_agg(quote_ident(column_name), ', ') AS columns FROM information_schema.columns
          WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'`,
        [table],
      );
      const columns = rows[0]?.columns ?? '';
      await database.query(
        `INSERT INTO ${table} (${columns}) SELECT ${columns.replaceAll(/\w+/g, 'c.$&')}
           FROM ${source} CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, to_jsonb(o) || ${changes}) c`,
        [...values],
      );
    };
    await copy(
      'documents',
      'documents o JOIN generate_series(2, $2::int) n ON o.id = $1',
      `jsonb_build_object('id', gen_random_uuid(), 'title', 'Document ' || n, 'status', 'Active',
        'created_at', o.created_at + n * interval '1 millisecond')`,
      [id, documents],
    );
    await copy(
      'document_versions',
      'document_versions o JOIN documents d ON d.id <> o.document_id',
      `jsonb_build_object('document_id', d.id)`,
      [],
    );
    await database.query(
      `INSERT INTO document_files (tenant_id, document_id, file_id, filed_at, created_at, file_type_id)
       SELECT d.tenant_id, d.id, ($1::uuid[])[1 + d.n % $2::int], d.created_at, d.created_at, $3::uuid
         FROM (SELECT *, row_number() OVER () AS n FROM documents) d`,
      [fileIds, FILES, types.id],
    );
    await database.query('ANALYZE');
  });
  return fileIds;
}

/** Requests one page after another until `work` ends. Returns p50 and p99 in ms. */
async function latencies(client: Client, work: Promise<unknown>) {
  let isOver = false;
  const ended = work.finally(() => (isOver = true));
  const times: number[] = [];
  while (!isOver) {
    const began = performance.now();
    await client.json('/files?limit=50');
    times.push(performance.now() - began);
    await sleep(10);
  }
  await ended;
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), requests: times.length };
}

async function measure(
  service: ServerProcess,
  database: BenchDatabase,
  clients: { readonly exporting: Client; readonly other: Client },
  options: { readonly documents: number; readonly bytes: number; readonly out?: string },
): Promise<void> {
  const { exporting, other } = clients;
  const [first = '', ...others] = await seed(exporting, database.ownerUrl, options.documents, options.bytes);
  // Warm up, so that loading and compiling code is not measured.
  for (const fileIds of [[first], others.slice(0, 4)]) await latencies(other, exporting.export({ fileIds }));
  const before = await latencies(other, sleep(BEFORE_MS));
  const idle = memoryOf(service.pid).now;
  let peak = idle;
  const timer = setInterval(() => (peak = Math.max(peak, memoryOf(service.pid).now)), SAMPLE_EVERY_MS);
  const began = performance.now();
  const exported = exporting.export({ all: true });
  const during = await latencies(other, exported);
  clearInterval(timer);
  const id = await exported;
  const seconds = (performance.now() - began) / 1000;
  const after = await latencies(other, sleep(BEFORE_MS));
  print(`${options.documents} documents of ${options.bytes} bytes: ${seconds.toFixed(0)} s`);
  print(`memory: ${idle.toFixed(0)} MiB before, at most ${(peak - idle).toFixed(0)} MiB more`);
  const line = ({ p50, p99, requests }: typeof before) =>
    `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (${requests} requests)`;
  print(`other tenant before: ${line(before)}`);
  print(`other tenant during: ${line(during)}`);
  print(`other tenant after: ${line(after)}`);
  print(`p99 × ${((2 * during.p99) / (before.p99 + after.p99)).toFixed(2)}`);
  if (options.out === undefined) return;
  const { body } = await exporting.send(`/exports/${id}/content`);
  await pipeline(Readable.fromWeb(body as never), createWriteStream(options.out));
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { help: { type: 'boolean', short: 'h' }, documents: text, bytes: text, out: text },
  });
  if (values.help) {
    print(HELP);
    return;
  }
  const issuer = await BenchIssuer.start();
  const database = await openBenchDatabase(process.env.DATABASE_URL, undefined, (line) => print(line));
  try {
    const token = await issuer.token({ subject: 'exports', email: EMAIL });
    for (const slug of ['exports', 'other'])
      await createTenant(database.ownerUrl, {
        slug,
        name: slug,
        expectedMembers: [{ email: EMAIL, roleKey: 'administrator' }],
      });
    const service = await ServerProcess.start({
      program: 'service',
      environment: {
        DATABASE_URL: database.ownerUrl,
        DATA_DIR: path.join(database.folder, 'data'),
        OIDC_ISSUER: issuer.url,
        TENANT_STORAGE_LIMIT_BYTES: String(100e9),
        RATE_LIMIT_PER_MINUTE: '1000000',
        RATE_LIMIT_BURST: '1000000',
        LOG_LEVEL: 'warn',
      },
      cores: null,
      logFile: path.join(database.folder, 'service.log'),
      probe: { path: '/readyz' },
    });
    try {
      const client = (slug: string) => new Client(service.origin, token, slug);
      await measure(
        service,
        database,
        { exporting: client('exports'), other: client('other') },
        {
          documents: Number(values.documents ?? 10_000),
          bytes: Number(values.bytes ?? 20_000),
          ...(values.out !== undefined && { out: values.out }),
        },
      );
    } finally {
      await service.stop();
    }
  } finally {
    await issuer.stop();
    await database.stop();
  }
}

await main();
