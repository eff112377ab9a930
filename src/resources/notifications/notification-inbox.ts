import { unavailable } from '../../common/problem.js';
import { type EventStream, messageText } from '../../platform/http/streams/event-stream.js';
import { type OpenStreams } from '../../platform/http/streams/open-streams.js';
import { type NotificationsRepository, type UserNotification } from './notifications.repository.js';

/**
 * Seconds in which a notification is looked for after its creation. The time of a notification is the beginning of its
 * transaction, which can commit much later.
 */
const WINDOW_S = 120;

/** How long the ids of notifications are kept, so that a notification is not sent twice. */
const KNOWN_MS = (WINDOW_S + 10) * 1000;

/** With more ids, the window becomes shorter. */
const MAX_KNOWN = 10_000;

/** Maximum number of notifications that are read and sent at once. */
const LIMIT = 200;

interface Known {
  readonly createdAt: string;
  readonly at: number;
}

interface Joining {
  readonly stream: EventStream;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The open notification streams of a tenant in this process. One query reads the new notifications for all of them. */
export class NotificationInbox {
  private readonly streams = new Set<EventStream>();
  private joining: Joining[] = [];
  /** Notifications that exist since before a stream was opened, or were sent. In the order in which they were found. */
  private readonly known = new Map<string, Known>();
  /** Creation time of the newest notification whose id is no longer kept. */
  private after: string | null = null;
  private reading: Promise<void> | undefined;
  private readAt = 0;

  constructor(
    private readonly tenantId: string,
    private readonly open: OpenStreams,
    private readonly notifications: NotificationsRepository,
  ) {}

  get isEmpty(): boolean {
    return this.streams.size === 0 && this.joining.length === 0;
  }

  /** Milliseconds since the last reading began. */
  get age(): number {
    return performance.now() - this.readAt;
  }

  /** From when the promise resolves, the stream gets every notification of its user that is committed later. */
  async join(stream: EventStream): Promise<void> {
    const joined = new Promise<void>((resolve, reject) => this.joining.push({ stream, resolve, reject }));
    // It can be rejected while the line after the next one waits.
    joined.catch(() => undefined);
    stream.onEnd(() => this.streams.delete(stream));
    // A reading in progress may have begun before this stream.
    await this.reading?.catch(() => undefined);
    void this.read().catch(() => undefined);
    await joined;
  }

  /** Sends what is new to all streams. */
  read(): Promise<void> {
    this.reading ??= this.readAll().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readAll(): Promise<void> {
    this.readAt = performance.now();
    const joining = this.joining.splice(0);
    try {
      const users = new Set([...this.streams, ...joining.map(({ stream }) => stream)].map(userIdOf));
      let rows: UserNotification[];
      do {
        rows = await this.find([...users]);
        await this.deliver(rows);
        for (const { id, createdAt } of rows) this.known.set(id, { createdAt, at: performance.now() });
        this.forget();
      } while (rows.length === LIMIT);
    } catch (error) {
      for (const { reject } of joining) reject(error);
      throw error;
    }
    for (const { stream, resolve } of joining) {
      if (!stream.hasEnded) this.streams.add(stream);
      resolve();
    }
  }

  private find(userIds: readonly string[]): Promise<UserNotification[]> {
    const filter = { seconds: WINDOW_S, after: this.after, known: [...this.known.keys()], limit: LIMIT };
    return this.open.read(this.tenantId, (tx) => this.notifications.recent(tx, userIds, filter));
  }

  /** A notification that its reader cannot see now is not sent later, either. */
  private async deliver(rows: readonly UserNotification[]): Promise<void> {
    const news = new Map<string, UserNotification[]>();
    for (const row of rows) news.set(row.userId, [...(news.get(row.userId) ?? []), row]);
    // One stream of each user whose notifications are sent: the rights are those of the user.
    const readers = new Map([...this.streams].map((stream) => [userIdOf(stream), stream.caller]));
    const statements = [...readers.values()].flatMap((caller) => {
      const ids = news.get(caller.user.id)?.map(({ id }) => id);
      return ids ? [this.notifications.visibleStatement(caller, ids)] : [];
    });
    if (statements.length === 0) return;
    const found = await this.open.read(this.tenantId, (tx) => tx.queryAll(statements));
    if (!this.open.isChecked(this.tenantId)) throw unavailable(1);
    const visible = new Set(found.flat().map(({ id }) => id));
    for (const stream of this.streams) {
      const texts = (news.get(userIdOf(stream)) ?? [])
        .filter(({ id }) => visible.has(id))
        .map(({ id, type, parameters, createdAt, readAt }) =>
          messageText(type, JSON.stringify({ id, type, parameters, createdAt, readAt })),
        );
      if (texts.length > 0) stream.send(texts.join(''));
    }
  }

  private forget(): void {
    const now = performance.now();
    for (const [id, { at, createdAt }] of this.known) {
      if (this.known.size <= MAX_KNOWN && now - at < KNOWN_MS) return;
      if (now - at < KNOWN_MS && (this.after === null || createdAt > this.after)) this.after = createdAt;
      this.known.delete(id);
    }
  }
}

function userIdOf({ caller }: EventStream): string {
  return caller.user.id;
}
