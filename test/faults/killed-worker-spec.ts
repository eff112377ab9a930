import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { UploadFixture, WAIT_TIMEOUT_MS } from './support/upload-fixture.js';

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 20);
const UPLOADS = 12;
/**
 * Recovery takes seconds. A job that no other worker takes over would wait for hours. The limit distinguishes both,
 * even on a slow machine.
 */
const RECOVERY_MS = 300_000;

jest.setTimeout(ROUNDS * 300_000 + 900_000);

function report(killed: string, since: string, times: number[], interrupted: number): void {
  const sorted = [...times].sort((one, other) => one - other);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  process.stderr.write(
    `${killed} was killed ${times.length} times, with ${interrupted} documents in Processing; ` +
      `all were processed ${middle} ms (median), ${sorted.at(-1) ?? 0} ms (maximum) after ${since}\n`,
  );
}

/** Waits for a random moment: during the uploads, or while the last ones are processed. */
async function waitForRandomMoment(fixture: UploadFixture): Promise<void> {
  const before = fixture.uploads.length;
  const after = 1 + Math.floor(Math.random() * UPLOADS);
  for (const begin = Date.now(); fixture.uploads.length < before + after; await sleep(5)) {
    if (Date.now() - begin > WAIT_TIMEOUT_MS)
      throw new Error('Timed out waiting for answers to the uploads.');
  }
  await sleep(Math.random() * 500);
}

describe(`Document processing, killed ${ROUNDS} times`, () => {
  let fixture: UploadFixture;
  beforeAll(async () => {
    fixture = await UploadFixture.prepare();
  }, 300_000);
  afterAll(() => fixture.cleanUp());

  it('completes interrupted documents once after a restart of the service', async () => {
    const times: number[] = [];
    const fromReady: number[] = [];
    let interrupted = 0;
    // Further rounds when every document was processed before the kill.
    for (let round = 0; round < ROUNDS || (interrupted === 0 && round < 10 * ROUNDS); round += 1) {
      const service = fixture.start('main');
      const uploading = fixture.upload(await service.url(), UPLOADS);
      await waitForRandomMoment(fixture);
      await fixture.kill(service);
      await uploading;
      await fixture.waitUntilDisconnected();
      interrupted += await fixture.processing();

      const begin = Date.now();
      const next = fixture.start('main');
      const ready = next.url().then(() => Date.now());
      await fixture.waitUntilProcessed();
      times.push(Date.now() - begin);
      fromReady.push(Math.max(0, Date.now() - (await ready)));
      await fixture.check(await next.url());
      expect(await fixture.temporaryCopies()).toEqual([]);
      next.signal('SIGTERM');
      expect(await next.exit).toBe(0);
    }
    report('The service', 'the next start', times, interrupted);
    report('The service', 'the next service was ready', fromReady, interrupted);
    expect(interrupted).toBeGreaterThan(0);
    expect(Math.max(...fromReady)).toBeLessThan(RECOVERY_MS);
  });

  it('completes the documents of a killed worker in another worker', async () => {
    const rounds = Math.ceil(ROUNDS / 4);
    const service = fixture.start('main', { WORKER_CONCURRENCY: '0' });
    const url = await service.url();
    const survivor = fixture.start('worker', { WORKER_CONCURRENCY: '2' });
    await survivor.waitForOutput(/runs up to 2 jobs/);
    const times: number[] = [];
    let interrupted = 0;
    for (let round = 0; round < rounds; round += 1) {
      const worker = fixture.start('worker', { WORKER_CONCURRENCY: '2' });
      await worker.waitForOutput(/runs up to 2 jobs/);
      const uploading = fixture.upload(url, UPLOADS);
      await waitForRandomMoment(fixture);
      await fixture.kill(worker);
      interrupted += await fixture.processing();
      const begin = Date.now();
      await uploading;
      await fixture.waitUntilProcessed();
      times.push(Date.now() - begin);
      await fixture.check(url);
    }
    report('A worker', 'the kill', times, interrupted);
    expect(Math.max(...times)).toBeLessThan(RECOVERY_MS);
    for (const process of [survivor, service]) {
      process.signal('SIGTERM');
      expect(await process.exit).toBe(0);
    }
  });
});
