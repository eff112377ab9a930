import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A file on the test server with the bytes of an object or part. */
interface Stored {
  readonly file: string;
  readonly size: number;
  readonly etag: string;
}

interface StoredObject extends Stored {
  readonly encryption: string | undefined;
  modifiedAt: Date;
}

interface Upload {
  readonly key: string;
  readonly encryption: string | undefined;
  initiatedAt: Date;
  readonly parts: Map<number, Stored>;
}

export class S3Error extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

/**
 * The bucket of an `S3Server` and the S3 operations on it. Checks the rules of S3: hashes of bodies, sizes and order of
 * parts, entity tags.
 */
export class S3Bucket {
  readonly #objects = new Map<string, StoredObject>();
  readonly #uploads = new Map<string, Upload>();
  /** Maximum number of entries on a page of a list. */
  pageSize = 1000;
  /** In bytes; 5 MiB as in S3. */
  minPartSize = 5 * 1024 * 1024;
  /** In bytes; 5 GiB as in S3. */
  maxCopySize = 5 * 1024 ** 3;

  constructor(
    readonly name: string,
    private readonly directory: string,
  ) {}

  keys(): string[] {
    return [...this.#objects.keys()].sort();
  }

  /** Keys of unfinished multipart uploads. */
  uploads(): string[] {
    return [...this.#uploads.values()].map(({ key }) => key).sort();
  }

  encryptionOf(key: string): string | undefined {
    return this.#objects.get(key)?.encryption;
  }

  /** Sets the time of an object, and of all uploads to the key, to `hours` ago. */
  age(key: string, hours: number): void {
    const then = new Date(Date.now() - hours * 3_600_000);
    const object = this.#objects.get(key);
    if (object) object.modifiedAt = then;
    for (const upload of this.#uploads.values()) if (upload.key === key) upload.initiatedAt = then;
  }

  /** Stores an object without a request. */
  async put(key: string, bytes: Buffer | string): Promise<void> {
    const stored = await this.#store([Buffer.from(bytes)]);
    this.#objects.set(key, { ...stored, encryption: undefined, modifiedAt: new Date() });
  }

  /** Performs an operation. Returns the body of the answer, or undefined when there is none or it was sent already. */
  async perform(
    operation: string,
    key: string,
    query: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<string | undefined> {
    const encryption = encryptionOf(request);
    switch (operation) {
      case 'HeadBucket':
        return undefined;
      case 'ListObjects':
        return this.#listObjects(query);
      case 'ListMultipartUploads':
        return this.#listUploads(query);
      case 'HeadObject':
      case 'GetObject':
        return this.#send(this.#object(key), request, response);
      case 'PutObject': {
        const stored = await this.#receive(request);
        this.#objects.set(key, { ...stored, encryption, modifiedAt: new Date() });
        response.setHeader('ETag', stored.etag);
        return undefined;
      }
      case 'CopyObject': {
        const source = this.#source(request);
        if (source.size > this.maxCopySize) throw new S3Error(400, 'InvalidRequest');
        const copy = { ...source, encryption, modifiedAt: new Date() };
        this.#objects.set(key, copy);
        return `<CopyObjectResult><ETag>${copy.etag}</ETag></CopyObjectResult>`;
      }
      case 'DeleteObject':
        this.#objects.delete(key);
        response.statusCode = 204;
        return undefined;
      case 'CreateMultipartUpload': {
        const id = randomUUID();
        this.#uploads.set(id, { key, encryption, initiatedAt: new Date(), parts: new Map() });
        return `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`;
      }
      case 'UploadPart':
      case 'UploadPartCopy': {
        const part = Number(query.get('partNumber'));
        if (!(part >= 1 && part <= 10_000)) throw new S3Error(400, 'InvalidArgument');
        this.#upload(key, query);
        const isCopy = operation === 'UploadPartCopy';
        const stored = await (isCopy ? this.#copyRange(request) : this.#receive(request));
        this.#upload(key, query).parts.set(part, stored);
        response.setHeader('ETag', stored.etag);
        return isCopy ? `<CopyPartResult><ETag>${stored.etag}</ETag></CopyPartResult>` : undefined;
      }
      case 'CompleteMultipartUpload':
        return this.#complete(key, query, await textOf(request));
      case 'AbortMultipartUpload':
        this.#upload(key, query);
        this.#uploads.delete(query.get('uploadId') ?? '');
        response.statusCode = 204;
        return undefined;
      default:
        throw new S3Error(501, 'NotImplemented');
    }
  }

  #object(key: string): StoredObject {
    const object = this.#objects.get(key);
    if (!object) throw new S3Error(404, 'NoSuchKey');
    return object;
  }

  #upload(key: string, query: URLSearchParams): Upload {
    const upload = this.#uploads.get(query.get('uploadId') ?? '');
    if (upload?.key !== key) throw new S3Error(404, 'NoSuchUpload');
    return upload;
  }

  #source(request: IncomingMessage): StoredObject {
    const [bucket, ...names] = decodeURIComponent(header(request, 'x-amz-copy-source') ?? '').split('/');
    if (bucket !== this.name) throw new S3Error(404, 'NoSuchBucket');
    return this.#object(names.join('/'));
  }

  async #copyRange(request: IncomingMessage): Promise<Stored> {
    const { file, size } = this.#source(request);
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(header(request, 'x-amz-copy-source-range') ?? '') ?? [];
    if (start === undefined || Number(end) >= size) throw new S3Error(400, 'InvalidRange');
    return this.#store(createReadStream(file, { start: Number(start), end: Number(end) }));
  }

  async #complete(key: string, query: URLSearchParams, body: string): Promise<string> {
    const { parts, encryption } = this.#upload(key, query);
    const named = [...body.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      etag: /<ETag>(.*?)</.exec(part)?.[1]?.replaceAll('&quot;', '"'),
    }));
    const stored = named.map(({ number, etag }, index) => {
      const part = parts.get(number);
      if (part?.etag !== etag || part === undefined) throw new S3Error(400, 'InvalidPart');
      if (number <= (named[index - 1]?.number ?? 0)) throw new S3Error(400, 'InvalidPartOrder');
      if (index < named.length - 1 && part.size < this.minPartSize) throw new S3Error(400, 'EntityTooSmall');
      return part;
    });
    if (stored.length === 0) throw new S3Error(400, 'MalformedXML');
    const whole = await this.#store(
      (async function* () {
        for (const { file } of stored) yield* createReadStream(file) as AsyncIterable<Buffer>;
      })(),
    );
    await Promise.all([...parts.values()].map(({ file }) => rm(file, { force: true })));
    this.#uploads.delete(query.get('uploadId') ?? '');
    const etag = `"${createHash('md5').update(whole.etag).digest('hex')}-${stored.length}"`;
    this.#objects.set(key, { ...whole, etag, encryption, modifiedAt: new Date() });
    return `<CompleteMultipartUploadResult><ETag>${etag}</ETag></CompleteMultipartUploadResult>`;
  }

  /** Stores the body of the request and checks its hash against the signed one. */
  async #receive(request: IncomingMessage): Promise<Stored> {
    if (request.headers['content-length'] === undefined) throw new S3Error(411, 'MissingContentLength');
    const hash = createHash('sha256');
    const stored = await this.#store(
      (async function* () {
        for await (const chunk of request as AsyncIterable<Buffer>) {
          hash.update(chunk);
          yield chunk;
        }
      })(),
    );
    if (header(request, 'x-amz-content-sha256') !== hash.digest('hex')) {
      throw new S3Error(400, 'XAmzContentSHA256Mismatch');
    }
    return stored;
  }

  async #store(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<Stored> {
    const file = path.join(this.directory, randomUUID());
    const md5 = createHash('md5');
    let size = 0;
    const counted = async function* () {
      for await (const chunk of chunks as AsyncIterable<Buffer>) {
        md5.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    };
    await pipeline(counted, createWriteStream(file));
    return { file, size, etag: `"${md5.digest('hex')}"` };
  }

  async #send(
    { file, size, etag, modifiedAt }: StoredObject,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<undefined> {
    const [, first = '0', last = `${size - 1}`] =
      /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const [start, end] = [Number(first), Math.min(Number(last), size - 1)];
    if (request.headers.range !== undefined && start >= size) throw new S3Error(416, 'InvalidRange');
    response.writeHead(request.headers.range === undefined ? 200 : 206, {
      'Content-Length': end - start + 1,
      'Last-Modified': modifiedAt.toUTCString(),
      ETag: etag,
    });
    if (request.method === 'HEAD' || size === 0) response.end();
    else await pipeline(createReadStream(file, { start, end }), response);
    return undefined;
  }

  #listObjects(query: URLSearchParams): string {
    const after = query.get('continuation-token') ?? '';
    const keys = this.keys().filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after);
    const page = keys.slice(0, this.pageSize);
    const truncated = keys.length > page.length;
    const contents = page.map((key) => {
      const { size, modifiedAt } = this.#object(key);
      const time = modifiedAt.toISOString();
      return `<Contents><Key>${key}</Key><Size>${size}</Size><LastModified>${time}</LastModified></Contents>`;
    });
    const next = truncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    return `<ListBucketResult><IsTruncated>${truncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`;
  }

  #listUploads(query: URLSearchParams): string {
    const after = `${query.get('key-marker') ?? ''} ${query.get('upload-id-marker') ?? ''}`;
    const all = [...this.#uploads]
      .map(([id, upload]) => ({ id, ...upload, place: `${upload.key} ${id}` }))
      .filter(({ key, place }) => key.startsWith(query.get('prefix') ?? '') && place > after)
      .sort((one, other) => (one.place < other.place ? -1 : 1));
    const page = all.slice(0, this.pageSize);
    const truncated = all.length > page.length;
    const uploads = page.map(
      ({ id, key, initiatedAt }) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiatedAt.toISOString()}</Initiated></Upload>`,
    );
    const last = page.at(-1);
    const next =
      truncated && last
        ? `<NextKeyMarker>${last.key}</NextKeyMarker><NextUploadIdMarker>${last.id}</NextUploadIdMarker>`
        : '';
    return `<ListMultipartUploadsResult><IsTruncated>${truncated}</IsTruncated>${next}${uploads.join('')}</ListMultipartUploadsResult>`;
  }
}

function encryptionOf(request: IncomingMessage): string | undefined {
  const algorithm = header(request, 'x-amz-server-side-encryption');
  const key = header(request, 'x-amz-server-side-encryption-aws-kms-key-id');
  return key === undefined ? algorithm : `${algorithm} ${key}`;
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
