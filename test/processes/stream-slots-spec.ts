import { once } from 'node:events';
import http from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { childrenOf, get, instancesOf } from '../support/service/instance-processes.js';
import { SLUG, ServiceFixture } from '../support/service/service-fixture.js';
import { type ServiceProcess } from '../support/service/service-process.js';
import { waitUntil } from '../support/wait-until.js';

const EMAIL = 'registrar@people.example';
const STREAM = `/api/v1/t/${SLUG}/notifications/stream`;

describe('Streams of a service with processes', () => {
  let fixture: ServiceFixture;
  let headers: { Authorization: string };
  beforeAll(async () => {
    fixture = await ServiceFixture.prepare({ emails: [EMAIL] });
    headers = await fixture.authorization(EMAIL);
  });
  afterEach(() => fixture.killAll());
  afterAll(() => fixture.cleanUp());

  const start = (instances: number): ServiceProcess =>
    fixture.start('main', { INSTANCES: String(instances), LOG_LEVEL: 'info' });

  /** Opens a stream; its response ends when the service ends the stream. */
  async function connect(url: string): Promise<http.IncomingMessage> {
    const request = http.get(url + STREAM, { headers, agent: false });
    request.on('error', () => undefined);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    response.on('error', () => undefined);
    return response.resume();
  }

  it('are counted together; the slots of a killed process are free again', async () => {
    const running = start(2);
    const url = await running.url();
    const streams: http.IncomingMessage[] = [];
    for (let n = 0; n < 10; n += 1) streams.push(await connect(url));
    expect(streams.map(({ statusCode }) => statusCode)).toEqual(Array<number>(10).fill(200));
    await waitUntil(
      () => instancesOf(running, 'StreamNotifications').size === 2,
      'streams of both processes',
    );
    expect((await get(url + STREAM, headers)).status).toBe(429);

    let cut = 0;
    for (const stream of streams) stream.once('close', () => (cut += 1));
    process.kill(childrenOf(running.pid).at(-1) as number, 'SIGKILL');
    await running.waitForOutput(/the process of the service is replaced/);
    await waitUntil(() => cut > 0, 'the end of the streams of this process');
    const again: http.IncomingMessage[] = [];
    for (let n = 0; n < cut + 1; n += 1) again.push(await connect(url));
    expect(again.map(({ statusCode }) => statusCode)).toEqual([...Array<number>(cut).fill(200), 429]);
    for (const stream of [...streams, ...again]) stream.destroy();
    await waitUntil(async () => {
      const response = await connect(url);
      response.destroy();
      return response.statusCode === 200;
    }, 'a free slot');
  });

  it.each([1, 2])('end at once on SIGTERM with %d processes, which exit with 0', async (instances) => {
    const running = start(instances);
    const url = await running.url();
    const streams = await Promise.all(Array.from({ length: 4 }, () => connect(url)));
    const ended = Promise.all(streams.map((stream) => once(stream, 'end')));
    running.signal('SIGTERM');
    await ended;
    expect(await running.exit).toBe(0);
    expect(running.output.match(/"reason":"stopping"/g)).toHaveLength(4);
  });
});
