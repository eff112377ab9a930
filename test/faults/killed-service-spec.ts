import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MixedWrites, emailsOf } from './support/mixed-writes.js';
import { ProvingGround } from './support/proving-ground.js';
import { checkStore, checkWritten, spread } from './support/written.js';

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 20);
const CLIENTS = 50;

jest.setTimeout(ROUNDS * 300_000 + 900_000);

describe(`The service under the writes of ${CLIENTS} clients, killed ${ROUNDS} times`, () => {
  let ground: ProvingGround;
  let writes: MixedWrites;
  beforeAll(async () => {
    ground = await ProvingGround.prepare({ emails: emailsOf(CLIENTS) });
    writes = new MixedWrites(ground, CLIENTS);
  }, 300_000);
  afterAll(async () => {
    writes.close();
    await ground.clear();
  });

  it('keeps whatever it acknowledged, whole, and does nothing twice for those who ask again', async () => {
    // Processing has a test of its own; here its jobs are counted.
    const start = () => ground.start('main', { WORKER_CONCURRENCY: '0' });
    let service = start();
    let url = await service.url();
    await writes.begin(url);
    let [interrupted, done, repeated] = [0, 0, 0];
    const starts: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = writes.acknowledged.length;
      const running = writes.run(url);
      await writes.more(20 + Math.floor(Math.random() * 400));
      await ground.kill(service);
      expect(await running).toBe(false);

      const begin = Date.now();
      service = start();
      url = await service.url();
      starts.push(Date.now() - begin);
      interrupted += writes.pending.length;
      await checkWritten(ground, writes);
      await writes.checkContents(url, writes.acknowledged.slice(before));
      // Who was not answered asks again, whether it was done or not; so does who was.
      const acknowledged = writes.acknowledged.length;
      await writes.finish(url);
      done += writes.acknowledged.length - acknowledged;
      repeated += await writes.repeat(url);
      await checkWritten(ground, writes);
    }
    expect(writes.refusals).toEqual([]);
    expect(interrupted).toBeGreaterThan(0);
    const contents = await checkStore(ground);
    process.stderr.write(
      `${ROUNDS} kills: ${writes.acknowledged.length} writes acknowledged (${contents} with content), ` +
        `${interrupted} under way when killed, ${done + repeated} asked for again; ready after ${spread(starts)}\n`,
    );
    service.signal('SIGTERM');
    expect(await service.exit).toBe(0);
  });
});
