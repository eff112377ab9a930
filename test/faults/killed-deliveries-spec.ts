import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type ReceivedRequest, WebhookReceiver } from '../support/servers/webhook-receiver.js';
import { waitUntil } from '../support/wait-until.js';
import { RestartablePostgres } from './support/restartable-postgres.js';
import { ServiceFixture } from '../support/service/service-fixture.js';

const ROUNDS = Math.max(2, Math.ceil(Number(process.env.FAULT_ROUNDS ?? 20) / 4));
const WEBHOOKS = 3;
const EMAIL = 'alice@people.example';

jest.setTimeout(ROUNDS * 120_000 + 900_000);

describe(`Webhook deliveries, interrupted ${ROUNDS} times`, () => {
  let fixture: ServiceFixture;
  let receiver: WebhookReceiver;
  /** Requests whose sender still waited for the answer. */
  let answered: ReceivedRequest[];
  afterEach(async () => {
    await receiver.stop();
    await fixture.cleanUp();
  });

  /**
   * Creates tags until the interruption, fewer than the webhooks take meanwhile. Returns the ids of those whose creation
   * was answered.
   */
  async function createTags(url: string, isStopped: () => boolean): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; !isStopped(); n += 1) {
      const answer = await post(url, '/tags', { name: `Tag ${Date.now()} ${n}` }).catch(() => null);
      if (answer) ids.push(answer.id);
      await sleep(100);
    }
    return ids;
  }

  async function post(url: string, path: string, body: object): Promise<{ id: string }> {
    const response = await fixture.send(url, EMAIL, path, { method: 'POST', body });
    if (response.status !== 201) throw new Error(`Answered ${response.status}`);
    return (await response.json()) as { id: string };
  }

  /** Tags in the answered requests to each webhook. */
  const received = (): Set<string>[] =>
    Array.from({ length: WEBHOOKS }, (_, n) => {
      const requests = answered.filter(({ path }) => path.endsWith(`/${n}`));
      return new Set(
        requests.map(({ body }) => (JSON.parse(body) as { data: { subjectId: string } }).data.subjectId),
      );
    });

  async function checkDeliveries(
    interrupt: (restart: () => Promise<string>, url: string) => Promise<string>,
  ): Promise<void> {
    receiver = await WebhookReceiver.start();
    // Answers take a while, so that each interruption finds requests in flight.
    answered = [];
    receiver.answer = (response, request) =>
      void setTimeout(() => {
        if (response.socket?.destroyed !== false) return;
        answered.push(request);
        response.writeHead(204).end();
      }, Math.random() * 1000);
    let service = fixture.start('main');
    const start = async () => {
      await fixture.kill(service);
      service = fixture.start('main');
      return service.url();
    };
    let url = await service.url();
    for (let n = 0; n < WEBHOOKS; n += 1)
      await post(url, '/webhooks', {
        url: `http://127.0.0.1:${receiver.port}/${n}`,
        types: ['TagCreated'],
      });
    const created: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      let stopped = false;
      const tags = createTags(url, () => stopped);
      const before = receiver.requests.length;
      await waitUntil(() => receiver.requests.length > before + 20, 'requests to the webhooks');
      await sleep(Math.random() * 300);
      stopped = true;
      const restarted = interrupt(start, url);
      created.push(...(await tags));
      url = await restarted;
    }
    const missing = () => received().flatMap((ids) => created.filter((id) => !ids.has(id)));
    // Attempts that were interrupted are repeated when their claims end.
    for (const begin = Date.now(); missing().length > 0 && Date.now() - begin < 300_000; await sleep(100));
    expect(missing()).toEqual([]);
    const { rows } = await fixture.owner.query<{ events: string; pending: string }>(
      `SELECT (SELECT count(*) FROM events WHERE type = 'TagCreated') AS events,
              (SELECT count(*) FROM webhook_deliveries WHERE status <> 'Delivered') AS pending`,
    );
    const requests = receiver.requests.length;
    process.stderr.write(
      `${ROUNDS} interruptions: ${created.length} answered, ${rows[0]?.events} events, ${requests} requests, ` +
        `${requests - WEBHOOKS * Number(rows[0]?.events)} of them repeated\n`,
    );
  }

  it('reach every webhook at least once when the service is killed', async () => {
    fixture = await ServiceFixture.prepare({ built: true, emails: [EMAIL] });
    await checkDeliveries((restart) => restart());
  });

  it('reach every webhook at least once when the database stops', async () => {
    const postgres = await RestartablePostgres.create();
    fixture = await ServiceFixture.prepare({ built: true, emails: [EMAIL], database: postgres });
    await checkDeliveries(async (_restart, url) => {
      await postgres.stopImmediately();
      await sleep(1000);
      await postgres.start();
      return url;
    });
  });
});
