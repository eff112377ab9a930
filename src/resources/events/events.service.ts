import { Injectable } from '@nestjs/common';
import { limitOf } from '../../common/page.js';
import { invalidValue } from '../../common/problem.js';
import { CursorCodec } from '../../platform/database/paging/cursor-codec.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { presentEvent } from '../../platform/events/event.dto.js';
import { type EventRow, EventsReader, type LogEnd } from '../../platform/events/events.reader.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { type EventPage, type ListEventsQuery } from './events.dto.js';

@Injectable()
export class EventsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: EventsReader,
    private readonly cursors: CursorCodec,
  ) {}

  /**
   * A cursor is the id of the log, the last sequence before the next page, and the id of the event there. It is refused
   * if the log has another id, or another event at that place: then the database was restored.
   */
  list(caller: Caller, { after, types: given, ...page }: ListEventsQuery): Promise<EventPage> {
    // In one order, so that a cursor stays valid when the client writes the same types in another order.
    const types = given?.toSorted() ?? null;
    const list = { operation: 'ListEvents', filters: { types } };
    const limit = limitOf(page);
    const cursor = this.cursors.read(caller, list, page.cursor);
    const start = cursor ? Number(cursor[1]) : (after ?? null);
    return this.uow.read(caller, async (tx) => {
      const { end, afterId, rows } = await this.events.readPage(tx, { after: start, types, limit });
      if (cursor && (cursor[0] !== end.logId || cursor[2] !== (afterId ?? '')))
        throw invalidValue('cursor', 'event.other-log');
      if (!cursor && start !== null && start >= end.next) throw invalidValue('after', 'event.after-end');
      const last = lastRead(rows, limit, end);
      return {
        items: rows.map((row) => presentEvent(row, caller.user.id)),
        nextCursor: this.cursors.write(caller, list, [end.logId, String(last.sequence), last.id]),
      };
    });
  }
}

/**
 * The place that the page has reached: its last event if it is full. Otherwise the end of the log, beyond the events
 * that the filter left out. The end was read first, so the page may contain later events.
 */
function lastRead(
  rows: readonly EventRow[],
  limit: number,
  { next, lastId }: LogEnd,
): Pick<EventRow, 'sequence' | 'id'> {
  const row = rows.at(-1);
  const end = { sequence: next - 1, id: lastId ?? '' };
  return row && (rows.length === limit || row.sequence > end.sequence) ? row : end;
}
