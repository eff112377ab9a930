import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OtlpReceiver } from '../../support/servers/otlp-receiver.js';
import { TestService } from '../../support/service/service.js';

interface Line {
  readonly level: string;
  readonly msg: string;
}

describe('A collector', () => {
  const written: string[] = [];
  const reports = () =>
    written
      .map((line) => JSON.parse(line) as Line)
      .filter(({ msg }) => msg.startsWith('the collector'))
      .map(({ level, msg }) => `${level}: ${msg}`);

  const start = (url: string): Promise<TestService> => {
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = url;
    return TestService.start(
      { OTEL_EXPORTER_OTLP_ENDPOINT: url, LOG_LEVEL: 'info', LOG_FORMAT: 'json' },
      undefined,
      { write: (line) => void written.push(line) },
    );
  };

  /** Asks for something, which makes a span, until the condition is met. */
  const asking = async (service: TestService, isMet: () => boolean): Promise<void> => {
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

  it('that refuses what it is sent is told of once, and once when it takes it again', async () => {
    const receiver = await OtlpReceiver.start();
    receiver.status = 400;
    const service = await start(receiver.url);
    await asking(service, () => receiver.requests.length > 3);
    expect(reports()).toEqual(['warn: sending traces to the collector failed']);
    receiver.status = 200;
    await asking(service, () => reports().length > 1);
    const { length } = receiver.requests;
    await asking(service, () => receiver.requests.length > length + 1);
    expect(reports()).toEqual([
      'warn: sending traces to the collector failed',
      'info: sending traces to the collector works again',
    ]);
    await service.stop();
    await receiver.stop();
  });

  it('that is not there disturbs no request', async () => {
    process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '300';
    const service = await start('http://127.0.0.1:1');
    await asking(service, () => reports().length > 0);
    await asking(service, () => true);
    expect(reports()).toEqual(['warn: sending traces to the collector failed']);
    await service.stop();
  });

  it('that never answers keeps neither requests nor the end of the service', async () => {
    // Longer than a test may last.
    process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '3600000';
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const service = await start(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    await asking(service, () => sockets.length > 0);
    await asking(service, () => true);
    await service.stop();
    // Now it refuses, so that nothing goes on trying.
    for (const socket of sockets) socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
    silent.close();
  });
});
