import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MixedWrites, emailsOf } from './support/mixed-writes.js';
import { ServiceFixture } from '../support/service/service-fixture.js';
import { checkContentStore, checkStoredWrites, formatSpread } from './support/stored-writes.js';

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 20);
const CLIENTS = 50;

jest.setTimeout(ROUNDS * 300_000 + 900_000);

describe(`The service, killed ${ROUNDS} times during writes of ${CLIENTS} clients`, () => {
  let fixture: ServiceFixture;
  let writes: MixedWrites;
  beforeAll(async () => {
    fixture = await ServiceFixture.prepare({ built: true, emails: emailsOf(CLIENTS) });
    writes = new MixedWrites(fixture, CLIENTS);
  }, 300_000);
  afterAll(async () => {
    writes.close();
    await fixture.cleanUp();
  });

  it('keeps every acknowledged write completely and executes no retried write twice', async () => {
    // No job processing (see killed-worker-spec.ts): this test counts the jobs.
    const start = () => fixture.start('main', { WORKER_CONCURRENCY: '0' });
    let service = start();
    let url = await service.url();
    await writes.begin(url);
    let [interrupted, retried, repeated] = [0, 0, 0];
    const starts: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = writes.acknowledged.length;
      const running = writes.run(url);
      await writes.waitForMore(20 + Math.floor(Math.random() * 400));
      await fixture.kill(service);
      expect(await running).toBe(false);

      const begin = Date.now();
      service = start();
      url = await service.url();
      starts.push(Date.now() - begin);
      interrupted += writes.pending.length;
      await checkStoredWrites(fixture, writes);
      await writes.checkContents(url, writes.acknowledged.slice(before));
      // Retry requests without an answer, and repeat the last acknowledged ones.
      const acknowledged = writes.acknowledged.length;
      await writes.retryPending(url);
      retried += writes.acknowledged.length - acknowledged;
      repeated += await writes.repeatLatest(url);
      await checkStoredWrites(fixture, writes);
    }
    expect(writes.errorAnswers).toEqual([]);
    expect(interrupted).toBeGreaterThan(0);
    const contents = await checkContentStore(fixture);
    process.stderr.write(
      `${ROUNDS} kills: ${writes.acknowledged.length} writes acknowledged (${contents} with content), ` +
        `${interrupted} in progress when killed, ${retried + repeated} sent again; ready after ${formatSpread(starts)}\n`,
    );
    service.signal('SIGTERM');
    expect(await service.exit).toBe(0);
  });
});
