import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readlink, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { DiskContentStore } from '../../src/content/disk-content-store.js';

export const TENANT = '0190a0b0-0000-7000-8000-000000000001';
export const OTHER_TENANT = '0190a0b0-0000-7000-8000-000000000002';

export function sha256Of(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Bytes that look random and are the same every time. */
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

/** A store in a folder of its own, and ways to look behind it. */
export class StoreFixture {
  private constructor(
    readonly directory: string,
    readonly store: DiskContentStore,
  ) {}

  static async create(): Promise<StoreFixture> {
    const directory = await mkdtemp(path.join(tmpdir(), 'filing-content-'));
    return new StoreFixture(directory, new DiskContentStore(directory));
  }

  async destroy(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Stores bytes for good and gives their hash. */
  async keep(bytes: Buffer | string, tenantId = TENANT): Promise<string> {
    const received = await this.store.receive(Readable.from([Buffer.from(bytes)]), Number.MAX_SAFE_INTEGER);
    await this.store.keep(tenantId, received);
    return received.sha256;
  }

  pathOf(sha256: string, tenantId = TENANT): string {
    return path.join(this.directory, 'objects', tenantId, sha256.slice(0, 2), sha256);
  }

  /** Every file below the folder, relative to it. */
  async files(): Promise<string[]> {
    const entries = await readdir(this.directory, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => path.relative(this.directory, path.join(entry.parentPath, entry.name)))
      .sort();
  }

  /** Makes a file look as if nobody had touched it for so many hours. */
  async age(file: string, hours: number): Promise<void> {
    const then = new Date(Date.now() - hours * 3_600_000);
    await utimes(path.resolve(this.directory, file), then, then);
  }

  /** Files of the store that this process has open. */
  async openFiles(): Promise<string[]> {
    const targets: string[] = [];
    for (const descriptor of await readdir('/proc/self/fd')) {
      const target = await readlink(`/proc/self/fd/${descriptor}`).catch(() => '');
      if (target.startsWith(this.directory)) targets.push(target);
    }
    return targets;
  }
}

/** Waits for what happens after the last thing that a test can await, such as a descriptor being closed. */
export async function eventually(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}
