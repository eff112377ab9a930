import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { type IncomingMessage, createServer } from 'node:http';
import { Problem } from '../../../../src/common/problem.js';
import { BytesInFlight } from '../../../../src/platform/http/body/bytes-in-flight.js';
import {
  type MultipartUpload,
  readMultipartUpload,
} from '../../../../src/platform/http/body/multipart-upload.js';
import { DiskStoreFixture } from '../../../support/content-fixtures.js';
import { close, listen } from '../../../support/servers/local-server.js';
import { WAIT_TIMEOUT_MS, waitUntil } from '../../../support/wait-until.js';

export const MEBIBYTE = 1024 * 1024;
export const LIMIT = 3 * MEBIBYTE;
export const TRANSFER_RATE = { idleTimeoutMs: WAIT_TIMEOUT_MS, minBytesPerSecond: 1 };
export const OPTIONS = { limit: LIMIT, transferRate: TRANSFER_RATE };

type Answer<T> = { status: number; code?: string; errors?: Record<string, string[]> } & Partial<T>;

export type Part = [headers: string | Buffer, body: string | Buffer];

type Store = DiskStoreFixture['store'];

/** Reads an upload with a JSON part. */
export function readUpload(
  request: IncomingMessage,
  store: Store,
  onDocument: (text: string) => void | Promise<void> = () => {},
): Promise<MultipartUpload> {
  const reservation = new BytesInFlight(64 * MEBIBYTE).reserve({ tenant: 'tenant', caller: 'caller' });
  return readMultipartUpload(request, { ...OPTIONS, store, reservation, onDocument });
}

/** A server that reads uploads into a store, and answers with the result. */
export class UploadFixture<T extends object> {
  /** The store of the current test. */
  storeFixture!: DiskStoreFixture;
  /** Results of the current test, in the order of completion. */
  settled: Answer<T>[] = [];
  url!: string;
  // Only the client closes connections. A request on a connection that the server closes would get no response.
  private readonly server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void this.read(request, this.storeFixture.store)
      .then(
        (upload): Answer<T> => ({ status: 200, ...upload }),
        (error: unknown) =>
          (error instanceof Problem
            ? { status: error.status, code: error.code, errors: error.wording('en').errors }
            : { status: 500, code: String(error) }) as Answer<T>,
      )
      .then((answer) => {
        this.settled.push(answer);
        const body = Buffer.from(JSON.stringify(answer));
        response.writeHead(answer.status, { 'Content-Length': body.length }).end(body);
      });
  });

  /** Registers hooks: each test gets its own store, and must leave no file open. */
  constructor(private readonly read: (request: IncomingMessage, store: Store) => Promise<T>) {
    beforeAll(async () => {
      this.url = await listen(this.server);
    });
    afterAll(() => close(this.server));
    beforeEach(async () => {
      this.storeFixture = await DiskStoreFixture.create();
      this.settled = [];
    });
    afterEach(async () => {
      // Node closes a file shortly after its end has been read.
      await waitUntil(async () => (await this.storeFixture.openFiles()).length === 0);
      await this.storeFixture.destroy();
    });
  }

  /** Number of files in the store, including temporary ones. */
  async fileCount(): Promise<number> {
    return (await this.storeFixture.files()).length;
  }

  async upload(body: FormData | Buffer | string, contentType?: string): Promise<Answer<T>> {
    const response = await fetch(this.url, {
      method: 'POST',
      body,
      headers: contentType ? { 'Content-Type': contentType } : undefined,
    });
    return (await response.json()) as Answer<T>;
  }

  send(...parts: Part[]): Promise<Answer<T>> {
    return this.upload(form(...parts), 'multipart/form-data; boundary=bound');
  }
}

export function form(...parts: Part[]): Buffer {
  return Buffer.concat(
    [
      ...parts.flatMap(([headers, body]) => ['--bound\r\n', headers, '\r\n\r\n', body, '\r\n']),
      '--bound--\r\n',
    ].map((piece) => Buffer.from(piece as string)),
  );
}

export const DOCUMENT: [string, string] = [
  'Content-Disposition: form-data; name="document"\r\nContent-Type: application/json',
  '{"title":"A"}',
];

export function file(body: string | Buffer, headers = ''): Part {
  return [`Content-Disposition: form-data; name="content"; filename="a.pdf"${headers}`, body];
}
