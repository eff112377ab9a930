import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTenant } from '../test/support/create-tenant.js';
import { type BenchArguments } from './arguments.js';
import { type BenchRun } from './bench-run.js';
import { withClient } from './database.js';
import { table } from './report.js';
import { type ServerProcess } from './server-process.js';
import { quantile } from './statistics.js';
import { TenantClient } from './tenant-client.js';

/** Documents of a tenant in a group, by the number of tenants. Each change of a document writes one event. */
const GROUPS = [
  { tenants: 1, documents: 100 },
  { tenants: 100, documents: 10 },
];
/** `null`: as many as four clients can write, each with its next request after the answer. */
const RATES = [
  { perSecond: 100, documentsPerRequest: 1 },
  { perSecond: 300, documentsPerRequest: 10 },
  { perSecond: null, documentsPerRequest: 10 },
];
const CLIENTS = 4;
/** Duration of a measurement, as a multiple of `--seconds`. */
const DURATION = 5;
/** How long to wait for the last events of a measurement. */
const ARRIVAL_SECONDS = 300;

/** Where an event arrives. */
const PLACES = ['feed', 'stream', 'webhook'] as const;
type Place = (typeof PLACES)[number];

interface EventFigures {
  readonly tenants: number;
  /** Events per second that were to be written; null for as many as possible. */
  readonly rate: number | null;
  readonly written: number;
  readonly writtenPerSecond: number;
  /** From the first commit to the last arrival, in events per second. */
  readonly arrivedPerSecond: Readonly<Record<Place, number>>;
  /** Milliseconds from the commit of the change. */
  readonly delay: Readonly<Record<Place, { readonly median: number; readonly p99: number }>>;
}

/** Arrival times of events, in milliseconds since 1970, by id. */
type Arrivals = Map<string, number>;

/** A tenant with documents, an open stream and a webhook. */
interface EventTenant {
  readonly client: TenantClient;
  readonly documentIds: readonly string[];
}

interface DocumentGroup {
  readonly client: TenantClient;
  readonly tagId: string;
  readonly documentIds: readonly string[];
  isTagged: boolean;
}

interface WrittenEvent {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly committed: number;
  /** When the transaction with its sequence was committed; null before. */
  readonly inFeed: number | null;
}

const now = () => performance.timeOrigin + performance.now();

/**
 * Measures when events are in the feed, arrive in a stream and arrive at the receiver of a webhook. The times of the
 * commits are those of PostgreSQL (`track_commit_timestamp`), on the same machine.
 */
export async function events(run: BenchRun, { seconds, quick }: BenchArguments): Promise<EventFigures[]> {
  // Outside production, receivers on loopback addresses are allowed, and http. The rate limit would hide the delays.
  const service = await run.startService({
    probePath: '/readyz',
    environment: { NODE_ENV: 'development', WEBHOOK_RATE_PER_SECOND: '1000' },
  });
  const inStream: Arrivals = new Map();
  const atReceiver: Arrivals = new Map();
  const receiverUrl = await startReceiver(run, atReceiver);
  const figures: EventFigures[] = [];
  for (const { tenants: count, documents } of GROUPS) {
    const tenants: EventTenant[] = [];
    for (let n = 0; n < (quick ? Math.min(count, 5) : count); n += 1)
      tenants.push(
        await createEventTenant(run, service, `events-${count}-${n}`, documents, receiverUrl, inStream),
      );
    run.log(`${tenants.length} tenants with ${documents} documents each`);
    for (const { perSecond: rate, documentsPerRequest } of RATES) {
      const groups = await groupsOf(service, tenants, String(rate), documentsPerRequest);
      const began = now();
      await write(service, groups, rate, seconds * DURATION);
      const written = await waitForArrivals(run, began, [inStream, atReceiver]);
      figures.push({ tenants: tenants.length, rate, ...figuresOf(written, inStream, atReceiver) });
      run.log(`${tenants.length} tenants, ${rate ?? 'as many as possible'}/s: measured`);
    }
  }
  return figures;
}

/** Receives deliveries and answers them at once. */
async function startReceiver(run: BenchRun, arrivals: Arrivals): Promise<string> {
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    if (!arrivals.has(id)) arrivals.set(id, now());
    request.resume();
    response.writeHead(204).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  run.onClose(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function createEventTenant(
  run: BenchRun,
  service: ServerProcess,
  slug: string,
  documents: number,
  url: string,
  inStream: Arrivals,
): Promise<EventTenant> {
  const email = `${slug}@bench.example`;
  const expectedMembers = [{ email, roleKey: 'administrator' as const }];
  await createTenant(run.database.ownerUrl, { slug, name: slug, expectedMembers });
  const client = new TenantClient(slug, await run.issuer.token({ subject: slug, email }));
  const documentIds: string[] = [];
  for (let n = 0; n < documents; n += 1)
    documentIds.push(await create(service, client, '/documents', { title: `Document ${n}` }));
  await client.request(service, 'POST', '/webhooks', { url });
  const stream = await client.stream(service, 'events');
  let rest = '';
  stream.on('data', (chunk: string) => {
    const messages = (rest + chunk).split('\n\n');
    rest = messages.pop() ?? '';
    for (const message of messages) {
      const id = /"id":"([^"]+)"/.exec(message)?.[1];
      if (id !== undefined) inStream.set(id, now());
    }
  });
  return { client, documentIds };
}

async function create(
  service: ServerProcess,
  client: TenantClient,
  path: string,
  body: object,
): Promise<string> {
  return (await client.request<{ id: string }>(service, 'POST', path, body)).id;
}

