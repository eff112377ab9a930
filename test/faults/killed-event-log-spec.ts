import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MixedWrites, emailsOf } from './support/mixed-writes.js';
import { RestartablePostgres } from './support/restartable-postgres.js';
import { ServiceFixture } from '../support/service/service-fixture.js';
import { checkStoredWrites } from './support/stored-writes.js';

const ROUNDS = Math.max(2, Math.ceil(Number(process.env.FAULT_ROUNDS ?? 20) / 2));
const CLIENTS = 20;

jest.setTimeout(ROUNDS * 300_000 + 1_200_000);

interface Place {
  readonly sequence: number;
  readonly id: string;
}

describe(`The event log, while service or database end ${ROUNDS} times without shutdown during writes`, () => {
  let postgres: RestartablePostgres;
  let fixture: ServiceFixture;
  let writes: MixedWrites;
  /** All places that have been read, by sequence. */
  const seen = new Map<number, string>();
  beforeAll(async () => {
    postgres = await RestartablePostgres.create();
    fixture = await ServiceFixture.prepare({ built: true, emails: emailsOf(CLIENTS), database: postgres });
    writes = new MixedWrites(fixture, CLIENTS);
  }, 600_000);
  afterAll(async () => {
    writes.close();
    await fixture.cleanUp();
  });

  async function read<T extends object>(sql: string): Promise<T[]> {
    const { rows } = await fixture.owner.query<T>(sql);
    return rows;
  }

  /** Reads all places, and expects that none has changed or disappeared. */
  async function checkPlaces(): Promise<void> {
    const places = await read<Place>('SELECT sequence::int, entry_id AS id FROM events ORDER BY sequence');
    const found = new Map(places.map(({ sequence, id }) => [sequence, id]));
    expect([...seen].filter(([sequence, id]) => found.get(sequence) !== id)).toEqual([]);
    for (const [sequence, id] of found) seen.set(sequence, id);
  }

  /** Reads the places again and again until `signal` aborts. The database may end meanwhile. */
  async function watchPlaces(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const places = await read<Place>(
        `SELECT sequence::int, entry_id AS id FROM events WHERE sequence >= ${seen.size} ORDER BY sequence`,
      ).catch(() => []);
      for (const { sequence, id } of places) seen.set(sequence, id);
      await sleep(5);
    }
  }

  /** Expects every committed audit entry in the log exactly once, without gaps. Waits for the sequencer. */
  async function checkComplete(): Promise<void> {
    while ((await read('SELECT FROM event_queue LIMIT 1')).length > 0) await sleep(20);
    await checkPlaces();
    const [counts] = await read(
      `SELECT (SELECT count(*)::int FROM audit_entries) AS entries, count(*)::int AS events,
              count(DISTINCT entry_id)::int AS distinct, min(sequence)::int AS first, max(sequence)::int + 1 AS next,
              (SELECT next_sequence::int FROM event_logs) AS head,
              (SELECT count(*)::int FROM audit_entries e
                WHERE NOT EXISTS (SELECT FROM events v WHERE v.entry_id = e.id)) AS missing
         FROM events`,
    );
    const entries = (counts as { entries: number }).entries;
    const complete = { entries, events: entries, distinct: entries, next: entries, head: entries };
    expect(counts).toEqual({ ...complete, first: 0, missing: 0 });
  }

  it('has every committed audit entry exactly once, without gaps, and at the same place forever', async () => {
    const start = () => fixture.start('main', { WORKER_CONCURRENCY: '0' });
    let service = start();
    let url = await service.url();
    await writes.begin(url);
    for (let round = 0; round < ROUNDS; round += 1) {
      const over = new AbortController();
      const running = writes.run(url, { until: over.signal });
      const watching = watchPlaces(over.signal);
      await writes.waitForMore(20 + Math.floor(Math.random() * 300));
      if (round % 2 === 0) {
        await fixture.kill(service);
        over.abort();
        await Promise.all([running, watching]);
        await checkPlaces();
        service = start();
        url = await service.url();
      } else {
        await postgres.stopImmediately();
        await sleep(Math.random() * 500);
        await postgres.start();
        await writes.waitForMore(10);
        over.abort();
        await Promise.all([running, watching]);
      }
      await writes.retryPending(url);
      await checkStoredWrites(fixture, writes);
      await checkComplete();
    }
    expect(seen.size).toBeGreaterThan(ROUNDS * 20);
    process.stderr.write(
      `${ROUNDS} ends: ${seen.size} events, ${writes.acknowledged.length} writes acknowledged\n`,
    );
    service.signal('SIGTERM');
    expect(await service.exit).toBe(0);
  });
});
