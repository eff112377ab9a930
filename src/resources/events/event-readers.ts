import { type AuditAction } from '../../common/vocabulary/audit.js';
import { type EventStream, messageText } from '../../platform/http/streams/event-stream.js';
import { type OpenStreams } from '../../platform/http/streams/open-streams.js';
import { presentEvent } from '../../platform/events/event.dto.js';
import { type EventRow, type EventsReader } from '../../platform/events/events.reader.js';

/** Number of events that are read at once. */
const PAGE = 200;

/** Maximum number of characters that are sent to a client before it has read the former ones. */
const MAX_TEXT = 128 * 1024;

interface Reader {
  readonly stream: EventStream;
  /** Null for all types. */
  readonly types: ReadonlySet<AuditAction> | null;
  /** Sequence of the last event that was sent or left out; -1 before the first one. */
  position: number;
  /** Position that the client has been told. */
  told: number;
  /** Number of the reading that served it last. */
  turn: number;
}

interface Page {
  readonly rows: readonly EventRow[];
  /** Position of a reader that has got all rows. */
  readonly end: number;
  /** Texts that are the same for all readers, by index of the row. */
  readonly texts: string[];
}

/**
 * The open event streams of a tenant in this process. Each page is read once for all readers at its position. Readers at
 * the end of the log take turns with readers that are behind.
 */
export class EventReaders {
  private readonly readers = new Set<Reader>();
  /** Highest position that is known. The readers there wait for new events. */
  private tail = -1;
  /** Whether there may be events after the tail. */
  private hasNews = false;
  private turns = 0;
  private isReading = false;

  constructor(
    private readonly tenantId: string,
    private readonly streams: OpenStreams,
    private readonly events: EventsReader,
  ) {}

  get isEmpty(): boolean {
    return this.readers.size === 0;
  }

  /** @param end position of the last event of the log */
  add(stream: EventStream, types: readonly AuditAction[] | null, position: number, end: number): void {
    const reader: Reader = {
      ...{ stream, position, told: position, turn: 0 },
      types: types && new Set(types),
    };
    this.readers.add(reader);
    this.tail = Math.max(this.tail, end);
    stream.onEnd(() => this.readers.delete(reader));
    stream.afterComment = () => positionLine(reader);
  }

  /** Call it when the log may have grown. */
  advance(): Promise<void> {
    this.hasNews = true;
    return this.read();
  }

  /** Sends pages until all readers have everything, or until their clients have to read first. */
  async read(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    try {
      for (;;) {
        const live = this.hasNews ? this.first(({ position }) => position === this.tail) : undefined;
        if (live && !(await this.serve(live))) return;
        const behind = this.first(({ position }) => position < this.tail);
        if (behind && !(await this.serve(behind))) return;
        if (!live && !behind) return;
      }
    } finally {
      this.isReading = false;
    }
  }

  /** The reader among those that was served longest ago. */
  private first(filter: (reader: Reader) => boolean): Reader | undefined {
    let found: Reader | undefined;
    for (const reader of this.readers) {
      if (!reader.stream.isReady || !filter(reader)) continue;
      if (!found || reader.turn < found.turn) found = reader;
    }
    return found;
  }

  /** Reads a page, and sends it to all readers that need it. False if the rights were not checked just now. */
  private async serve({ position, types }: Reader): Promise<boolean> {
    const { tail } = this;
    // Far from the end, events of other types are not worth reading.
    const filter = types && tail - position > PAGE ? [...types] : null;
    if (position === tail) this.hasNews = false;
    const page = await this.page(position, tail, filter).catch((error: unknown) => {
      this.hasNews = true;
      throw error;
    });
    if (!this.streams.isChecked(this.tenantId)) {
      this.hasNews = true;
      return false;
    }
    this.turns += 1;
    for (const reader of this.readers) {
      if (reader.position !== position || !reader.stream.isReady) continue;
      if (filter && !isSubset(reader.types, filter)) continue;
      this.send(reader, page);
      reader.turn = this.turns;
    }
    this.tail = Math.max(this.tail, page.end);
    if (page.end === position + PAGE) this.hasNews = true;
    return true;
  }

  private page(position: number, tail: number, types: readonly AuditAction[] | null): Promise<Page> {
    return this.streams.read(this.tenantId, async (tx) => {
      // Before the events: then there is no event below it that is not among the rows.
      const next = types ? (await this.events.head(tx)).next : 0;
      const rows = await this.events.read(tx, { after: position, types, limit: PAGE });
      const last = rows.at(-1)?.sequence ?? position;
      const known = Math.max(tail, last);
      const all = types ? Math.max(known, next - 1) : Math.min(known, position + PAGE);
      return { rows, end: types && rows.length === PAGE ? last : all, texts: [] };
    });
  }

  private send(reader: Reader, { rows, end, texts }: Page): void {
    const { stream, types } = reader;
    let text = '';
    reader.position = end;
    for (const [index, row] of rows.entries()) {
      if (types && !types.has(row.type)) continue;
      text +=
        row.confidentialTo === null ? (texts[index] ??= textOf(row, '')) : textOf(row, stream.caller.user.id);
      reader.told = row.sequence;
      if (text.length < MAX_TEXT) continue;
      reader.position = row.sequence;
      break;
    }
    if (text !== '') stream.send(text);
  }
}

function textOf(row: EventRow, readerId: string): string {
  return messageText(row.type, JSON.stringify(presentEvent(row, readerId)), row.sequence);
}

/** Tells the client a position without an event; see docs/adr/0040. Empty if it knows the position. */
function positionLine(reader: Reader): string {
  if (reader.position <= reader.told) return '';
  reader.told = reader.position;
  return `id: ${reader.position}\n`;
}

function isSubset(types: ReadonlySet<AuditAction> | null, of: readonly AuditAction[]): boolean {
  return types !== null && [...types].every((type) => of.includes(type));
}
