import { createHash } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { FairQueue } from '../../../common/fair-queue.js';
import { isJsonObject } from '../../../common/json-object.js';
import { Problem, invalidValue } from '../../../common/problem.js';
import { CONFIGURATION, type Configuration } from '../../config/configuration.js';
import { ContentStore } from '../../content/content-store.js';
import {
  type IdempotencyRequest,
  type RequestConditions,
} from '../../database/transactions/tenant-context.js';
import { BODY_LIMITS, type EndpointOptions, MAX_JSON_DEPTH } from '../endpoint/endpoint.js';
import { declaredMembers } from '../input/read-members.js';
import { StrictHandling, type StrictRequest } from '../input/strict-handling.js';
import { type FilingRequest, ownerOf, requestOf, responseOf } from '../pipeline/request-state.js';
import { onClose } from '../server/on-close.js';
import { BytesInFlight } from './bytes-in-flight.js';
import { readContentBody } from './content-body.js';
import { readJsonBody } from './json-body.js';
import { KEEP_ALL, parseJson } from './json-parser.js';
import { readMultipartUpload } from './multipart-upload.js';
import { StorageQuota } from './storage-quota.js';
import { discardUpload } from './unused-upload.interceptor.js';

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

/**
 * Runs after the other guards. Reads the body if the operation takes one (any other body is ignored), and the
 * conditions for the transaction: If-Match and Idempotency-Key. It is a guard because Nest's interceptor chain would
 * cost a quarter of the time of a GetFile request (docs/adr/0029).
 */
@Injectable()
export class BodyGuard implements CanActivate {
  private readonly bytes = new BytesInFlight(BODY_BYTES);
  private readonly uploads = new FairQueue(UPLOADS, () => this.configuration.uploadIdleTimeout);

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly store: ContentStore,
    private readonly quota: StorageQuota,
    private readonly strictHandling: StrictHandling,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = requestOf(context);
    const { endpoint, caller } = request.state;
    if (!endpoint) return true;
    const { streams, eventStream, produces } = endpoint;
    const mediaType = produces ?? (eventStream ? 'text/event-stream' : 'application/json');
    if (!streams && !accepts(request, mediaType)) throw new Problem('request.not-acceptable');
    const { prefer } = request.headers;
    const strict = typeof prefer === 'string' ? this.strictHandling.of(context, endpoint, prefer) : null;
    if (endpoint.body !== undefined || endpoint.contentBody === true)
      return this.read(request, responseOf(context), endpoint, strict);
    strict?.check();
    if (caller) caller.conditions = conditionsOf(request, endpoint);
    return true;
  }

  private async read(
    request: FilingRequest,
    response: Response,
    endpoint: EndpointOptions,
    strict: StrictRequest | null,
  ): Promise<boolean> {
    const { caller } = request.state;
    try {
      await this.readBody(request, response, endpoint, strict);
      // Reading the body can take long, so check the rights again. The transaction rechecks the role, not the grants.
      await caller?.recheckPermission();
      if (caller) caller.conditions = conditionsOf(request, endpoint);
    } catch (error) {
      discardUpload(request.state, this.store);
      throw error;
    }
    return true;
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

  private async readBody(
    request: FilingRequest,
    response: Response,
    endpoint: EndpointOptions,
    strict: StrictRequest | null,
  ): Promise<void> {
    const { state } = request;
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
    const declared = strict ? KEEP_ALL : endpoint.body && declaredMembers(endpoint.body);
    const accept = async (text: string) => {
      // Charge before parsing.
      if (text.length > BYTES_PER_REQUEST) await state.charge?.(Math.floor(text.length / BYTES_PER_REQUEST));
      const body = parseJson(text, { depth: MAX_JSON_DEPTH, values: limits.values }, declared);
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
      state.bodyHash = createHash('sha256')
        .update(text)
        .update(state.upload?.received.sha256 ?? '')
        .digest('base64url');
    }
  }
}

/** Parameters of a media range other than `q` are ignored: JSON has none (RFC 8259, 11). */
function accepts(request: FilingRequest, mediaType: string): boolean {
  const { accept } = request.headers;
  if (accept === undefined || accept === '*/*' || accept === mediaType) return true;
  const acceptable = ['*/*', mediaType.replace(/\/.*/, '/*'), mediaType];
  return accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(
      ([range = '', ...parameters]) =>
        acceptable.includes(range) && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)),
    );
}

function conditionsOf(request: FilingRequest, endpoint: EndpointOptions): RequestConditions | undefined {
  const ifMatch =
    endpoint.tagged && (request.method === 'PUT' || request.method === 'DELETE')
      ? request.headers['if-match']
      : undefined;
  const idempotency = endpoint.idempotent ? idempotencyOf(request, endpoint) : undefined;
  return ifMatch === undefined && idempotency === undefined ? undefined : { ifMatch, idempotency };
}

function idempotencyOf(request: FilingRequest, endpoint: EndpointOptions): IdempotencyRequest | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidValue('Idempotency-Key', 'value.idempotency-key');
  }
  const { operation, idempotent, problems, addition } = endpoint;
  return {
    operation,
    key,
    // Without the tenant's slug: a request repeated after the slug has changed must have the same fingerprint.
    fingerprint: `${request.originalUrl.replace(/^\/api\/v1\/t\/[^/]*/, '')} ${request.state.bodyHash ?? ''}`,
    secrets: typeof idempotent === 'object' ? idempotent.secrets : [],
    onMismatch:
      problems.includes(409) || addition ? 'request.idempotency-conflict' : 'request.idempotency-key-reused',
  };
}
