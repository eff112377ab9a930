import { type Socket, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { listen } from '../support/servers/local-server.js';
import { OtlpReceiver } from '../support/servers/otlp-receiver.js';
import { TestService } from '../support/service/service.js';

interface Line {
  readonly level: string;
  readonly msg: string;
}

describe('OpenTelemetry', () => {
  const written: string[] = [];
  const reports = () =>
    written
      .map((line) => JSON.parse(line) as Line)
      .filter(({ msg }) => msg.startsWith('sending traces'))
      .map(({ level, msg }) => `${level}: ${msg}`);

  const start = (url: string): Promise<TestService> => {
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = url;
    return TestService.start(
      { OTEL_EXPORTER_OTLP_ENDPOINT: url, LOG_LEVEL: 'info', LOG_FORMAT: 'json' },
      undefined,
      written,
    );
  };

  /** Each request creates spans. */
  const sendRequestsUntil = async (service: TestService, isMet: () => boolean): Promise<void> => {
    do {
      const response = await fetch(`${service.url}/openapi.json`);
      expect(response.status).toBe(200);
      await response.arrayBuffer();
      await sleep(20);
    } while (!isMet());
  };

  beforeEach(() => {
    written.length = 0;
    process.env.OTEL_BSP_SCHEDULE_DELAY = '50';
  });

  afterEach(() => {
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
    delete process.env.OTEL_BSP_SCHEDULE_DELAY;
    delete process.env.OTEL_EXPORTER_OTLP_TIMEOUT;
  });

  it('logs once when the collector rejects spans, and once when it accepts them again', async () => {
    const receiver = await OtlpReceiver.start();
    receiver.status = 400;
    const service = await start(receiver.url);
    await sendRequestsUntil(service, () => receiver.requests.length > 3);
    expect(reports()).toEqual(['warn: sending traces to the collector failed']);
    receiver.status = 200;
    await sendRequestsUntil(service, () => reports().length > 1);
    const { length } = receiver.requests;
    await sendRequestsUntil(service, () => receiver.requests.length > length + 1);
    expect(reports()).toEqual([
      'warn: sending traces to the collector failed',
      'info: sending traces to the collector works again',
    ]);
    await service.stop();
    await receiver.stop();
  });

  it('does not affect requests when the collector is not running', async () => {
    process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '300';
    const service = await start('http://127.0.0.1:1');
    await sendRequestsUntil(service, () => reports().length > 0);
    await sendRequestsUntil(service, () => true);
    expect(reports()).toEqual(['warn: sending traces to the collector failed']);
    await service.stop();
  });

  it('delays neither requests nor the shutdown when the collector never answers', async () => {
    // Longer than the timeout of a test.
    process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '3600000';
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    const service = await start(await listen(silent));
    await sendRequestsUntil(service, () => sockets.length > 0);
    await sendRequestsUntil(service, () => true);
    await service.stop();
    // Rejects spans from now on, so that the exporter stops retrying.
    for (const socket of sockets) socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
    silent.close();
  });
});
