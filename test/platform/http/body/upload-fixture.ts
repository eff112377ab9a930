import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { type Server, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Problem } from '../../../../src/common/problem.js';
import { BytesInFlight } from '../../../../src/platform/http/body/bytes-in-flight.js';
import {
  type MultipartUpload,
  readMultipartUpload,
} from '../../../../src/platform/http/body/multipart-upload.js';
import { DiskStoreFixture } from '../../../support/content-fixtures.js';
import { waitUntil } from '../../../support/wait-until.js';

export const MEBIBYTE = 1024 * 1024;
export const LIMIT = 3 * MEBIBYTE;

export type Answer = {
  status: number;
  code?: string;
  errors?: Record<string, string[]>;
} & Partial<MultipartUpload>;

export type Part = [headers: string | Buffer, body: string | Buffer];

/** A server that reads uploads into a store, and answers with the result. */
export class UploadFixture {
  /** The store of the current test. */
  storeFixture!: DiskStoreFixture;
  onDocument: (text: string) => void | Promise<void> = () => {};
  /** Results of the current test, in the order of completion. */
  settled: Answer[] = [];
  // Only the client closes connections. A request on a connection that the server closes would get no response.
  private readonly server: Server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void readMultipartUpload(request, {
      store: this.storeFixture.store,
      limit: LIMIT,
      reservation: new BytesInFlight(64 * MEBIBYTE).reserve({ tenant: 'tenant', caller: 'caller' }),
      onDocument: (text) => this.onDocument(text),
    })
      .then(
        (upload): Answer => ({ status: 200, ...upload }),
        (error: unknown): Answer =>
          error instanceof Problem
            ? { status: error.status, code: error.code, errors: error.wording('en').errors }
            : { status: 500, code: String(error) },
      )
      .then((answer) => {
        this.settled.push(answer);
        const body = Buffer.from(JSON.stringify(answer));
        response.writeHead(answer.status, { 'Content-Length': body.length }).end(body);
      });
  });

  /** Registers hooks: each test gets its own store, and must leave no file open. */
  static forEach(): UploadFixture {
    const fixture = new UploadFixture();
    beforeAll(() => new Promise<void>((resolve) => fixture.server.listen(0, '127.0.0.1', resolve)));
    afterAll(async () => {
      fixture.server.closeAllConnections();
      await new Promise((resolve) => fixture.server.close(resolve));
    });
    beforeEach(async () => {
      fixture.storeFixture = await DiskStoreFixture.create();
      fixture.onDocument = () => {};
      fixture.settled = [];
    });
    afterEach(async () => {
      // Node closes a file shortly after its end has been read.
      await waitUntil(async () => (await fixture.storeFixture.openFiles()).length === 0);
      await fixture.storeFixture.destroy();
    });
    return fixture;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Number of files in the store, including temporary ones. */
  async fileCount(): Promise<number> {
    return (await this.storeFixture.files()).length;
  }

  async upload(body: FormData | Buffer | string, contentType?: string): Promise<Answer> {
    const response = await fetch(`http://127.0.0.1:${this.port}/`, {
      method: 'POST',
      body,
      headers: contentType ? { 'Content-Type': contentType } : undefined,
    });
    return (await response.json()) as Answer;
  }

  send(...parts: Part[]): Promise<Answer> {
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
