import { hash } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { Inject, Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { FairQueue } from '../../../common/fair-queue.js';
import { isJsonObject } from '../../../common/json-object.js';
import { CONFIGURATION, type Configuration } from '../../config/configuration.js';
import { ContentStore } from '../../content/content-store.js';
import { BODY_LIMITS, MAX_JSON_DEPTH } from '../endpoint/endpoint-options.js';
import { type StrictRequest } from '../input/strict-handling.js';
import { type FilingRequest, ownerOf } from '../pipeline/request-state.js';
import { onClose } from '../server/on-close.js';
import { BytesInFlight } from './bytes-in-flight.js';
import { readContentBody } from './content-body.js';
import { readJsonBody } from './json-body.js';
import { parseJson } from './json-parser.js';
import { readMultipartUpload } from './multipart-upload.js';
import { StorageQuota } from './storage-quota.js';

/**
 * Maximum bytes of JSON bodies in memory. A body counts from its announcement (Content-Length) to the end of the
 * response. A parsed body takes up to eight times its size (if all values are empty objects), so all bodies together
 * never fill more than half of the heap.
 */
const BODY_BYTES = Math.floor(getHeapStatistics().heap_size_limit / 16);

/** Maximum number of simultaneous uploads. Each takes up to 10 MiB of memory when the content store is a bucket. */
const UPLOADS = { total: 32, tenant: 8, caller: 4 };

/** Slower than any usable connection. A slower upload would occupy one of the few upload slots for hours. */
const UPLOAD_MIN_BYTES_PER_SECOND = 8192;

/** A JSON body costs one request of the caller's rate limit for each full 64 KiB, in addition to the request itself. */
const BYTES_PER_REQUEST = 64 * 1024;

/** Reads the bodies of all requests, so that it can limit what they use together. */
@Injectable()
export class BodyReader {
  private readonly bytes = new BytesInFlight(BODY_BYTES);
  private readonly uploads = new FairQueue(UPLOADS, () => this.configuration.uploadIdleTimeout);

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly store: ContentStore,
    private readonly quota: StorageQuota,
  ) {}

  /**
   * Sets `body`, `state.upload`, `state.bodyHash` and `state.textHash` of the request. The caller must {@link discard} the upload.
   *
   * @throws Problem 400, 413, 415, 429, 503, 507
   */
  async read(request: FilingRequest, response: Response, strict: StrictRequest | null): Promise<void> {
    const { state } = request;
    const { endpoint } = state;
    if (!endpoint) return;
    const unknownParts: string[] = [];
    const { uploadLimit, uploadIdleTimeout } = this.configuration;
    const transferRate = { idleTimeoutMs: uploadIdleTimeout, minBytesPerSecond: UPLOAD_MIN_BYTES_PER_SECOND };
    const uploadOptions = () => ({
      store: this.quota.limit(this.store, request, response),
      limit: uploadLimit,
      transferRate,
      onUnknownPart: (name: string) => unknownParts.push(name),
    });
    if (endpoint.contentBody) {
      strict?.check();
      state.upload = await this.receive(request, () => readContentBody(request, uploadOptions()));
      strict?.checkParts(unknownParts);
      return;
    }
    const limits = BODY_LIMITS[endpoint.bodyLimit ?? 'normal'];
    const jsonLimits = { depth: MAX_JSON_DEPTH, values: limits.values };
    const accept = async (text: string) => {
      // Charge before parsing.
      if (text.length > BYTES_PER_REQUEST) await state.charge?.(Math.floor(text.length / BYTES_PER_REQUEST));
      const body = parseJson(text, jsonLimits, { keepsProto: strict !== null });
      strict?.check(body);
      request.body = body;
      const cost = endpoint.cost && isJsonObject(body) ? Math.ceil(endpoint.cost(body)) : 1;
      if (cost > 1) await state.charge?.(cost - 1);
    };
    const reservation = this.bytes.reserve(ownerOf(request));
    onClose(response, () => reservation.release());
    let text: string;
    if (endpoint.upload && /^\s*multipart\/form-data/i.test(request.headers['content-type'] ?? '')) {
      const upload = await this.receive(request, () =>
        readMultipartUpload(request, { ...uploadOptions(), reservation, onDocument: accept }),
      );
      text = upload.document;
      state.upload = upload.content;
      strict?.checkParts(unknownParts);
    } else {
      text = await readJsonBody(request, { limit: limits.bytes, transferRate, reservation });
      await accept(text);
    }
    if (endpoint.idempotent && request.headers['idempotency-key'] !== undefined) {
      const { sha256 = '' } = state.upload?.received ?? {};
      state.bodyHash = hash('sha256', canonicalJson(request.body) + sha256, 'base64url');
      state.textHash = hash('sha256', text + sha256, 'base64url');
    }
  }

  /** Discards uploaded bytes in the background, unless a document uses them. The content sweep deletes the rest. */
  discard({ state: { upload } }: FilingRequest): void {
    if (upload) void this.store.discard(upload.received).catch(() => undefined);
  }

  /** Waits for an upload slot. Meanwhile no bytes are read from the client. */
  private async receive<T>(request: FilingRequest, read: () => Promise<T>): Promise<T> {
    const release = await this.uploads.acquire(ownerOf(request));
    try {
      return await read();
    } finally {
      release();
    }
  }
}

/** JSON text of parsed JSON, the same for every order of members. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    isJsonObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
