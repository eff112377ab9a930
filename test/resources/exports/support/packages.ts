import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import { type Actor } from '../../../support/actor.js';
import { asBytes } from '../../../support/stored-content.js';
import { waitFor } from '../../../support/wait-until.js';

export interface Export {
  readonly id: string;
  readonly status: string;
  readonly documentCount: number;
  readonly documentsDone: number;
  readonly size: number | null;
  readonly expiresAt: string | null;
  readonly failure: string | null;
}

/** The files of a package by path. */
export type Package = ReadonlyMap<string, Buffer>;

/** Creates an export and waits until it is ready or has failed. Runs its job when the service has no workers. */
export async function createExport(actor: Actor, body: object): Promise<Export> {
  const response = await actor.post('/exports', { name: 'Export', ...body }).expect(202);
  return finished(actor, (response.body as Export).id);
}

export async function finished(actor: Actor, id: string): Promise<Export> {
  const { service } = actor.tenant;
  return waitFor(async () => {
    if (service.configuration.workerConcurrency === 0) await service.runJobs();
    const found = (await actor.get(`/exports/${id}`).expect(200)).body as Export;
    return !['Pending', 'Running'].includes(found.status) && found;
  }, `the export ${id}`);
}

export async function packageOf(actor: Actor, id: string): Promise<Package> {
  const response = await asBytes(actor.get(`/exports/${id}/content`)).expect(200);
  return unzip(response.body as Buffer);
}

export async function unzip(bytes: Buffer): Promise<Package> {
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    if (files.has(entry.fileName)) throw new Error(`${entry.fileName} is there twice`);
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return files;
}

export function lines<T = Record<string, unknown>>(files: Package, kind: string): T[] {
  const text = files.get(`data/_metadata/${kind}.ndjson`)?.toString() ?? '';
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]));
}

/** The values of a member in all lines, sorted. */
export function valuesOf(files: Package, kind: string, member: string): unknown[] {
  return lines(files, kind)
    .map((line) => line[member])
    .sort();
}

/** Paths in the payload, without metadata and index, sorted. */
export function contentPaths(files: Package): string[] {
  return [...files.keys()]
    .filter(
      (path) => path.startsWith('data/') && !path.startsWith('data/_metadata/') && path !== 'data/index.html',
    )
    .map((path) => path.slice('data/'.length))
    .sort();
}

/** Paths whose bytes differ from the manifests, or that no manifest names, or that a manifest names twice. */
export function damaged(files: Package): string[] {
  const wrong: string[] = [];
  const listed = new Set(['tagmanifest-sha256.txt']);
  for (const manifest of ['manifest-sha256.txt', 'tagmanifest-sha256.txt']) {
    for (const line of (files.get(manifest)?.toString() ?? '').trimEnd().split('\n')) {
      const [hash = '', path = ''] = line.split('  ');
      const bytes = files.get(path);
      const isIntact = bytes && createHash('sha256').update(bytes).digest('hex') === hash;
      if (!isIntact || listed.has(path)) wrong.push(path);
      listed.add(path);
    }
  }
  return [...wrong, ...[...files.keys()].filter((path) => !listed.has(path))];
}