/**
 * Tags documents and removes the tags again, one group of documents after another.
 *
 * @param rate Events per second; null for as many as the clients can write
 */
async function write(
  service: ServerProcess,
  groups: readonly DocumentGroup[],
  rate: number | null,
  seconds: number,
): Promise<void> {
  let sent = 0;
  const send = async () => {
    const group = groups[sent++ % groups.length];
    if (!group) throw new Error('There are no documents');
    const { client, tagId, documentIds, isTagged } = group;
    group.isTagged = !isTagged;
    const action = isTagged ? 'Untag' : 'Tag';
    await client.request(service, 'POST', '/documents/bulk', { action, documentIds, tagIds: [tagId] });
  };
  const began = now();
  const until = began + seconds * 1000;
  if (rate === null) {
    const sendRepeatedly = async () => {
      while (now() < until) await send();
    };
    await Promise.all(Array.from({ length: CLIENTS }, sendRepeatedly));
    return;
  }
  const interval = (1000 * (groups[0]?.documentIds.length ?? 1)) / rate;
  const pending: Promise<void>[] = [];
  for (let due = began; due < until; due += interval) {
    await sleep(Math.max(0, due - now()));
    pending.push(send());
  }
  await Promise.all(pending);
}

/** Groups of all tenants, those of one tenant not next to each other, with a new tag of each tenant. */
async function groupsOf(
  service: ServerProcess,
  tenants: readonly EventTenant[],
  name: string,
  size: number,
): Promise<DocumentGroup[]> {
  const byTenant: DocumentGroup[][] = [];
  for (const { client, documentIds } of tenants) {
    const tagId = await create(service, client, '/tags', { name });
    const count = Math.floor(documentIds.length / size);
    byTenant.push(
      Array.from({ length: count }, (_, n) => ({
        ...{ client, tagId, isTagged: false },
        documentIds: documentIds.slice(n * size, (n + 1) * size),
      })),
    );
  }
  return Array.from({ length: byTenant[0]?.length ?? 0 }, (_, n) =>
    byTenant.flatMap((groups) => groups[n] ?? []),
  ).flat();
}

/** Waits until all events of documents that were committed since then have arrived. */
async function waitForArrivals(
  run: BenchRun,
  since: number,
  arrivals: readonly Arrivals[],
): Promise<WrittenEvent[]> {
  const deadline = now() + ARRIVAL_SECONDS * 1000;
  for (;;) {
    const written = await writtenSince(run, since);
    const missing = written.filter(
      ({ id, inFeed }) => inFeed === null || arrivals.some((times) => !times.has(id)),
    );
    if (missing.length === 0) return written;
    if (now() > deadline) throw new Error(`${missing.length} of ${written.length} events have not arrived`);
    await sleep(500);
  }
}

function writtenSince({ database }: BenchRun, since: number): Promise<WrittenEvent[]> {
  const text = `
    SELECT a.id, extract(epoch FROM pg_xact_commit_timestamp(a.xmin))::float8 * 1000 AS committed,
           extract(epoch FROM pg_xact_commit_timestamp(e.xmin))::float8 * 1000 AS "inFeed"
      FROM audit_entries a LEFT JOIN events e ON e.tenant_id = a.tenant_id AND e.entry_id = a.id
     WHERE a.subject_type = 'Document' AND a.occurred_at >= to_timestamp($1 / 1000.0)`;
  return withClient(
    database.ownerUrl,
    async (client) => (await client.query<WrittenEvent>(text, [since])).rows,
  );
}

function figuresOf(
  written: readonly WrittenEvent[],
  inStream: Arrivals,
  atReceiver: Arrivals,
): Pick<EventFigures, 'written' | 'writtenPerSecond' | 'arrivedPerSecond' | 'delay'> {
  const first = Math.min(...written.map(({ committed }) => committed));
  const timesOf = {
    commit: ({ committed }) => committed,
    feed: ({ inFeed }) => inFeed ?? Number.NaN,
    stream: ({ id }) => inStream.get(id) ?? Number.NaN,
    webhook: ({ id }) => atReceiver.get(id) ?? Number.NaN,
  } satisfies Record<string, (event: WrittenEvent) => number>;
  const perSecond = (time: (event: WrittenEvent) => number) =>
    (written.length / (Math.max(...written.map(time)) - first)) * 1000;
  const ofPlaces = <T>(of: (time: (event: WrittenEvent) => number) => T) =>
    Object.fromEntries(PLACES.map((place) => [place, of(timesOf[place])])) as Record<Place, T>;
  return {
    written: written.length,
    writtenPerSecond: perSecond(timesOf.commit),
    arrivedPerSecond: ofPlaces(perSecond),
    delay: ofPlaces((time) => {
      const delays = written.map((event) => time(event) - event.committed);
      return { median: quantile(delays, 0.5), p99: quantile(delays, 0.99) };
    }),
  };
}

export function eventTable(figures: readonly EventFigures[]): string {
  return table(
    [
      ...['tenants', 'events/s to write', 'written/s', 'arrived/s: feed, stream, webhook'],
      ...PLACES.map((place) => `${place}: ms median, p99`),
    ],
    figures.map(({ tenants, rate, writtenPerSecond, arrivedPerSecond, delay }) => [
      ...[String(tenants), rate === null ? 'maximum' : String(rate), writtenPerSecond.toFixed(0)],
      PLACES.map((place) => arrivedPerSecond[place].toFixed(0)).join(', '),
      ...PLACES.map((place) => `${delay[place].median.toFixed(0)}, ${delay[place].p99.toFixed(0)}`),
    ]),
  );
}
