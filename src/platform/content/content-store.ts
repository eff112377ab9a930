import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { message } from '../../common/messages/message.js';
import { Problem } from '../../common/problem.js';

/** Completely received bytes in a temporary place, on stable storage. */
export interface ReceivedContent {
  /** Identifies the temporary place; only the store can interpret it. */
  readonly token: string;
  /** SHA-256 in lower-case hexadecimal. */
  readonly sha256: string;
  /** Number of bytes. */
  readonly size: number;
}

/** First and last byte, both inclusive and counted from 0, as in the Range header (RFC 9110, 14.1.2). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface TemporaryContent {
  readonly token: string;
  readonly modifiedAt: Date;
}

export interface KeptContent {
  readonly tenantId: string;
  readonly sha256: string;
  /**
   * When the bytes were stored. A further `keep` of the same bytes may or may not change it; the database has the time
   * of the last reference (see `ContentSweeper`).
   */
  readonly modifiedAt: Date;
}

export class ContentMissing extends Error {
  constructor(tenantId: string, sha256: string) {
    super(`The content store does not have the content ${sha256} of tenant ${tenantId}.`);
    this.name = 'ContentMissing';
  }
}

/** The message is for the operator. */
export class ContentStoreStartError extends Error {
  override readonly name = 'ContentStoreStartError';
}

/**
 * Stores the bytes of documents. Content is addressed by tenant and hash: the same bytes are stored once for each
 * tenant, and a tenant cannot find out whether another tenant has them.
 *
 * Storing has two steps, because a file system (or an object store) and a database cannot commit together:
 *
 * 1. `receive` writes the bytes to a temporary place.
 * 2. `keep` moves them to their final place. It is called in the transaction that adds the reference, before its commit.
 *
 * A crash leaves either temporary content or kept content without a reference; `ContentSweeper` removes both. A
 * reference without bytes is impossible.
 *
 * Every method can be implemented on a file system and on an object store. There `receive` is a multipart upload,
 * `keep` a copy, `open` a GET with a range, and the lists are pages of keys.
 *
 * Throws a Problem 507 when the storage is full, and a Problem 503 when it fails otherwise.
 */
export abstract class ContentStore {
  /**
   * Streams `source` to a temporary place, with only a part of it in memory.
   *
   * @param limit maximum number of bytes; more is a Problem 413
   * @throws the error of `source`. After any error `source` is destroyed and the temporary bytes are removed.
   */
  abstract receive(source: Readable, limit: number): Promise<ReceivedContent>;

  /**
   * Moves received bytes to their final place. If the tenant already has these bytes, discards the new ones. May be
   * called again for the same bytes, for example when a transaction is retried.
   *
   * The caller must first lock the row of the content in its transaction (see `ContentSweeper`).
   */
  abstract keep(tenantId: string, received: ReceivedContent): Promise<void>;

  /** Removes received bytes that are not needed. Has no effect after `keep`, or when repeated. */
  abstract discard(received: Pick<ReceivedContent, 'token'>): Promise<void>;

  /**
   * Opens kept bytes. The caller must read the stream to its end or destroy it.
   *
   * @throws ContentMissing
   */
  abstract open(tenantId: string, sha256: string, range?: ByteRange): Promise<Readable>;

  /**
   * Like {@link open}, for bytes that are passed on to {@link receive} of this store. A store may use the buffers of the
   * chunks again after it has received them, so that nobody else may keep a chunk.
   */
  openForCopy(tenantId: string, sha256: string): Promise<Readable> {
    return this.open(tenantId, sha256);
  }

  /**
   * Actual number of stored bytes.
   *
   * @throws ContentMissing
   */
  abstract size(tenantId: string, sha256: string): Promise<number>;

  /** Removes kept bytes, if they exist. */
  abstract remove(tenantId: string, sha256: string): Promise<void>;

  /** The order is undefined. */
  abstract listTemporary(): AsyncIterable<TemporaryContent>;

  /** Grouped by tenant. */
  abstract listKept(): AsyncIterable<KeptContent>;

  /** Removes everything in the folder of a deleted tenant, other files too. Has no effect when repeated. */
  abstract removeAll(tenantId: string): Promise<void>;

  abstract close(): Promise<void>;
}

/**
 * Passes the bytes of `source` to `write`, chunk by chunk. Returns their hash and their number.
 *
 * @throws Problem 413 for more than `limit` bytes
 */
export async function receiveChunks(
  source: Readable,
  limit: number,
  write: (chunk: Buffer) => Promise<void>,
): Promise<Omit<ReceivedContent, 'token'>> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit)
      throw new Problem('request.too-large', { detail: message('content.max-bytes', { max: limit }) });
    hash.update(chunk);
    await write(chunk);
  }
  return { sha256: hash.digest('hex'), size };
}
