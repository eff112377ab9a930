import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type EventResponse } from '../../../src/platform/events/event.dto.js';
import { RateLimiter } from '../../../src/platform/http/rate-limit/rate-limiter.js';
import { addToList, saveDocument, saveTag } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { saveRole, setMemberRole } from '../../factories/roles.js';
import { recordTags, sequenced } from '../../platform/events/event-log.js';
import { type Actor } from '../../support/actor.js';
import { RawStream, StreamClient, streamUrl, tickStreams, whileTicking } from '../../support/event-stream.js';
import { expectProblem } from '../../support/expect-problem.js';
import { remainingAfter } from '../../support/price.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { waitUntil } from '../../support/wait-until.js';

const PATH = '/events/stream';

describe('StreamEvents', () => {
  let tenant: TestTenant;
  let reader: Actor;
  let admin: Actor;
  const open: { close(): void }[] = [];
  beforeEach(async () => {
    tenant = await service.tenant();
    reader = await tenant.with('auditLog.read');
    admin = await tenant.as('administrator');
    await sequenced(tenant);
  });
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close();
  });

  async function connect(query = '', actor = reader, url?: () => string): Promise<StreamClient> {
    const client = await StreamClient.open(actor, PATH + query, url);
    open.push(client);
    return client;
  }

  async function connectRaw(query = '', actor = reader, headers = {}): Promise<RawStream> {
    const stream = await RawStream.open(actor, PATH + query, { headers });
    open.push(stream);
    expect(stream.status).toBe(200);
    return stream;
  }

  /** The event log as the reader sees it. */
  const events = async (actor = reader): Promise<EventResponse[]> => {
    await sequenced(tenant);
    return ((await actor.get('/events?limit=200').expect(200)).body as { items: EventResponse[] }).items;
  };
  const sequences = ({ events: received }: StreamClient) => received.map(({ id }) => Number(id));
  const createTag = async (name: string = randomUUID()) => {
    const response = await admin.post('/tags', { name }).expect(201);
    return (response.body as { id: string }).id;
  };
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

  it('returns 200 with the events that occur after its headers, as in the list, and writes nothing', async () => {
    const client = await connect();
    const id = await createTag();
    await admin.put(`/tags/${id}`, { name: randomUUID() }).expect(200);
    await admin.delete(`/tags/${id}`).expect(204);
    const received = await client.waitForEvents(3);
    const all = await tenant.expectNoChange(events);
    expect(received).toEqual(
      all.slice(-3).map((event) => ({ type: event.type, id: String(event.sequence), data: event })),
    );
    expect(client.types).toEqual(['TagCreated', 'TagRenamed', 'TagDeleted']);
  });

  it('returns 200 with headers for streams, a time to connect again, and the position of the newest event', async () => {
    const stream = await connectRaw();
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    expect(stream.response.headers.etag).toBeUndefined();
    const last = (await events()).at(-1)?.sequence;
    await stream.waitForText(new RegExp(`^retry: \\d{4}\nid: ${last}\n\n$`));
  });

  it('returns 200 to HEAD without opening a stream, and checks the parameters', async () => {
    for (let n = 0; n < 12; n += 1) await reader.send('head', PATH).expect(200);
    await reader.send('head', `${PATH}?after=1000`).expect(400);
  });

  it('returns 406 when Accept does not include text/event-stream', async () =>
    expectProblem(await reader.get(PATH).set('Accept', 'application/json'), 'request.not-acceptable'));

  describe('with after', () => {
    it('returns 200 with all later events, then with those that occur', async () => {
      await recordTags(tenant, 450);
      const all = await events();
      const client = await connect(`?after=0`);
      await client.waitForEvents(450);
      await createTag();
      await client.waitForEvents(451);
      expect(sequences(client)).toEqual(range(1, 451));
      expect(all[0]?.sequence).toBe(0);
    });

    it.each(['-1', '1.5', 'x', '', '99999999999999999', '0&after=0'])('returns 400 for %j', async (after) =>
      expectProblem(await reader.get(`${PATH}?after=${after}`), 'request.invalid', ['after']),
    );

    it('returns 400 for a sequence beyond the newest event', async () => {
      const last = (await events()).at(-1)?.sequence ?? 0;
      expectProblem(await reader.get(`${PATH}?after=${last + 1}`), 'request.invalid', ['after']);
      await reader.get(`${PATH}?after=${last}`).expect(200);
    });
  });

  describe('with types', () => {
    it('returns 200 with events of these types only, also of a long log', async () => {
      await recordTags(tenant, 700);
      const file = await saveFile(tenant, admin);
      await sequenced(tenant);
      await admin.post(`/files/${file.id}/close`).expect(200);
      const client = await connect('?after=0&types=FileClosed,FileReopened');
      await createTag();
      await admin.post(`/files/${file.id}/reopen`).expect(200);
      await client.waitForEvents(2);
      expect(client.types).toEqual(['FileClosed', 'FileReopened']);
    });

    it.each(['FileRead', 'FileClosed,', 'FileClosed,FileClosed', ''])('returns 400 for %j', async (types) =>
      expectProblem(await reader.get(`${PATH}?types=${types}`), 'request.invalid', ['types']),
    );
  });

  describe('with Last-Event-ID', () => {
    it('returns 200 with the events after it, whatever after says', async () => {
      await recordTags(tenant, 5);
      const last = (await events()).at(-1)?.sequence ?? 0;
      const stream = await connectRaw('?after=0', reader, { 'Last-Event-ID': String(last - 1) });
      await stream.waitForText(/\ndata: /);
      expect(stream.text.match(/^id: \d+$/gm)).toEqual([`id: ${last - 1}`, `id: ${last}`]);
    });

    it.each(['-1', 'x', '1 2', '99999999999999999', '1000'])('returns 400 for %j', async (id) =>
      expectProblem(await reader.get(PATH).set('Last-Event-ID', id), 'request.invalid', ['Last-Event-ID']),
    );
  });

  describe('with a rate limit', () => {
    const EVENTS = 2000;
    /** Lets time pass for the rate limit only. */
    let advance: (seconds: number) => void;
    beforeEach(() => {
      // A whole number: a fraction plus a second would sometimes be less than a second later.
      let now = Math.ceil(performance.now());
      const limiter: { now(): number } = service.app.get(RateLimiter);
      jest.spyOn(limiter, 'now').mockImplementation(() => now);
      advance = (seconds) => (now += seconds * 1000);
    });
    afterEach(() => {
      jest.restoreAllMocks();
    });

    const left = async () => remainingAfter(await reader.get('/me'));

    it('costs one more request for 256 KiB, and none for a client that is not far behind', async () => {
      await recordTags(tenant, EVENTS);
      const last = (await sequenced(tenant)).at(-1)?.sequence ?? 0;
      await tenant.limitRequests(1, 100);
      await reader.get('/me');
      const before = await left();
      const near = await connectRaw('', reader, { 'Last-Event-ID': String(last - 150) });
      await near.waitForText(new RegExp(`\nid: ${last}\n`));
      // The streams, and the requests that ask for the rest.
      expect(before - (await left())).toBe(2);
      const far = await connectRaw('?after=0');
      await far.waitForText(new RegExp(`\nid: ${last}\n`));
      expect(before - (await left())).toBe(4 + Math.ceil((far.text.length / 1024 - 64) / 256));
    });

    it('pauses until it is paid for, loses and repeats nothing, and delays no other reader', async () => {
      await recordTags(tenant, EVENTS);
      const last = (await sequenced(tenant)).at(-1)?.sequence ?? 0;
      await tenant.limitRequests(60, 2);
      await reader.get('/me');
      advance(2);
      const client = await connect('?after=0');
      // The stream has paid for 64 and 256 KiB, of 500.
      await waitUntil(() => client.events.length > EVENTS / 2);
      const other = await connect('', admin);
      await recordTags(tenant, 10);
      await other.waitForEvents(10);
      expectProblem(await reader.get(`${PATH}?after=0`), 'request.rate-limited');
      expect(client.events.length).toBeLessThan(EVENTS);
      advance(1);
      await whileTicking(service, client.waitForEvents(last + 10));
      expect(sequences(client)).toEqual(range(1, last + 10));
      expect(client.requests).toHaveLength(1);
    });
  });

  it('sends every event once and in order to a client whose connection is cut again and again', async () => {
    const client = await connect('?after=0');
    for (let round = 0; round < 4; round += 1) {
      await recordTags(tenant, 30);
      // The client has connected again.
      await client.waitForEvents(40 * round + 1);
      service.app.getHttpServer().closeAllConnections();
      await recordTags(tenant, 10);
    }
    const last = (await events()).at(-1)?.sequence ?? 0;
    await client.waitForEvents(last);
    expect(sequences(client)).toEqual(range(1, last));
    expect(client.requests.length).toBeGreaterThan(4);
    expect(client.requests[0]).toBeNull();
  });

  it('sends events that another instance has written, and continues on it after the end of the first one', async () => {
    const second = await SecondInstance.start(service);
    let base = second.url;
    const client = await connect('', reader, () =>
      streamUrl(reader, `${PATH}?after=0`).replace(service.url, base),
    );
    await createTag();
    const before = (await events()).length - 1;
    await client.waitForEvents(before);
    base = service.url;
    await second.stop();
    await recordTags(tenant, 20);
    await client.waitForEvents(before + 20);
    expect(sequences(client)).toEqual(range(1, before + 20));
  });

  it('leaves out ids related to a confidential document for readers who are not on its list', async () => {
    const listed = await tenant.with('auditLog.read', 'documents.read');
    const [file, document, tag] = [
      await saveFile(tenant, admin),
      await saveDocument(tenant, admin, { confidentialTo: [admin] }),
      await saveTag(tenant),
    ];
    await addToList(tenant, document.id, listed);
    const [outside, inside] = [await connect(), await connect('', listed)];
    await admin.put(`/documents/${document.id}/files/${file.id}`).expect(204);
    await admin.put(`/documents/${document.id}/tags/${tag.id}`).expect(204);
    await Promise.all([outside, inside].map((client) => client.waitForEvents(2)));
    expect(inside.events.map(({ data }) => data.related)).toEqual([{ fileId: file.id }, { tagId: tag.id }]);
    expect(outside.events.map(({ data }) => data.related)).toEqual([{}, {}]);
    expect(outside.events.map(({ data }) => data.subjectId)).toEqual([document.id, document.id]);
  });

  it('sends nothing of another tenant of the same user', async () => {
    const other = await service.tenant();
    const there = await other.addMember(reader, 'auditor');
    await sequenced(other);
    const [here, elsewhere] = [await connect(), await connect('', there)];
    await createTag();
    await here.waitForEvents(1);
    await recordTags(other);
    await elsewhere.waitForEvents(1);
    expect(here.events).toHaveLength(1);
    expect(elsewhere.events).toHaveLength(1);
  });

  it('sends a comment line, with the position after events that were left out', async () => {
    const stream = await connectRaw('?types=FileClosed');
    await createTag();
    const last = (await events()).at(-1)?.sequence;
    const comment = stream.waitForText(new RegExp(`\n:\nid: ${last}\n\n$`));
    await whileTicking(service, comment);
  });

  describe('ends', () => {
    it('when the role of its reader loses the permission, and other streams stay open', async () => {
      const [stream, other] = [await connectRaw(), await connectRaw('', admin)];
      const role = await saveRole(tenant, ['files.read']);
      await setMemberRole(tenant, reader, role.id);
      await whileTicking(service, stream.waitForEnd());
      expect([stream.isComplete, other.hasEnded]).toEqual([true, false]);
      expectProblem(await reader.get(PATH), 'permission.missing');
    });

    it('when its reader is removed from the tenant', async () => {
      const stream = await connectRaw();
      await admin.delete(`/members/${reader.userId}`).expect(204);
      await whileTicking(service, stream.waitForEnd());
      expect(stream.isComplete).toBe(true);
    });

    it('when the token expires', async () => {
      const { subject: sub, email } = reader;
      const exp = Math.floor(Date.now() / 1000) + 600;
      const token = await service.issuer.token({ sub, email, email_verified: true, exp });
      const [stream, other] = [await connectRaw('', reader.withToken(token)), await connectRaw()];
      tickStreams(service, exp * 1000 - 1);
      expect(stream.hasEnded).toBe(false);
      tickStreams(service, exp * 1000);
      await stream.waitForEnd();
      expect([stream.isComplete, other.hasEnded]).toEqual([true, false]);
    });
  });

  it('stays open while the role changes to another one with the permission', async () => {
    const client = await connect();
    const role = await saveRole(tenant, ['auditLog.read']);
    await setMemberRole(tenant, reader, role.id);
    // The rights of this reader are checked together with those of the other one.
    const lost = await tenant.with('auditLog.read');
    const ending = await connectRaw('', lost);
    await setMemberRole(tenant, lost, (await saveRole(tenant, [])).id);
    await whileTicking(service, ending.waitForEnd());
    await createTag();
    await client.waitForEvents(1);
    await waitUntil(() => client.requests.length === 1, 'a single connection');
  });
});
