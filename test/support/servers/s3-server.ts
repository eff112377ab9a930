import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { S3Settings } from '../../../src/platform/content/s3-connection.js';
import { S3Bucket, S3Error } from './s3-bucket.js';
import { freeTestPort } from '../free-test-port.js';
import { isSigned } from './s3-signature.js';

const ACCESS_KEY = { s3AccessKeyId: 'TESTKEY', s3SecretAccessKey: 'test/secret+key' };
const BUCKET = 'records';

/** What happens to a request instead of its answer: an error, no answer (`silence`), or a closed connection (`cut`). */
export type S3Fault = { readonly status: number; readonly code: string } | 'silence' | 'cut';

/**
 * A server on a loopback port that implements the part of S3 that the content store uses, and that can fail on demand. It
 * checks signatures; {@link S3Bucket} checks the other rules of S3.
 *
 * The servers on npm are not sufficient: s3rver 3 does not check signatures and cannot abort or list uploads, others
 * need Node 22. `npm run test:services` runs the same tests against OpenStack Swift.
 */
export class S3Server {
  readonly bucket: S3Bucket;
  #server: Server;
  #port = 0;
  #hasBucket = true;
  /** Names of the received operations, in order. */
  readonly operations: string[] = [];
  /** Called for each request; `count` is the number of requests of this operation so far. Returns a failure to inject. */
  injectFault: (operation: string, key: string, count: number) => S3Fault | undefined = () => undefined;
  /** Called after a request was performed. True closes the connection instead of answering. */
  dropsAnswer: (operation: string, count: number) => boolean = () => false;
  /** Requests whose answer is not yet sent or read completely. */
  readonly openRequests = new Set<string>();

  private constructor(private readonly directory: string) {
    this.bucket = new S3Bucket(BUCKET, directory);
    this.#server = this.#listener();
  }

  static async start(): Promise<S3Server> {
    const server = new S3Server(await mkdtemp(path.join(tmpdir(), 'filing-s3-')));
    // No other process may listen on the port while this server is stopped.
    server.#port = await freeTestPort();
    await server.openPort();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get settings(): S3Settings {
    return { s3Bucket: BUCKET, s3Endpoint: this.url, s3ForcePathStyle: true, ...ACCESS_KEY };
  }

  /** Environment of a service that stores its contents here. */
  get environment(): NodeJS.ProcessEnv {
    return {
      CONTENT_STORE: 's3',
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: this.url,
      S3_FORCE_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: ACCESS_KEY.s3AccessKeyId,
      S3_SECRET_ACCESS_KEY: ACCESS_KEY.s3SecretAccessKey,
    };
  }

  removeBucket(): void {
    this.#hasBucket = false;
  }

  restoreBucket(): void {
    this.#hasBucket = true;
  }

  /** Number of open connections, including idle ones. */
  async connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  /** Stops listening; the stored objects stay. */
  async closePort(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Listens again, on the same port. */
  async openPort(): Promise<void> {
    this.#server = this.#listener();
    await once(this.#server.listen(this.#port, '127.0.0.1'), 'listening');
  }

  async stop(): Promise<void> {
    if (this.#server.listening) await this.closePort();
    // A terminated request may still be writing its file.
    await rm(this.directory, { recursive: true, force: true, maxRetries: 10 });
  }

  #listener(): Server {
    // Only clients close idle connections, so that tests can count them.
    return createServer({ keepAliveTimeout: 0 }, (request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        if (response.headersSent) {
          response.destroy();
          return;
        }
        request.resume();
        const known = error instanceof S3Error ? error : new S3Error(500, 'InternalError');
        const isHead = request.method === 'HEAD';
        response.writeHead(known.status, { 'Content-Type': 'application/xml' });
        response.end(isHead ? undefined : `<Error><Code>${known.code}</Code><Message>no</Message></Error>`);
      });
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const [, bucket, ...names] = decodeURIComponent(url.pathname).split('/');
    const key = names.join('/');
    const operation = operationOf(request, url.searchParams, key);
    this.operations.push(operation);
    const mark = `${operation} ${key} ${this.operations.length}`;
    this.openRequests.add(mark);
    response.once('close', () => this.openRequests.delete(mark));
    const count = this.operations.filter((name) => name === operation).length;
    const fault = this.injectFault(operation, key, count);
    if (fault === 'silence') return;
    if (fault === 'cut') {
      request.socket.destroy();
      return;
    }
    if (fault) throw new S3Error(fault.status, fault.code);
    if (!isSigned(request, ACCESS_KEY.s3AccessKeyId, ACCESS_KEY.s3SecretAccessKey)) {
      throw new S3Error(403, 'SignatureDoesNotMatch');
    }
    if (bucket !== BUCKET || !this.#hasBucket) throw new S3Error(404, 'NoSuchBucket');
    const body = await this.bucket.perform(operation, key, url.searchParams, request, response);
    if (this.dropsAnswer(operation, count)) {
      request.socket.destroy();
      return;
    }
    if (response.headersSent) return;
    if (body !== undefined) response.setHeader('Content-Type', 'application/xml');
    response.end(body);
  }
}

function operationOf(request: IncomingMessage, query: URLSearchParams, key: string): string {
  const copies = request.headers['x-amz-copy-source'] !== undefined;
  const about = query.has('uploads') ? 'uploads' : query.has('uploadId') ? 'uploadId' : '';
  const names: Record<string, string> =
    key === ''
      ? { 'HEAD ': 'HeadBucket', 'GET ': 'ListObjects', 'GET uploads': 'ListMultipartUploads' }
      : {
          'HEAD ': 'HeadObject',
          'GET ': 'GetObject',
          'PUT ': copies ? 'CopyObject' : 'PutObject',
          'DELETE ': 'DeleteObject',
          'POST uploads': 'CreateMultipartUpload',
          'PUT uploadId': copies ? 'UploadPartCopy' : 'UploadPart',
          'POST uploadId': 'CompleteMultipartUpload',
          'DELETE uploadId': 'AbortMultipartUpload',
        };
  return names[`${request.method} ${about}`] ?? 'Unknown';
}
