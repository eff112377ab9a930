import { randomUUID } from 'node:crypto';
import { type Stats } from 'node:fs';
import { type FileHandle, open, opendir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { makeFolder } from '../../common/folder.js';
import { Problem, unavailable } from '../../common/problem.js';
import { isUuid } from '../../common/text.js';
import { BufferPool } from './part-buffer.js';
import { keptKey, parseKeptKey, temporaryKey, tenantFolder } from './content-keys.js';
import {
  type ByteRange,
  ContentMissing,
  ContentStore,
  type KeptContent,
  type ReceivedContent,
  type TemporaryContent,
  receiveChunks,
} from './content-store.js';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const CHUNK_BYTES = 64 * 1024;

/**
 * Several instances of the service must share one folder. Temporary and kept content must be in one file system,
 * because `keep` is an atomic rename.
 */
export class DiskContentStore extends ContentStore {
  readonly #incoming: string;
  readonly #objects: string;
  /**
   * For copies of large contents. With a new buffer for each chunk, V8 collects the whole heap after every 64 MiB, and all
   * requests wait.
   */
  readonly #buffers = new BufferPool(CHUNK_BYTES);
  /** Sizes of the chunks that are in buffers of the pool. */
  readonly #lent = new WeakMap<ArrayBufferLike, number>();

  /** @param directory `<DATA_DIR>/content`; created on first use */
  constructor(private readonly directory: string) {
    super();
    this.#incoming = path.join(directory, 'incoming');
    this.#objects = path.join(directory, 'objects');
  }

  override async receive(source: Readable, limit: number): Promise<ReceivedContent> {
    // The client may disconnect before the file is open. An error event without a listener would end the process.
    source.on('error', ignore);
    const token = randomUUID();
    const file = this.#path(temporaryKey(token));
    try {
      await makeFolder(this.#incoming, FOLDER_MODE).catch(fail);
      const handle = await open(file, 'wx', FILE_MODE).catch(fail);
      try {
        const content = await receiveChunks(source, limit, async (chunk) => {
          await handle.appendFile(chunk).catch(fail);
          this.#takeBack(chunk);
        });
        await handle.sync().catch(fail);
        return { token, ...content };
      } finally {
        await handle.close().catch(fail);
      }
    } catch (error) {
      source.destroy();
      // Report the first error, not a failure to remove the file: the sweep removes it later.
      await rm(file, { force: true }).catch(ignore);
      throw error;
    }
  }

  override async keep(tenantId: string, received: ReceivedContent): Promise<void> {
    const temporary = this.#path(temporaryKey(received.token));
    const final = this.#path(keptKey(tenantId, received.sha256));
    const folder = path.dirname(final);
    await makeFolder(folder, FOLDER_MODE).catch(fail);
    if ((await statOf(final))?.size === received.size) {
      // Set the time to now, so that the sweep does not treat the content as old.
      const now = new Date();
      await utimes(final, now, now).catch(fail);
      await rm(temporary, { force: true }).catch(fail);
    } else {
      // An existing file of another size is damaged. Replace it: the hash of the new bytes was verified.
      await rename(temporary, final).catch((error: unknown) => {
        throw codeOf(error) === 'ENOENT'
          ? new ContentMissing(tenantId, received.sha256)
          : storageProblem(error);
      });
    }
    // A file name survives a power failure only after a sync of its folder, and of the parent folders if they are new.
    // Sync all of them every time: a concurrent upload may have created them without having synced them yet.
    for (const changed of [folder, path.dirname(folder), this.#objects]) await syncFolder(changed);
  }

  override async discard(received: Pick<ReceivedContent, 'token'>): Promise<void> {
    await rm(this.#path(temporaryKey(received.token)), { force: true }).catch(fail);
  }

  override async open(tenantId: string, sha256: string, range?: ByteRange): Promise<Readable> {
    const handle = await this.#openFile(tenantId, sha256);
    // The stream closes the handle when it ends, fails or is destroyed.
    return handle.createReadStream(range ? { start: range.start, end: range.end } : {});
  }

  override async openForCopy(tenantId: string, sha256: string): Promise<Readable> {
    const handle = await this.#openFile(tenantId, sha256);
    const stream = Readable.from(this.#chunksOf(handle), { objectMode: false });
    // Also of a stream that is destroyed before it is read.
    return stream.once('close', () => void handle.close().catch(ignore));
  }

  async #openFile(tenantId: string, sha256: string): Promise<FileHandle> {
    return open(this.#path(keptKey(tenantId, sha256)), 'r').catch((error: unknown) => {
      throw codeOf(error) === 'ENOENT' ? new ContentMissing(tenantId, sha256) : storageProblem(error);
    });
  }

  async *#chunksOf(handle: FileHandle): AsyncGenerator<Buffer> {
    for (;;) {
      const buffer = this.#buffers.acquire();
      const { bytesRead } = await handle.read(buffer);
      this.#lent.set(buffer.buffer, bytesRead);
      const chunk = buffer.subarray(0, bytesRead);
      if (bytesRead === 0) return this.#takeBack(chunk);
      yield chunk;
    }
  }

  /** Only a whole chunk: a part of it says nothing about the others. */
  #takeBack({ buffer, length }: Buffer): void {
    if (this.#lent.get(buffer) !== length) return;
    this.#lent.delete(buffer);
    this.#buffers.release(Buffer.from(buffer));
  }

  override async size(tenantId: string, sha256: string): Promise<number> {
    const stats = await statOf(this.#path(keptKey(tenantId, sha256)));
    if (!stats) throw new ContentMissing(tenantId, sha256);
    return stats.size;
  }

  override async remove(tenantId: string, sha256: string): Promise<void> {
    await rm(this.#path(keptKey(tenantId, sha256)), { force: true }).catch(fail);
  }

  override async *listTemporary(): AsyncGenerator<TemporaryContent> {
    for await (const token of namesIn(this.#incoming)) {
      if (!isUuid(token)) continue;
      const modifiedAt = (await statOf(path.join(this.#incoming, token)))?.mtime;
      if (modifiedAt) yield { token, modifiedAt };
    }
  }

  override async *listKept(): AsyncGenerator<KeptContent> {
    for await (const tenantId of namesIn(this.#objects)) {
      if (!isUuid(tenantId)) continue;
      const tenantFolder = path.join(this.#objects, tenantId);
      for await (const prefix of namesIn(tenantFolder)) {
        for await (const sha256 of namesIn(path.join(tenantFolder, prefix))) {
          if (!parseKeptKey(`objects/${tenantId}/${prefix}/${sha256}`)) continue;
          const modifiedAt = (await statOf(path.join(tenantFolder, prefix, sha256)))?.mtime;
          if (modifiedAt) yield { tenantId, sha256, modifiedAt };
        }
      }
    }
  }

  override async removeAll(tenantId: string): Promise<void> {
    await rm(this.#path(tenantFolder(tenantId)), { recursive: true, force: true }).catch(fail);
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }

  #path(key: string): string {
    return path.join(this.directory, key);
  }
}

function ignore(): void {}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}

/** Converts an error of the file system to a Problem (507 or 503). The original error is its cause, for the log. */
export function storageProblem(error: unknown): Problem {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? new Problem('content.storage-full', { cause: error })
    : unavailable(5, { cause: error });
}

function fail(error: unknown): never {
  throw storageProblem(error);
}

/** Null if the file does not exist, or was moved or removed after its folder was read. */
async function statOf(file: string): Promise<Stats | null> {
  return stat(file).catch((error: unknown) => (codeOf(error) === 'ENOENT' ? null : fail(error)));
}

/** Yields the names in a folder one at a time: a folder may have too many names for the memory. */
async function* namesIn(folder: string): AsyncGenerator<string> {
  const entries = await opendir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw storageProblem(error);
  });
  if (!entries) return;
  for await (const entry of entries) yield entry.name;
}

async function syncFolder(folder: string): Promise<void> {
  // Windows does not allow it, and does not need it.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r').catch(fail);
  try {
    await handle.sync().catch(fail);
  } finally {
    await handle.close().catch(fail);
  }
}
