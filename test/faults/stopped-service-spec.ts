import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { pseudoRandomBytes } from '../support/content-fixtures.js';
import { type ServiceProcess } from '../support/service/service-process.js';
import { MixedWrites, emailsOf } from './support/mixed-writes.js';
import { ServiceFixture, SLUG } from './support/service-fixture.js';
import { checkStoredWrites, readStoredWrites, formatSpread } from './support/stored-writes.js';

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 20);
const CLIENTS = 40;
const READERS = 4;
const LARGE = pseudoRandomBytes(8 * 1024 * 1024);
/** A kept connection is good for a request for so long after the stop has begun (half of what the service grants). */
const FAREWELL_MS = 500;
/** A reader takes so much at a time, and then rests. */
const CHUNK = 64 * 1024;
const REST_MS = 15;

jest.setTimeout(ROUNDS * 300_000 + 900_000);

describe(`The service under writes and slow downloads, stopped ${ROUNDS} times`, () => {
  let fixture: ServiceFixture;
  let writes: MixedWrites;
  let token: string;
  beforeAll(async () => {
    const emails = emailsOf(CLIENTS);
    fixture = await ServiceFixture.prepare({ emails });
    writes = new MixedWrites(fixture, CLIENTS);
    token = await fixture.token(emails[0]!);
  }, 300_000);
  afterAll(async () => {
    writes.close();
    await fixture.cleanUp();
  });

  const start = () =>
    // The readers take seconds, on a busy machine many: nobody is to be cut off.
    fixture.start('main', { WORKER_CONCURRENCY: '0', SHUTDOWN_TIMEOUT_MS: '600000' });
  const stop = async (service: ServiceProcess) => {
    service.signal('SIGTERM');
    expect({ code: await service.exit, errors: service.errors }).toEqual({ code: 0, errors: '' });
  };

  /** Whether all of it came. */
  function readSlowly(url: string, id: string): Promise<boolean> {
    const headers = { Authorization: `Bearer ${token}` };
    const path = `${url}/api/v1/t/${SLUG}/documents/${id}/content`;
    return new Promise((resolve, reject) => {
      const request = http.get(path, { headers, agent: false }, (response) => {
        let rest = LARGE;
        let isSame = true;
        const take = async () => {
          for await (const chunk of response as AsyncIterable<Buffer>) {
            for (let at = 0; at < chunk.length; at += CHUNK) await sleep(REST_MS);
            isSame &&= rest.subarray(0, chunk.length).equals(chunk);
            rest = rest.subarray(chunk.length);
          }
        };
        take().then(
          () => resolve(isSame && rest.length === 0),
          () => resolve(false),
        );
      });
      request.once('error', reject);
    });
  }

  it('answers whole whatever it has taken, and has done nothing of what it has not', async () => {
    let service = start();
    let url = await service.url();
    await writes.begin(url);
    const large = await writes.upload(url, 'large', LARGE);
    let [refused, untaken] = [0, 0];
    const stops: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = writes.failures.length;
      const reading = Promise.all(Array.from({ length: READERS }, () => readSlowly(url, large)));
      const running = writes.run(url);
      await writes.waitForMore(20 + Math.floor(Math.random() * 200));
      const begin = Date.now();
      await stop(service);
      stops.push(Date.now() - begin);
      await running;
      expect(await reading).toEqual(Array.from({ length: READERS }, () => true));

      // Each client ends with one request that nobody took. Over a connection that had carried an answer there is none,
      // as long as it was sent soon: it was answered, or the last answer had said that it was the last.
      const losses = writes.failures.slice(before);
      expect(losses).toHaveLength(CLIENTS);
      const inFlight = losses.filter(
        ({ isReused, hasAnswerBegun, sentAt }) =>
          hasAnswerBegun || (isReused && sentAt < begin + FAREWELL_MS),
      );
      expect(inFlight).toEqual([]);
      // The system may make a connection that the service, not listening any more, never sees; and who comes late may
      // meet the end of an old one.
      untaken += losses.filter(({ isConnected }) => isConnected).length;
      refused += losses.filter(({ isConnected }) => !isConnected).length;
      const written = new Set((await readStoredWrites(fixture)).map(({ mark }) => mark));
      expect(losses.filter(({ mark }) => written.has(mark))).toEqual([]);

      service = start();
      url = await service.url();
      await writes.retryPending(url);
    }
    expect(writes.errorAnswers).toEqual([]);
    expect(refused).toBeGreaterThan(0);
    await stop(service);
    await checkStoredWrites(fixture, writes);
    process.stderr.write(
      `${ROUNDS} stops: ${writes.acknowledged.length} writes acknowledged, ${ROUNDS * READERS} slow downloads to their end, ` +
        `${refused} requests refused a connection, ${untaken} never taken; stopped after ${formatSpread(stops)}\n`,
    );
  });
});
