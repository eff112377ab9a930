import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Problem } from '../../../../src/common/problem.js';
import { type TransferRate } from '../../../../src/platform/http/body/transfer-rate.js';
import { RequestBytes } from '../../../../src/platform/http/body/request-bytes.js';
import { rejectMalformedRequests } from '../../../../src/platform/http/server/malformed-requests.js';
import { fakeTimers } from '../../../support/fake-timers.js';
import { close, listen } from '../../../support/servers/local-server.js';
import { waitUntil } from '../../../support/wait-until.js';
import { sendRaw } from '../../../support/raw-http.js';

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
const CHUNK = `400\r\n${'x'.repeat(1024)}\r\n`;
const END = '0\r\n\r\n';

describe('A slow request body', () => {
  let server: Server;
  /** In bytes. */
  let received: number;
  let isReading: boolean;
  /** Called after each chunk. */
  let store: () => void | Promise<void>;

  beforeEach(() => {
    received = 0;
    isReading = false;
    store = () => undefined;
  });
  afterEach(async () => {
    jest.useRealTimers();
    await close(server);
  });

  /** Starts a server that answers with the number of received bytes. */
  function listening(transferRate: TransferRate): Promise<string> {
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
    return listen(server);
  }

  const hasRead = (size: number) => () => waitUntil(() => isReading && received === size);

  /** Triggers Node's `requestTimeout` while the body is read. */
  async function triggerRequestTimeout(): Promise<void> {
    await waitUntil(() => isReading && received > 0);
    const struck = once(server, 'clientError');
    server.headersTimeout = 1;
    server.requestTimeout = 1;
    const [error] = (await struck) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ERR_HTTP_REQUEST_TIMEOUT');
  }

  it('may exceed the requestTimeout of Node while it is read', async () => {
    const url = await listening({ idleTimeoutMs: 60_000, minBytesPerSecond: 1 });

    const answer = await sendRaw(url, [HEAD, CHUNK, triggerRequestTimeout, CHUNK, END]);

    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toContain('2048');
  });

  it('is rejected at the requestTimeout of Node if it is not read', async () => {
    const timeouts = { connectionsCheckingInterval: 10, headersTimeout: 1, requestTimeout: 1 };
    server = createServer(timeouts, () => undefined);
    rejectMalformedRequests(server, { info: () => undefined });

    expect(await sendRaw(await listen(server), [HEAD, CHUNK])).toMatchObject({ status: 400 });
  });

  describe('with fake timers', () => {
    beforeEach(() => fakeTimers('setTimeout', 'clearTimeout', 'performance'));
    const passes = (milliseconds: number) => () =>
      Promise.resolve(void jest.advanceTimersByTime(milliseconds));

    it('is rejected after a pause, even if it was fast before', async () => {
      const url = await listening({ idleTimeoutMs: 200, minBytesPerSecond: 1 });

      const answer = await sendRaw(url, [
        ...[HEAD, CHUNK.repeat(100), hasRead(100 * 1024), passes(199)],
        ...[CHUNK, hasRead(101 * 1024), passes(200)],
      ]);

      expect(answer).toMatchObject({ status: 400 });
      expect(answer.body).toContain('The body was sent too slowly.');
      expect(received).toBe(101 * 1024);
    });

    it('is rejected when its average rate is too low', async () => {
      const url = await listening({ idleTimeoutMs: 200, minBytesPerSecond: 10_000 });
      const drips = (count: number) =>
        Array.from({ length: count }, (_, n) => ['1\r\nx\r\n', hasRead(n + 1), passes(50)]).flat();

      const answer = await sendRaw(url, [HEAD, ...drips(5)]);

      expect(answer.status).toBe(400);
      expect(answer.body).toContain('too slowly');
      expect(received).toBe(5);
    });

    it('is not rejected when only the server is slow', async () => {
      const url = await listening({ idleTimeoutMs: 200, minBytesPerSecond: 1_000_000 });
      store = passes(300);

      const answer = await sendRaw(url, [HEAD, CHUNK, hasRead(1024), CHUNK, END]);

      expect(answer).toMatchObject({ status: 200 });
    });
  });
});
