import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type NotificationResponse } from '../../../src/resources/notifications/notifications.dto.js';
import { addToList, saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { saveNotification } from '../../factories/notifications.js';
import { type Actor } from '../../support/actor.js';
import { RawStream, StreamClient, tickStreams, whileTicking } from '../../support/event-stream.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { waitUntil } from '../../support/wait-until.js';

const PATH = '/notifications/stream';

describe('StreamNotifications', () => {
  let tenant: TestTenant;
  let reader: Actor;
  let admin: Actor;
  const open: { close(): void }[] = [];
  beforeEach(async () => {
    tenant = await service.tenant();
    reader = await tenant.as('editor', 'Edda Editor');
    admin = await tenant.as('administrator', 'Ada Admin');
  });
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close();
  });

  async function connect(actor = reader): Promise<StreamClient> {
    const client = await StreamClient.open(actor, PATH);
    open.push(client);
    return client;
  }

  async function connectRaw(actor = reader): Promise<RawStream> {
    const stream = await RawStream.open(actor, PATH);
    open.push(stream);
    expect(stream.status).toBe(200);
    return stream;
  }

  const received = (client: StreamClient, count: number) =>
    whileTicking(service, client.waitForEvents(count));
  const list = async (actor = reader) =>
    ((await actor.get('/notifications').expect(200)).body as { items: NotificationResponse[] }).items;

  it('returns 200 with the notifications that occur after its headers, as in the list, and writes nothing', async () => {
    await saveNotification(tenant, reader);
    const client = await connect();
    const file = await saveFile(tenant, reader, { number: 'AZ-1', name: 'Feuerwache' });
    await admin.post(`/files/${file.id}/close`).expect(200);
    await admin.post(`/files/${file.id}/reopen`).expect(200);
    const before = await tenant.fingerprint();

    const events = await received(client, 2);

    const [reopened, closed] = await list();
    expect(events).toEqual([
      { type: 'FileClosed', id: '', data: closed },
      { type: 'FileReopened', id: '', data: reopened },
    ]);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 200 with headers for streams and a time to connect again, to a member without any permission', async () => {
    const stream = await connectRaw(await tenant.with());
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    expect(stream.response.headers.etag).toBeUndefined();
    await stream.waitForText(/^retry: \d{4}\n\n$/);
  });

  it('returns 200 to HEAD without opening a stream', async () => {
    for (let n = 0; n < 12; n += 1) {
      const response = await reader.send('head', PATH).expect(200);
      expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    }
  });

  it('sends each notification once to each stream of its user, and none to other users', async () => {
    const [one, other] = [await connect(), await connect(admin)];
    await saveNotification(tenant, reader);
    await received(one, 1);
    const two = await connect();
    await saveNotification(tenant, reader);
    await saveNotification(tenant, admin);
    await Promise.all([received(one, 2), received(two, 1), received(other, 1)]);
    const [newer, older] = await list();
    expect([one, two, other].map(({ events }) => events.map(({ data }) => data.id))).toEqual([
      [older?.id, newer?.id],
      [newer?.id],
      [(await list(admin))[0]?.id],
    ]);
  });

  it('sends a notification whose transaction commits long after its creation time', async () => {
    const client = await connect();
    await saveNotification(tenant, reader);
    await received(client, 1);
    const late = await saveNotification(tenant, reader, {
      createdAt: new Date(Date.now() - 60_000).toISOString(),
    });
    const [, event] = await received(client, 2);
    expect(event?.data.id).toBe(late);
  });

  it('sends no notification about what the reader cannot see', async () => {
    const client = await connect();
    const file = await saveFile(tenant, admin);
    const hidden = await saveDocument(tenant, reader, { confidentialTo: [admin] });
    const shown = await saveDocument(tenant, reader, {});
    for (const { id } of [hidden, shown]) await admin.put(`/documents/${id}/files/${file.id}`).expect(204);
    await received(client, 1);
    await addToList(tenant, hidden.id, reader);
    await admin.delete(`/documents/${shown.id}/files/${file.id}`).expect(204);
    const events = await received(client, 2);
    expect(
      events.map(({ type, data }) => [type, (data.parameters as { documentId: string }).documentId]),
    ).toEqual([
      ['DocumentFiled', shown.id],
      ['DocumentUnfiled', shown.id],
    ]);
  });

  it('sends nothing of another tenant of the same user', async () => {
    const other = await service.tenant();
    const there = await other.addMember(reader, 'editor');
    const [here, elsewhere] = [await connect(), await connect(there)];
    await saveNotification(tenant, reader);
    await saveNotification(other, there);
    await Promise.all([received(here, 1), received(elsewhere, 1)]);
    expect([here, elsewhere].map(({ events }) => events.map(({ data }) => data.id))).toEqual([
      [(await list())[0]?.id],
      [(await list(there))[0]?.id],
    ]);
  });

  it('ends when its user is removed from the tenant', async () => {
    const [stream, other] = [await connectRaw(), await connectRaw(admin)];
    await admin.delete(`/members/${reader.userId}`).expect(204);
    await whileTicking(service, stream.waitForEnd());
    expect([stream.isComplete, other.hasEnded]).toEqual([true, false]);
  });

  it('ends when the token expires', async () => {
    const { subject: sub, email } = reader;
    const exp = Math.floor(Date.now() / 1000) + 600;
    const token = await service.issuer.token({ sub, email, email_verified: true, exp });
    const stream = await connectRaw(reader.withToken(token));
    tickStreams(service, exp * 1000 - 1);
    expect(stream.hasEnded).toBe(false);
    tickStreams(service, exp * 1000);
    await stream.waitForEnd();
    expect(stream.isComplete).toBe(true);
  });

  it('returns 406 when Accept does not include text/event-stream', async () => {
    const send = (accept: string) => reader.get(PATH).set('Accept', accept);
    expectProblem(await send('application/json'), 'request.not-acceptable');
    expectProblem(await send('text/event-stream;q=0, text/html'), 'request.not-acceptable');
    for (const accept of ['text/event-stream', 'text/*', '*/*', 'text/html, text/event-stream;q=0.5'])
      await send(accept).expect(200);
  });

  it('returns 429 for the eleventh stream of a caller, until one of them is closed', async () => {
    const streams: RawStream[] = [];
    for (let n = 0; n < 10; n += 1) streams.push(await connectRaw());
    const refused = await reader.get(PATH);
    expectProblem(refused, 'request.rate-limited');
    expect(refused.headers['retry-after']).toBe('10');
    expect((refused.body as { detail: string }).detail).toBe(
      'You have 10 open streams, the maximum. Close one before you open another.',
    );
    await connectRaw(admin);
    streams[0]?.close();
    await waitUntil(async () => (await reader.get(PATH)).status === 200, 'a free slot');
  });
});
