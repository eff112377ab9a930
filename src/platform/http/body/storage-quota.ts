import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { LRUCache } from 'lru-cache';
import { Problem } from '../../../common/problem.js';
import { CONFIGURATION, type Configuration } from '../../config/configuration.js';
import { type ContentStore } from '../../content/content-store.js';
import { TenantsReader } from '../../tenancy/tenants/tenants.reader.js';
import { type FilingRequest, ownerOf } from '../pipeline/request-state.js';
import { onClose } from '../server/on-close.js';
import { type ContentOptions } from './multipart-upload.js';

/** How long the bytes in use of a tenant are cached. */
const REMEMBERED_MS = 60_000;
/** They are read again before an upload is rejected, but reading takes at most a hundredth of the time. */
const READING_PART = 100;
/** Cached tenants. More than simultaneous requests, so a tenant with a running upload is never evicted. */
const MAX_TENANTS = 10_000;

/**
 * Limits the content of each tenant to the tenant's own limit, or else to TENANT_STORAGE_LIMIT_BYTES. The bytes in
 * use are read from the database at most once a minute, and before an upload is rejected. In between, this instance
 * adds the uploads that it accepts.
 *
 * With one instance the limit is exact. With several, it can be exceeded by what the other instances accept within
 * that minute. An upload whose client disconnects is missed if the bytes in use are read just before its commit.
 */
@Injectable()
export class StorageQuota {
  private readonly tenants = new LRUCache<string, TenantStorage>({ max: MAX_TENANTS });

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly reader: TenantsReader,
  ) {}

  /** Wraps the store for one request: receiving fails with a Problem 507 when the tenant's limit would be exceeded. */
  limit(store: ContentStore, request: FilingRequest, response: Response): ContentOptions['store'] {
    return {
      receive: (source, limit) => {
        const counted = this.count(source, limit, request, response);
        return store.receive(Readable.from(counted, { objectMode: false }), limit);
      },
      discard: (received) => store.discard(received),
    };
  }

  /** Reserves the announced length (Content-Length) before the first byte; beyond that, bytes as they arrive. */
  private async *count(
    source: Readable,
    limit: number,
    request: FilingRequest,
    response: Response,
  ): AsyncGenerator<Buffer> {
    const storage = this.storageOf(ownerOf(request).tenant);
    const upload: Upload = { bytes: 0 };
    storage.begin(upload);
    onClose(response, () => storage.end(upload, request.complete && response.statusCode < 400));
    const announced = Math.min(Number(request.headers['content-length'] ?? 0), limit);
    let received = 0;
    for await (const chunk of source as AsyncIterable<Buffer>) {
      received += chunk.length;
      await storage.reserve(upload, Math.max(announced, received));
      yield chunk;
    }
  }

  private storageOf(tenantId: string): TenantStorage {
    let storage = this.tenants.get(tenantId);
    if (!storage) this.tenants.set(tenantId, (storage = new TenantStorage(() => this.read(tenantId))));
    return storage;
  }

  private async read(tenantId: string): Promise<{ limit: number; used: number }> {
    const { limit, used } = await this.reader.storageOf(tenantId);
    return { limit: limit ?? this.configuration.tenantStorageLimit, used };
  }
}

interface Upload {
  /** Reserved bytes. */
  bytes: number;
}

/** The storage of one tenant, as known to this instance. Sizes are in bytes. */
class TenantStorage {
  private limit = 0;
  /** Bytes in use when they were last read from the database. */
  private used = 0;
  /** Bytes that this instance has accepted since then. */
  private accepted = 0;
  private readonly uploads = new Set<Upload>();
  private readAt = -Infinity;
  private readingMs = 0;
  private reading: Promise<void> | undefined;

  constructor(private readonly read: () => Promise<{ limit: number; used: number }>) {}

  begin(upload: Upload): void {
    this.uploads.add(upload);
  }

  end(upload: Upload, isAccepted: boolean): void {
    this.uploads.delete(upload);
    if (isAccepted) this.accepted += upload.bytes;
  }

  /**
   * Raises the reservation of the upload to `bytes`.
   *
   * @throws Problem 507 if the tenant's limit would be exceeded
   */
  async reserve(upload: Upload, bytes: number): Promise<void> {
    const more = bytes - upload.bytes;
    if (more <= 0) return;
    const age = performance.now() - this.readAt;
    if (age > REMEMBERED_MS || (this.exceededBy(more) && age > READING_PART * this.readingMs)) {
      await (this.reading ??= this.refresh().finally(() => (this.reading = undefined)));
    }
    if (this.exceededBy(more)) throw new Problem('content.quota-exceeded');
    upload.bytes = bytes;
  }

  private exceededBy(more: number): boolean {
    let bytes = this.used + this.accepted + more;
    for (const upload of this.uploads) bytes += upload.bytes;
    return bytes > this.limit;
  }

  private async refresh(): Promise<void> {
    const [begin, counted] = [performance.now(), this.accepted];
    const { limit, used } = await this.read();
    this.limit = limit;
    this.used = used;
    // Uploads accepted during the read may be missing in `used`, so they stay counted.
    this.accepted -= counted;
    this.readAt = begin;
    this.readingMs = performance.now() - begin;
  }
}
