import type { Readable } from 'node:stream';

/** Bytes that have arrived in a temporary place: complete, counted, hashed and on stable storage. */
export interface ReceivedContent {
  /** Names the temporary place; means nothing outside the store. */
  readonly token: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/** Both ends inclusive, from 0, as in the Range header (RFC 9110, 14.1.2). */
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
   * When the bytes were put there. Keeping what is there already may count, too, or not: what was linked lately is
   * told by the database (see `sweepContent`).
   */
  readonly modifiedAt: Date;
}

/** The store does not have these bytes, although somebody believes that it has. */
export class ContentMissing extends Error {
  constructor(tenantId: string, sha256: string) {
    super(`The store has no content ${sha256} of tenant ${tenantId}.`);
    this.name = 'ContentMissing';
  }
}

/** A store that cannot be used as it is configured; the message is fit for whoever starts the service. */
export class ContentStoreStartError extends Error {
  override readonly name = 'ContentStoreStartError';
}

/**
 * Where the bytes of documents are. Content is addressed by its hash, within its tenant: the same bytes uploaded
 * twice are stored once, and nothing is shared, or can be guessed to exist, across tenants.
 *
 * Bytes come in two steps, because a file system (or an object store) and a database do not commit together:
 * `receive` puts them in a temporary place, and `keep`, called in the transaction that links them, before its
 * commit, puts them in their final one. A crash at any point leaves either something temporary or something
 * final that nothing refers to; `sweepContent` finds both. There is never a link without bytes.
 *
 * No method tells more of a file system than an object store has, too: there `receive` is a multipart upload,
 * `keep` a copy, `open` a GET with a range, and the lists are pages of keys.
 *
 * Storage that is full is a Problem 507, storage that fails otherwise a Problem 503.
 */
export abstract class ContentStore {
  /**
   * Streams `source` into a temporary place, without ever holding more than a piece of it.
   *
   * @param limit most bytes that are taken; one more is a Problem 413, found while reading
   * @throws whatever `source` fails with. After any failure nothing temporary is left and `source` is destroyed.
   */
  abstract receive(source: Readable, limit: number): Promise<ReceivedContent>;

  /**
   * Puts received bytes in their final place; when the tenant has these bytes already, drops the new ones. May be
   * called again for the same bytes, as happens when a transaction is tried anew.
   *
   * Before it, the caller locks the row of the content in its transaction (see `sweepContent`).
   */
  abstract keep(tenantId: string, received: ReceivedContent): Promise<void>;

  /** Drops received bytes that are not wanted after all. Harmless after `keep`, and when repeated. */
  abstract discard(received: Pick<ReceivedContent, 'token'>): Promise<void>;

  /**
   * Opens kept bytes. Whoever asked must read the stream to its end or destroy it.
   *
   * @throws ContentMissing
   */
  abstract open(tenantId: string, sha256: string, range?: ByteRange): Promise<Readable>;

  /**
   * Bytes that are really there.
   *
   * @throws ContentMissing
   */
  abstract size(tenantId: string, sha256: string): Promise<number>;

  /** Removes kept bytes, if they are there. */
  abstract remove(tenantId: string, sha256: string): Promise<void>;

  /** All that is temporary, in no order. */
  abstract listTemporary(): AsyncIterable<TemporaryContent>;

  /** All that is kept, tenant by tenant. */
  abstract listKept(): AsyncIterable<KeptContent>;

  /** Lets go of connections. Nothing may be asked of the store afterwards. */
  abstract close(): Promise<void>;
}
