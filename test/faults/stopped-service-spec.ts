import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { pseudoRandomBytes } from '../support/content-fixtures.js';
import { type ServiceProcess } from '../support/service/service-process.js';
import { MixedWrites, emailsOf } from './support/mixed-writes.js';
import { ServiceFixture, SLUG } from '../support/service/service-fixture.js';
import { checkStoredWrites, readStoredWrites, formatSpread } from './support/stored-writes.js';

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 20);
const CLIENTS = 40;
const READERS = 4;
const LARGE = pseudoRandomBytes(8 * 1024 * 1024);
/** How long after SIGTERM a client may reuse a connection: half of IDLE_GRACE_MS in graceful-close.ts. */
const REUSE_AFTER_STOP_MS = 500;
/** A slow reader pauses for PAUSE_MS after every CHUNK bytes. */
const CHUNK = 64 * 1024;
const PAUSE_MS = 15;

jest.setTimeout(ROUNDS * 300_000 + 900_000);

describe(`The service, stopped ${ROUNDS} times during writes and slow downloads`, () => {
  let fixture: ServiceFixture;
  let writes: MixedWrites;
  let token: string;
  beforeAll(async () => {
    const emails = emailsOf(CLIENTS);
    fixture = await ServiceFixture.prepare({ built: true, emails });
    writes = new MixedWrites(fixture, CLIENTS);
    token = await fixture.token(emails[0]!);
  }, 300_000);
  afterAll(async () => {
    writes.close();
    await fixture.cleanUp();
  });

  const start = () =>
    // Slow downloads take many seconds on a busy machine; the shutdown must not interrupt them.
    fixture.start('main', { WORKER_CONCURRENCY: '0', SHUTDOWN_TIMEOUT_MS: '600000' });
  const stop = async (service: ServiceProcess) => {
    service.signal('SIGTERM');
    expect({ code: await service.exit, errors: service.errors }).toEqual({ code: 0, errors: '' });
  };

  /** Downloads the content with pauses. Resolves with true if it is complete and correct. */
  function readSlowly(url: string, id: string): Promise<boolean> {
    const headers = { Authorization: `Bearer ${token}` };
    const path = `${url}/api/v1/t/${SLUG}/documents/${id}/content`;
    return new Promise((resolve, reject) => {
      const request = http.get(path, { headers, agent: false }, (response) => {
        let expected = LARGE;
        let isSame = true;
        const readAll = async () => {
          for await (const chunk of response as AsyncIterable<Buffer>) {
            for (let at = 0; at < chunk.length; at += CHUNK) await sleep(PAUSE_MS);
            isSame &&= expected.subarray(0, chunk.length).equals(chunk);
            expected = expected.subarray(chunk.length);
          }
        };
        readAll().then(
          () => resolve(isSame && expected.length === 0),
          () => resolve(false),
        );
      });
      request.once('error', reject);
    });
  }

  it('sends complete responses and executes no request that it does not answer', async () => {
    let service = start();
    let url = await service.url();
    await writes.begin(url);
    const large = await writes.upload(url, 'large', LARGE);
    let [refused, unanswered] = [0, 0];
    const stops: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = writes.failures.length;
      const reading = Promise.all(Array.from({ length: READERS }, () => readSlowly(url, large)));
      const running = writes.run(url);
      await writes.waitForMore(20 + Math.floor(Math.random() * 200));
      const stoppedAt = Date.now();
      await stop(service);
      stops.push(Date.now() - stoppedAt);
      await running;
      expect(await reading).toEqual(Array.from({ length: READERS }, () => true));

      // Each client ends with its first failed request. A request must not fail if it was sent on a reused connection
      // before or shortly after SIGTERM: the service answers it, or the previous answer had `Connection: close`.
      const failures = writes.failures.slice(before);
      expect(failures).toHaveLength(CLIENTS);
      const unexpected = failures.filter(
        ({ isReused, hasAnswerBegun, sentAt }) =>
          hasAnswerBegun || (isReused && sentAt < stoppedAt + REUSE_AFTER_STOP_MS),
      );
      expect(unexpected).toEqual([]);
      // Requests without an answer can have a connection for two reasons: the operating system accepted it when the
      // service no longer did, or the service was closing it.
      unanswered += failures.filter(({ isConnected }) => isConnected).length;
      refused += failures.filter(({ isConnected }) => !isConnected).length;
      const written = new Set((await readStoredWrites(fixture)).map(({ mark }) => mark));
      expect(failures.filter(({ mark }) => written.has(mark))).toEqual([]);

      service = start();
      url = await service.url();
      await writes.retryPending(url);
    }
    expect(writes.errorAnswers).toEqual([]);
    expect(refused).toBeGreaterThan(0);
    await stop(service);
    await checkStoredWrites(fixture, writes);
    process.stderr.write(
      `${ROUNDS} stops: ${writes.acknowledged.length} writes acknowledged, ${ROUNDS * READERS} complete slow downloads, ` +
        `${refused} requests without a connection, ${unanswered} with a connection but no answer; stopped after ${formatSpread(stops)}\n`,
    );
  });
});
