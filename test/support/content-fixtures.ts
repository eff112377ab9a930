import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readlink, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { ContentStore } from '../../src/platform/content/content-store.js';
import { DiskContentStore } from '../../src/platform/content/disk-content-store.js';
import type { S3Settings } from '../../src/platform/content/s3-connection.js';
import { S3ContentStore } from '../../src/platform/content/s3-content-store.js';
import { S3Server } from './servers/s3-server.js';

export const TENANT = '0190a0b0-0000-7000-8000-000000000001';
export const OTHER_TENANT = '0190a0b0-0000-7000-8000-000000000002';

export function sha256Of(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The same `length` and `seed` give the same bytes (linear congruential generator). */
export function pseudoRandomBytes(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}

export async function bytesOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** A content store for one test, with direct access to what it has stored. Keys are `objects/<tenant>/<aa>/<hash>`. */
export abstract class ContentFixture {
  abstract readonly store: ContentStore;

  /** All stored keys, sorted. An unfinished multipart upload is listed as `uploading <key>`. */
  abstract files(): Promise<string[]>;

  /** Writes bytes under a key without the content store. */
  abstract put(key: string, bytes: string): Promise<void>;

  /** Files or requests that are open now. */
  abstract openFiles(): Promise<string[]>;

  abstract destroy(): Promise<void>;

  /** Receives and keeps the bytes in the store; returns their SHA-256 hash. */
  async keep(bytes: Buffer | string, tenantId = TENANT): Promise<string> {
    const received = await this.store.receive(Readable.from([Buffer.from(bytes)]), Number.MAX_SAFE_INTEGER);
    await this.store.keep(tenantId, received);
    return received.sha256;
  }

  keyOf(sha256: string, tenantId = TENANT): string {
    return `objects/${tenantId}/${sha256.slice(0, 2)}/${sha256}`;
  }
}

/** A store on disk, in a temporary folder. */
export class DiskStoreFixture extends ContentFixture {
  private constructor(
    readonly directory: string,
    readonly store: DiskContentStore,
  ) {
    super();
  }

  static async create(): Promise<DiskStoreFixture> {
    const directory = await mkdtemp(path.join(tmpdir(), 'filing-content-'));
    return new DiskStoreFixture(directory, new DiskContentStore(directory));
  }

  override async destroy(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }

  pathOf(sha256: string, tenantId = TENANT): string {
    return path.join(this.directory, this.keyOf(sha256, tenantId));
  }

  override async files(): Promise<string[]> {
    const entries = await readdir(this.directory, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => path.relative(this.directory, path.join(entry.parentPath, entry.name)))
      .sort();
  }

  override async put(key: string, bytes: string): Promise<void> {
    const file = path.join(this.directory, key);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }

  /** Sets the modification time of a content to `hours` ago. */
  async age(key: string, hours: number): Promise<void> {
    const then = new Date(Date.now() - hours * 3_600_000);
    await utimes(path.join(this.directory, key), then, then);
  }

  override async openFiles(): Promise<string[]> {
    const targets: string[] = [];
    for (const descriptor of await readdir('/proc/self/fd')) {
      const target = await readlink(`/proc/self/fd/${descriptor}`).catch(() => '');
      if (target.startsWith(this.directory)) targets.push(target);
    }
    return targets;
  }
}

export class S3StoreFixture extends ContentFixture {
  private constructor(
    readonly server: S3Server,
    readonly store: S3ContentStore,
    private readonly prefix: string,
  ) {
    super();
  }

  static async create(settings: Partial<S3Settings> = {}): Promise<S3StoreFixture> {
    const server = await S3Server.start();
    const store = await S3ContentStore.connect({ ...server.settings, ...settings });
    return new S3StoreFixture(server, store, settings.s3Prefix ?? '');
  }

  override async destroy(): Promise<void> {
    await this.store.close();
    await this.server.stop();
  }

  override files(): Promise<string[]> {
    const { bucket } = this.server;
    const uploads = bucket.uploads().map((key) => `uploading ${this.withoutPrefix(key)}`);
    return Promise.resolve([...bucket.keys().map((key) => this.withoutPrefix(key)), ...uploads]);
  }

  override async put(key: string, bytes: string): Promise<void> {
    await this.server.bucket.put(this.prefix + key, bytes);
  }

  override openFiles(): Promise<string[]> {
    return Promise.resolve([...this.server.openRequests]);
  }

  private withoutPrefix(key: string): string {
    return key.startsWith(this.prefix) ? key.slice(this.prefix.length) : `elsewhere ${key}`;
  }
}
