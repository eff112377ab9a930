import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { rm, truncate } from 'node:fs/promises';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../../../src/common/problem.js';
import { type ContentStore } from '../../../../src/platform/content/content-store.js';
import { type ContentToSend, sendContent } from '../../../../src/platform/http/response/content-response.js';
import { bytesOf, pseudoRandomBytes, DiskStoreFixture, TENANT } from '../../../support/content-fixtures.js';
import { close, listen } from '../../../support/servers/local-server.js';
import { waitUntil } from '../../../support/wait-until.js';

const BYTES = pseudoRandomBytes(100_000);

/**
 * Runs a test that needs real time. Retries it if it fails and the process was blocked for longer than the test
 * tolerates, because such a failure is not caused by the code.
 */
async function retryAfterStall(toleratedMs: number, test: () => Promise<void>): Promise<void> {
  for (;;) {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    try {
      return await test();
    } catch (error) {
      if (delay.max < toleratedMs * 1e6) throw error;
    } finally {
      delay.disable();
    }
  }
}

describe('sendContent', () => {
  let fixture: DiskStoreFixture;
  let server: Server;
  let url: string;
  let content: ContentToSend;
  let requestCount: number;
  let outcomes: string[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      requestCount += 1;
      // Headers set earlier must be kept or overridden, and not sent twice.
      response.setHeader('Content-Security-Policy', "default-src 'self'");
      response.setHeader('X-Request-Id', '1');
      sendContent(request, response, content).then(
        () => outcomes.push('sent'),
        (error: unknown) => {
          const problem = error instanceof Problem ? error : null;
          outcomes.push(problem?.code ?? 'failed');
          if (!response.headersSent) {
            response.writeHead(problem?.status ?? 500, problem?.options.headers).end(problem?.code);
          }
        },
      );
    });
    url = await listen(server);
  });
  afterAll(() => close(server));
  beforeEach(async () => {
    fixture = await DiskStoreFixture.create();
    requestCount = 0;
    outcomes = [];
    const sha256 = await fixture.keep(BYTES);
    content = {
      store: fixture.store,
      tenantId: TENANT,
      sha256,
      size: BYTES.length,
      mediaType: 'application/pdf',
      fileName: 'a.pdf',
      disposition: 'attachment',
      idleTimeoutMs: 30_000,
    };
  });
  afterEach(async () => {
    // Each request must have exactly one outcome, and leave no file open.
    await waitUntil(() => outcomes.length >= requestCount);
    await waitUntil(async () => (await fixture.openFiles()).length === 0);
    expect(outcomes).toHaveLength(requestCount);
    await fixture.destroy();
  });

  const opening = (open: ContentStore['open'], size = BYTES.length): ContentStore =>
    Object.assign(Object.create(fixture.store) as ContentStore, { size: async () => size, open });

  function sendRequest(method: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      httpRequest(url, { method, headers, agent: false }, resolve).on('error', reject).end();
    });
  }
  async function get(headers?: Record<string, string>, method = 'GET') {
    const response = await sendRequest(method, headers);
    return { status: response.statusCode, headers: response.headers, body: await bytesOf(response) };
  }

  it('sends the whole content', async () => {
    const { status, headers, body } = await get();

    expect(status).toBe(200);
    expect(body.equals(BYTES)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '100000',
      'accept-ranges': 'bytes',
      etag: `"${content.sha256}"`,
      'cache-control': 'private, no-cache',
      'content-disposition': 'attachment; filename=a.pdf',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-request-id': '1',
    });
    await waitUntil(() => outcomes.length > 0);
    expect(outcomes).toEqual(['sent']);
  });

  it('answers HEAD with the same headers without body', async () => {
    const [head, whole] = [await get({ Range: 'bytes=0-1' }, 'HEAD'), await get()];

    expect(head.status).toBe(200);
    expect(head.body).toHaveLength(0);
    expect({ ...head.headers, date: '' }).toEqual({ ...whole.headers, date: '' });
  });

  it('sends empty content', async () => {
    content = { ...content, sha256: await fixture.keep(''), size: 0 };

    expect(await get()).toMatchObject({ status: 200, headers: { 'content-length': '0' } });
    expect(await get({ Range: 'bytes=-5' })).toMatchObject({ status: 200 });
    expect(await get({ Range: 'bytes=0-' })).toMatchObject({
      status: 416,
      headers: { 'content-range': 'bytes */0' },
    });
  });

  describe('ranges', () => {
    it.each([
      ['bytes=0-0', 0, 0],
      ['bytes=100-199', 100, 199],
      ['bytes=99999-', 99_999, 99_999],
      ['bytes=5-1000000', 5, 99_999],
      ['bytes=-10', 99_990, 99_999],
      ['bytes=-1000000', 0, 99_999],
      ['Bytes= 3-4 ,', 3, 4],
    ])('sends %s', async (range, start, end) => {
      const { status, headers, body } = await get({ Range: range });

      expect(status).toBe(206);
      expect(headers).toMatchObject({
        'content-range': `bytes ${start}-${end}/100000`,
        'content-length': String(end - start + 1),
        etag: `"${content.sha256}"`,
      });
      expect(body.equals(BYTES.subarray(start, end + 1))).toBe(true);
    });

    it.each(['bytes=100000-', 'bytes=100000-100001', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])(
      'returns 416 with the size of the content for %s',
      async (range) => {
        const { status, headers, body } = await get({ Range: range });

        expect([status, body.toString()]).toEqual([416, 'content.range-not-satisfiable']);
        expect(headers['content-range']).toBe('bytes */100000');
        expect(headers).not.toHaveProperty('etag');
        expect(headers).not.toHaveProperty('content-disposition');
      },
    );

    it.each([
      'bytes=2-1',
      'bytes=a-b',
      'bytes=-',
      'bytes=',
      'bytes',
      'bytes=1',
      'bytes=1--2',
      'pages=1-2',
      'bytes=0x1-2',
      'bytes=0-1,5-6',
    ])('ignores %s, which is no valid or not a single range', async (range) => {
      expect(await get({ Range: range })).toMatchObject({ status: 200, body: { length: 100_000 } });
    });

    it('are sent only if If-Range matches, by strong comparison', async () => {
      const ranged = async (condition: string): Promise<number | undefined> =>
        (await get({ Range: 'bytes=0-1', 'If-Range': condition })).status;

      expect(await ranged(`"${content.sha256}"`)).toBe(206);
      expect(await ranged(`W/"${content.sha256}"`)).toBe(200);
      expect(await ranged('"something else"')).toBe(200);
      expect(await ranged('Wed, 21 Oct 2026 07:28:00 GMT')).toBe(200);
    });
  });

  describe('If-Match', () => {
    it.each(['*', '"TAG"', '"other", "TAG"'])('%s matches', async (header) => {
      const { status } = await get({ 'If-Match': header.replace('TAG', content.sha256), Range: 'bytes=0-1' });
      expect(status).toBe(206);
    });

    it.each(['W/"TAG"', '"other"', ''])(
      '%s does not match, and is checked before If-None-Match and Range',
      async (header) => {
        const { status, headers, body } = await get({
          'If-Match': header.replace('TAG', content.sha256),
          'If-None-Match': '*',
          Range: 'bytes=999999-',
        });
        expect([status, body.toString()]).toEqual([412, 'request.precondition-failed']);
        expect(headers).not.toHaveProperty('content-disposition');
      },
    );
  });

  describe('If-None-Match', () => {
    it.each(['*', '"TAG"', 'W/"TAG"', '"other", "TAG"'])('%s results in 304', async (header) => {
      const { status, headers, body } = await get({
        'If-None-Match': header.replace('TAG', content.sha256),
        Range: 'bytes=999999-',
      });

      expect([status, body.length]).toEqual([304, 0]);
      expect(headers).toMatchObject({ etag: `"${content.sha256}"`, 'cache-control': 'private, no-cache' });
      expect(headers).not.toHaveProperty('content-type');
    });

    it('results in a 304 with the Content-Security-Policy of the content', async () => {
      const tag = { 'If-None-Match': `"${content.sha256}"` };
      for (const disposition of ['inline', 'attachment'] as const) {
        content = { ...content, disposition };
        const [kept, whole] = [await get(tag), await get()];
        expect([kept.status, kept.headers['content-security-policy']]).toEqual([
          304,
          whole.headers['content-security-policy'],
        ]);
      }
    });

    it('with other tags results in 200', async () => {
      expect(await get({ 'If-None-Match': '"other", W/"another"' })).toMatchObject({ status: 200 });
    });
  });

  describe('browsers', () => {
    const shown = async (mediaType: string, disposition: 'inline' | 'attachment') => {
      content = { ...content, mediaType, disposition };
      const { headers } = await get();
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      const isShownText = mediaType === 'text/plain' && disposition === 'inline';
      expect(headers['content-type']).toBe(isShownText ? 'text/plain; charset=windows-1252' : mediaType);
      return [String(headers['content-disposition']).split(';')[0] ?? '', policy.startsWith('sandbox;')];
    };

    it.each(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/tiff', 'text/plain'])(
      'may show %s inline in a sandbox, text with its encoding',
      async (type) => {
        expect(await shown(type, 'inline')).toEqual(['inline', true]);
        expect(await shown(type, 'attachment')).toEqual(['attachment', true]);
      },
    );

    it('may show PDF inline without sandbox, in which the viewer does not start', async () => {
      expect(await shown('application/pdf', 'inline')).toEqual(['inline', false]);
      expect(await shown('application/pdf', 'attachment')).toEqual(['attachment', true]);
    });

    it.each([
      'text/html',
      'image/svg+xml',
      'application/xhtml+xml',
      'text/xml',
      'application/octet-stream',
      'text/javascript',
    ])('may not show %s inline', async (type) => {
      expect(await shown(type, 'inline')).toEqual(['attachment', true]);
    });
  });

  it.each([
    [null, 'attachment'],
    ['with space "and quotes".pdf', 'attachment; filename="with space \\"and quotes\\".pdf"'],
    ['Größe €.pdf', 'attachment; filename="Gr??e ?.pdf"; filename*=UTF-8\'\'Gr%C3%B6%C3%9Fe%20%E2%82%AC.pdf'],
    [
      'a\r\nSet-Cookie: x=y',
      'attachment; filename="a??Set-Cookie: x=y"; filename*=UTF-8\'\'a%0D%0ASet-Cookie%3A%20x%3Dy',
    ],
  ])('sends the file name %j', async (fileName, header) => {
    content = { ...content, fileName };

    const { headers } = await get();

    expect(headers['content-disposition']).toBe(header);
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it.each(['GET', 'HEAD'])('answers %s with 500 if bytes are missing', async (method) => {
    await truncate(fixture.pathOf(content.sha256), 99_999);
    expect(await get({}, method)).toMatchObject({ status: 500 });
    await rm(fixture.pathOf(content.sha256));
    const { status, headers } = await get({}, method);

    expect(status).toBe(500);
    expect(headers).not.toHaveProperty('etag');
    expect(headers['content-security-policy']).toBe("default-src 'self'");
    await waitUntil(() => outcomes.length === 2);
    expect(outcomes).toEqual(['service.error', 'service.error']);
  });

  it('closes the file if the client disconnects during the download', async () => {
    const large = Buffer.alloc(20_000_000);
    content = { ...content, sha256: await fixture.keep(large), size: large.length };
    const response = await sendRequest('GET');
    await new Promise((resolve) => response.once('readable', resolve));
    expect(await fixture.openFiles()).toHaveLength(1);

    response.destroy();

    await waitUntil(async () => outcomes.length === 1 && (await fixture.openFiles()).length === 0);
    expect(outcomes).toEqual(['sent']);
  });

  it('disconnects a client that stops reading, and closes the file', async () => {
    const large = Buffer.alloc(30_000_000);
    content = { ...content, sha256: await fixture.keep(large), size: large.length, idleTimeoutMs: 300 };
    const opened = jest.spyOn(fixture.store, 'open');
    const response = await sendRequest('GET');
    await new Promise((resolve) => response.once('readable', resolve));
    expect(opened).toHaveBeenCalledTimes(1);

    await waitUntil(async () => outcomes.length === 1 && (await fixture.openFiles()).length === 0);

    await expect(bytesOf(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('does not disconnect a slow client that keeps reading', async () => {
    const idleTimeoutMs = 600;
    const large = Buffer.alloc(60_000_000);
    content = { ...content, sha256: await fixture.keep(large), size: large.length, idleTimeoutMs };
    await retryAfterStall(idleTimeoutMs / 2, async () => {
      const since = performance.now();
      const response = await sendRequest('GET');
      let size = 0;
      for await (const chunk of response as AsyncIterable<Buffer>) {
        const piece = Math.floor(size / 12_000_000);
        size += chunk.length;
        // Pause after more bytes than the buffers between server and client hold.
        if (Math.floor(size / 12_000_000) > piece) await sleep(idleTimeoutMs / 4);
      }
      expect(size).toBe(60_000_000);
      expect(performance.now() - since).toBeGreaterThan(idleTimeoutMs);
    });
  });

  it('does not disconnect the client if the store is slow', async () => {
    const answering = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    const pieces = async function* () {
      const [, response] = await answering;
      for (const piece of ['slow ', 'store']) {
        // The timeout occurs while the store has no bytes for the client.
        await once(response, 'timeout');
        yield Buffer.from(piece);
      }
    };
    const store = opening(async () => Readable.from(pieces()), 10);
    content = { ...content, store, size: 10, idleTimeoutMs: 50 };
    const { status, body } = await get();
    expect([status, body.toString()]).toEqual([200, 'slow store']);
  });

  it('closes the file if the client disconnects before it is open', async () => {
    const request = httpRequest(url, { agent: false }).on('error', () => {});
    const opened = new Promise<void>((resolve) => {
      const store = opening(async (...which) => {
        request.destroy();
        await waitUntil(async () => (await connections()) === 0);
        resolve();
        return fixture.store.open(...which);
      });
      content = { ...content, store };
    });
    const connections = (): Promise<number> =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      );
    request.end();

    await opened;
    await waitUntil(async () => outcomes.length === 1 && (await fixture.openFiles()).length === 0);
    expect(outcomes).toEqual(['sent']);
  });

  it('closes the connection and rejects if reading fails during the download', async () => {
    const pieces = async function* () {
      yield BYTES.subarray(0, 50_000);
      throw new Error('The disk is broken.');
    };
    content = { ...content, store: opening(async () => Readable.from(pieces())) };
    const response = await sendRequest('GET');
    await expect(bytesOf(response)).rejects.toThrow('aborted');
    await waitUntil(() => outcomes.length === 1);
    expect(outcomes).toEqual(['failed']);
  });
});
