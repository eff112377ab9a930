import { createHash } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FilingClient, FilingProblem } from '../../../../clients/typescript/client.js';

type Scope = { all: true } | { fileIds: string[] } | { documentIds: string[] };

/** Ids in one export. */
const MAX_IDS = 1000;
const POLL_MS = 1000;
/** Attempts to continue a download without a new byte. */
const MAX_ATTEMPTS = 5;

/** Exports a tenant as one package, or as several if it is too large. */
export class TenantExport {
  private packages = 0;
  private inParts = false;

  constructor(
    private readonly client: FilingClient,
    private readonly folder: string,
    private readonly name: string,
    private readonly print: (line: string) => void,
  ) {}

  /** Returns the number of packages. */
  async run(): Promise<number> {
    if (await this.write({ all: true })) return this.packages;
    this.inParts = true;
    const files = this.client.pages('/files');
    for await (const ids of chunks(files, ({ id }) => id)) await this.writeFiles(ids);
    const documents = this.client.pages('/documents');
    const unfiled = chunks(documents, ({ id, fileIds }) => (fileIds.length === 0 ? id : null));
    for await (const ids of unfiled) await this.writeDocuments(ids);
    return this.packages;
  }

  private async writeFiles(fileIds: string[]): Promise<void> {
    if (await this.write({ fileIds })) return;
    const [fileId = '', ...others] = fileIds;
    if (others.length === 0) {
      const documents = this.client.pages('/files/{fileId}/documents', { params: { path: { fileId } } });
      // Without those in the bin.
      const filed = chunks(documents, ({ documentId, status }) => (status === 'Deleted' ? null : documentId));
      for await (const ids of filed) await this.writeDocuments(ids);
    } else for (const half of halves(fileIds)) await this.writeFiles(half);
  }

  private async writeDocuments(documentIds: string[]): Promise<void> {
    if (await this.write({ documentIds })) return;
    if (documentIds.length === 1)
      throw new Error(`The document ${documentIds[0]} is too large for an export.`);
    for (const half of halves(documentIds)) await this.writeDocuments(half);
  }

  /** Returns false if it is too large for one package. */
  private async write(scope: Scope): Promise<boolean> {
    const id = await this.pack(scope);
    if (id === null) return false;
    this.packages += 1;
    const number = this.inParts ? `-${String(this.packages).padStart(3, '0')}` : '';
    const file = path.join(this.folder, `package${number}.zip`);
    await this.download(id, file);
    await this.client.DELETE('/exports/{exportId}', { params: { path: { exportId: id } } });
    this.print(file);
    return true;
  }

  /** Creates an export and waits until it is ready. Returns null if it is too large. */
  private async pack(scope: Scope): Promise<string | null> {
    const body = { name: this.name, ...scope };
    const created = await this.client.POST('/exports', { body }).catch((error: unknown) => {
      if (error instanceof FilingProblem && error.problem.type?.endsWith('/export.too-large')) return null;
      throw error;
    });
    if (created === null) return null;
    const params = { path: { exportId: created.data.id } };
    for (;;) {
      const { status, failure } = (await this.client.GET('/exports/{exportId}', { params })).data;
      if (status === 'Ready') return created.data.id;
      if (status === 'Failed' && failure === 'TooLarge') return null;
      if (status !== 'Pending' && status !== 'Running')
        throw new Error(`The export has failed: ${failure ?? status}.`);
      await sleep(POLL_MS);
    }
  }

  /** Writes the package, compares its hash with the entity tag, and then gives the file its name. */
  private async download(exportId: string, file: string): Promise<void> {
    const unfinished = `${file}.part`;
    const hash = createHash('sha256');
    let written = 0;
    let tag = '';
    const handle = await open(unfinished, 'w');
    try {
      for (let attempt = 1, isComplete = false; !isComplete; attempt += 1) {
        const header = written === 0 ? {} : { Range: `bytes=${written}-`, 'If-Match': tag };
        const { data, response } = await this.client.GET('/exports/{exportId}/content', {
          params: { path: { exportId }, header },
          parseAs: 'stream',
        });
        tag = response.headers.get('ETag') ?? '';
        try {
          for await (const chunk of data as unknown as AsyncIterable<Uint8Array>) {
            hash.update(chunk);
            await handle.appendFile(chunk);
            written += chunk.length;
            attempt = 1;
          }
          isComplete = true;
        } catch (error) {
          if (attempt >= MAX_ATTEMPTS) throw error;
        }
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (`"${hash.digest('hex')}"` !== tag) throw new Error(`${unfinished} is damaged.`);
    await rename(unfinished, file);
  }
}

/** The ids of the items in lists of at most {@link MAX_IDS}, without the items for which `idOf` returns null. */
async function* chunks<T>(
  items: AsyncIterable<T>,
  idOf: (item: T) => string | null,
): AsyncGenerator<string[]> {
  let chunk: string[] = [];
  for await (const item of items) {
    const id = idOf(item);
    if (id !== null) chunk.push(id);
    if (chunk.length < MAX_IDS) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

function halves(ids: string[]): string[][] {
  const middle = Math.ceil(ids.length / 2);
  return [ids.slice(0, middle), ids.slice(middle)];
}
