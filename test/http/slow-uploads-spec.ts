import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Problem } from '../../src/common/problem.js';
import { type BodyPace } from '../../src/http/body-pace.js';
import { RequestBytes } from '../../src/http/request-bytes.js';
import { refuseBrokenRequests } from '../../src/http/server-faults.js';
import { raw } from '../support/raw-http.js';

/** For a whole request; five minutes in the service. */
const REQUEST_TIMEOUT_MS = 2000;
const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
const CHUNK = `400\r\n${'x'.repeat(1024)}\r\n`;

describe('A body that comes slowly', () => {
  let server: Server;
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** A server that answers with the number of bytes that came; it is itself slow to begin if told. */
  async function listening(pace: BodyPace | undefined, sleepsMs = 0): Promise<string> {
    server = createServer(
      {
        requestTimeout: REQUEST_TIMEOUT_MS,
        headersTimeout: REQUEST_TIMEOUT_MS,
        connectionsCheckingInterval: 50,
      },
      (request, response) => {
        const bytes = new RequestBytes(request, 1_000_000, pace);
        const counted = async (): Promise<number> => {
          let size = 0;
          for (let chunk; (chunk = await bytes.read()) !== null; size += chunk.length) await sleep(sleepsMs);
          return size;
        };
        counted()
          .then((size) => response.end(`${size}`))
          .catch((error: Problem) => response.writeHead(error.status).end(error.detail))
          .finally(() => bytes.release());
      },
    );
    refuseBrokenRequests(server, { info: () => undefined });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** So many chunks of 1 KiB, with a pause after each. */
  const chunks = (count: number, pauseMs: number) =>
    Array.from({ length: count }, () => [CHUNK, pauseMs] as const).flat();

  it('is waited for beyond the time for a request, as long as it keeps its pace', async () => {
    const url = await listening({ idleTimeoutMs: 60_000, minBytesPerSecond: 1024 });

    const answer = await raw(url, [HEAD, ...chunks(30, 100), '0\r\n\r\n']);

    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toContain(String(30 * 1024));
  });

  it('without a pace of its own is given the time for a request', async () => {
    const url = await listening(undefined);

    expect(await raw(url, [HEAD, ...chunks(60, 100)])).toMatchObject({ status: 400 });
  });

  it('is given up when nothing comes, however fast it was before', async () => {
    const url = await listening({ idleTimeoutMs: 200, minBytesPerSecond: 1 });
    const since = performance.now();

    const answer = await raw(url, [HEAD, ...chunks(100, 0)]);

    expect(answer).toMatchObject({ status: 400 });
    expect(answer.body).toContain('The body comes too slowly to be waited for.');
    expect(performance.now() - since).toBeGreaterThanOrEqual(190);
  });

  it('is given up when it drips', async () => {
    const url = await listening({ idleTimeoutMs: 200, minBytesPerSecond: 10_000 });

    const answer = await raw(url, [HEAD, ...Array.from({ length: 40 }, () => ['1\r\nx\r\n', 50]).flat()]);

    expect(answer.status).toBe(400);
    expect(answer.body).toContain('too slowly');
  });

  it('does not answer for a server that is slow itself', async () => {
    const url = await listening({ idleTimeoutMs: 3000, minBytesPerSecond: 1_000_000 }, 3200);

    const answer = await raw(url, [HEAD, ...chunks(2, 20), '0\r\n\r\n']);

    expect(answer).toMatchObject({ status: 200 });
  });
});
