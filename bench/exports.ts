import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from './api-client.js';
import { type BenchArguments } from './arguments.js';
import { withClient } from './database.js';
import { type BenchEnvironment, UNLIMITED_REQUESTS } from './environment.js';
import { memoryOf } from './machine.js';
import { type Outcome, print } from './report.js';
import { quantile } from './statistics.js';

const USER = 'exports';
const FILES = 100;
const SAMPLE_EVERY_MS = 50;
const BEFORE_MS = 20_000;

/** Returns the id of the export when it is ready. */
async function createExport(client: ApiClient, scope: object): Promise<string> {
  const id = await client.create('/exports', { name: 'Bench', ...scope });
  type Status = { status: string; failure: string | null };
  const { status, failure } = await client.waitWhile<Status>(`/exports/${id}`, 'Pending', 'Running');
  if (status !== 'Ready') throw new Error(`The export has failed: ${failure}`);
  return id;
}

/**
 * Uploads one document, and copies its rows. All documents have the same content, so that the disk holds it once. Returns
 * the ids of the files.
 */
async function seedDocuments(
  client: ApiClient,
  ownerUrl: string,
  { documents, bytes }: BenchArguments,
): Promise<readonly string[]> {
  const fileTypeId = await client.create('/file-types', {
    key: 'records',
    nameDe: 'Akten',
    nameEn: 'Records',
  });
  const fileIds: string[] = [];
  for (let number = 1; number <= FILES; number += 1)
    fileIds.push(
      await client.create('/files', { fileTypeId, number: `AZ-${number}`, name: `File ${number}` }),
    );
  const block = randomBytes(Math.min(bytes, 1024 * 1024));
  const blocks = Array.from({ length: Math.ceil(bytes / block.length) }, () => block);
  const id = await client.upload('Document', new Blob(blocks).slice(0, bytes));
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
      [fileIds, FILES, fileTypeId],
    );
    await database.query('ANALYZE');
  });
  return fileIds;
}

/** Requests one page after another until `work` ends. Returns p50 and p99 in ms. */
async function latencies(client: ApiClient, work: Promise<unknown>) {
  let isOver = false;
  const ended = work.finally(() => (isOver = true));
  const times: number[] = [];
  while (!isOver) {
    const began = performance.now();
    await client.get('/files?limit=50');
    times.push(performance.now() - began);
    await sleep(10);
  }
  await ended;
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), requests: times.length };
}

/** Packs an export of all documents; measures the memory of the service, and another tenant before, during and after. */
export async function exportPackage(bench: BenchEnvironment, args: BenchArguments): Promise<Outcome> {
  for (const slug of ['exports', 'other']) await bench.createTenant(slug, [USER]);
  const { origin, pid } = await bench.startService({
    environment: {
      ...{ TENANT_STORAGE_LIMIT_BYTES: String(100e9), LOG_LEVEL: 'warn' },
      ...UNLIMITED_REQUESTS,
    },
  });
  const token = await bench.tokenOf(USER);
  const exporting = new ApiClient(origin, 'exports', token);
  const other = new ApiClient(origin, 'other', token);
  const [first = '', ...others] = await seedDocuments(exporting, bench.database.ownerUrl, args);
  // Warm up, so that loading and compiling code is not measured.
  for (const fileIds of [[first], others.slice(0, 4)])
    await latencies(other, createExport(exporting, { fileIds }));
  const before = await latencies(other, sleep(BEFORE_MS));
  const idle = memoryOf(pid).now;
  let peak = idle;
  const timer = setInterval(() => (peak = Math.max(peak, memoryOf(pid).now)), SAMPLE_EVERY_MS);
  const began = performance.now();
  const exported = createExport(exporting, { all: true });
  const during = await latencies(other, exported);
  const seconds = (performance.now() - began) / 1000;
  clearInterval(timer);
  const after = await latencies(other, sleep(BEFORE_MS));
  print(`${args.documents} documents of ${args.bytes} bytes: ${seconds.toFixed(0)} s`);
  print(`memory: ${idle.toFixed(0)} MiB before, at most ${(peak - idle).toFixed(0)} MiB more`);
  for (const [phase, { p50, p99, requests }] of Object.entries({ before, during, after }))
    print(`other tenant ${phase}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (${requests} requests)`);
  print(`p99 × ${((2 * during.p99) / (before.p99 + after.p99)).toFixed(2)}`);
  print();
  if (args.out !== undefined) {
    const { body } = await exporting.send(`/exports/${await exported}/content`);
    await pipeline(Readable.fromWeb(body as never), createWriteStream(args.out));
  }
  return { results: { seconds, idle, peak, before, during, after }, met: true };
}
