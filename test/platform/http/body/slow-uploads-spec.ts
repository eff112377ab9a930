import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import type { Problem } from '../../../../src/common/problem.js';
import { type TransferRate } from '../../../../src/platform/http/body/transfer-rate.js';
import { RequestBytes } from '../../../../src/platform/http/body/request-bytes.js';
import { rejectMalformedRequests } from '../../../../src/platform/http/server/malformed-requests.js';
import { fakeTimers } from '../../../support/fake-timers.js';
import { waitUntil } from '../../../support/wait-until.js';
import { sendRaw } from '../../../support/raw-http.js';

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
const CHUNK = `400\r\n${'x'.repeat(1024)}\r\n`;
const END = '0\r\n\r\n';

describe('A body that comes slowly', () => {
  let server: Server;
  /** In bytes. */
  let received: number;
  let isReading: boolean;
  /** Called after each piece that was read. */
  let store: () => void | Promise<void>;

  beforeEach(() => {
    received = 0;
    isReading = false;
    store = () => undefined;
  });
  afterEach(async () => {
    jest.useRealTimers();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** A server that answers with the number of bytes that came. */
  async function listening(transferRate: TransferRate | undefined): Promise<string> {
    server = createServer({ connectionsCheckingInterval: 10 }, (request, response) => {
      const bytes = new RequestBytes(request, 1_000_000, transferRate);
      const counted = async (): Promise<number> => {
        for (;;) {
          const reading = bytes.read();
          isReading = true;
          const chunk = await reading;
          isReading = false;
          if (chunk === null) return received;
          received += chunk.length;
          await store();
        }
      };
      counted()
        .then((size) => response.end(`${size}`))
        .catch((error: Problem) => response.writeHead(error.status).end(error.wording('en').detail))
        .finally(() => bytes.release());
    });
    rejectMalformedRequests(server, { info: () => undefined });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const hasRead = (size: number) => () => waitUntil(() => isReading && received === size);

  /** Lets Node's time limit for a whole request strike while the body is read. */
  async function requestLimitStrikes(): Promise<void> {
    await waitUntil(() => isReading && received > 0);
    const struck = once(server, 'clientError');
    server.headersTimeout = 1;
    server.requestTimeout = 1;
    const [error] = (await struck) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ERR_HTTP_REQUEST_TIMEOUT');
  }

  it('is read beyond the time limit of a request, as long as it keeps its pace', async () => {
    const url = await listening({ idleTimeoutMs: 60_000, minBytesPerSecond: 1 });

    const answer = await sendRaw(url, [HEAD, CHUNK, requestLimitStrikes, CHUNK, END]);

    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toContain('2048');
  });

  it('is refused at the time limit of a request when it has no pace of its own', async () => {
    const url = await listening(undefined);

    expect(await sendRaw(url, [HEAD, CHUNK, requestLimitStrikes])).toMatchObject({ status: 400 });
  });

  describe('by the clock', () => {
    beforeEach(() => fakeTimers('setTimeout', 'clearTimeout', 'performance'));
    const passes = (milliseconds: number) => () =>
      Promise.resolve(void jest.advanceTimersByTime(milliseconds));

    it('is refused when nothing comes, however fast it was before', async () => {
      const url = await listening({ idleTimeoutMs: 200, minBytesPerSecond: 1 });

      const answer = await sendRaw(url, [
        ...[HEAD, CHUNK.repeat(100), hasRead(100 * 1024), passes(199)],
        ...[CHUNK, hasRead(101 * 1024), passes(200)],
      ]);

      expect(answer).toMatchObject({ status: 400 });
      expect(answer.body).toContain('The body was sent too slowly.');
      expect(received).toBe(101 * 1024);
    });

    it('is refused when it drips', async () => {
      const url = await listening({ idleTimeoutMs: 200, minBytesPerSecond: 10_000 });
      const drips = (count: number) =>
        Array.from({ length: count }, (_, n) => ['1\r\nx\r\n', hasRead(n + 1), passes(50)]).flat();

      const answer = await sendRaw(url, [HEAD, ...drips(5)]);

      expect(answer.status).toBe(400);
      expect(answer.body).toContain('too slowly');
      expect(received).toBe(5);
    });

    it('is not refused for a server that is slow itself', async () => {
      const url = await listening({ idleTimeoutMs: 200, minBytesPerSecond: 1_000_000 });
      store = passes(300);

      const answer = await sendRaw(url, [HEAD, CHUNK, hasRead(1024), CHUNK, END]);

      expect(answer).toMatchObject({ status: 200 });
    });
  });
});
