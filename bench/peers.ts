import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type CapturedRequest } from './captured.js';
import { CapturingApplication } from './capturing-application.js';
import { type BenchEnvironment } from './environment.js';
import { type LoadRequest } from './load.js';
import { DOCUMENTS_SLUG, LIST_FILES, type Operation, newFile } from './operations.js';
import { type PeerSettings } from './peers/settings.js';
import { SEED_SLUGS } from './seed/seed.js';
import { seedUserId, tenantId } from './seed/tenants.js';
import { type ServerProcess, peerProgram } from './server-process.js';

/** Database connections of each peer; the default of the service. */
const POOL_SIZE = 20;

export async function startPeer(
  bench: BenchEnvironment,
  program: 'bare' | 'fastify',
  { timestamps = 'date', captured = [] }: Partial<Pick<PeerSettings, 'timestamps' | 'captured'>> = {},
): Promise<ServerProcess> {
  const settings: PeerSettings = {
    databaseUrl: bench.database.peerUrl,
    poolSize: POOL_SIZE,
    timestamps,
    tenants: Object.fromEntries(SEED_SLUGS.map((slug) => [slug, tenantId(slug)])),
    userId: seedUserId('admin'),
    captured,
    capturedTenant: tenantId(DOCUMENTS_SLUG),
  };
  const name = `${program}-${timestamps}`;
  const file = path.join(bench.database.folder, `${name}.json`);
  await writeFile(file, JSON.stringify(settings));
  return bench.startServer(name, {
    ...peerProgram(program),
    environment: { PEER_SETTINGS: file },
    probe: { path: LIST_FILES[0]?.path ?? '' },
  });
}

/** Captures the statements of these operations in the service, which a peer repeats. */
export async function captureStatements(
  bench: BenchEnvironment,
  operations: readonly Operation[],
): Promise<CapturedRequest[]> {
  const headers = await bench.headersOf('admin');
  const application = await CapturingApplication.start(bench.serviceEnvironment);
  try {
    const captured: CapturedRequest[] = [];
    for (const { name, reads } of operations)
      for (const request of reads) captured.push(await application.statementsOf(name, request, headers));
    return captured;
  } finally {
    await application.stop();
  }
}

interface Listed {
  readonly items: readonly { readonly id: string; readonly fileTypeId: string }[];
}

/**
 * The requests by operation for a server outside this benchmark. Its file ids differ, so they are read from it first.
 *
 * @param url the base URL of a tenant
 */
export async function externalRequests(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Readonly<Partial<Record<string, () => LoadRequest>>>> {
  const files = `${new URL(url).pathname.replace(/\/$/, '')}/files`;
  const get = (path: string): LoadRequest => ({ method: 'GET', path: files + path });
  const list = get('?limit=50');
  const response = await fetch(new URL(list.path, url), { headers });
  if (!response.ok) throw new Error(`${list.path}: ${response.status} ${await response.text()}`);
  const { items } = (await response.json()) as Listed;
  const [first] = items;
  if (!first) throw new Error(`${url} has no files`);
  let index = 0;
  const nextId = () => (items[(index += 1) % items.length] ?? first).id;
  return {
    ListFiles: () => list,
    GetFile: () => get(`/${nextId()}`),
    ListFileDocuments: () => get(`/${nextId()}/documents?limit=50`),
    CreateFile: () => newFile(files, first.fileTypeId),
  };
}
