import { Injectable } from '@nestjs/common';
import { NIL_ID, newId } from '../../common/identifier.js';
import { type WriteTransaction } from '../database/transactions/tenant-transaction.js';

/** An audit entry that gets a sequence. */
interface Entry {
  readonly id: string;
  readonly type: string;
}

interface LogHead {
  readonly next: number;
  /** Position of the backfill: the last entry from before the event log that has a sequence. */
  readonly backfilledTime: string | null;
  readonly backfilledId: string | null;
}

interface LockedLog {
  /** Undefined if it does not exist or another transaction has locked it. */
  readonly head: LogHead | undefined;
  /** Whether the tenant's entries from before the event log have to be added first. */
  readonly needsBackfill: boolean;
  /** The oldest queued ones. */
  readonly entries: readonly Entry[];
}

/**
 * Sequences are answered to clients, so they must survive a crash of the server. The queue varies between nothing and a
 * large backlog: a plan that reads it in the order of its index suits both, so the statements are not planned each time.
 */
const SETTINGS = ['synchronous_commit TO on', 'enable_bitmapscan TO off'].map((setting) => ({
  text: `SET LOCAL ${setting}`,
}));

/** The statements of the sequencer. Only the transaction that has locked the head removes entries from the queue. */
@Injectable()
export class EventLogRepository {
  /** Locks the head until the commit, then reads the queued entries. */
  async lockHead(tx: WriteTransaction, limit: number): Promise<LockedLog> {
    const [, , [head], found] = await tx.queryAll<[object, object, LogHead, Entry]>([
      ...SETTINGS,
      {
        text: `SELECT next_sequence AS next, backfilled_time AS "backfilledTime", backfilled_id AS "backfilledId"
                 FROM event_logs WHERE tenant_id = $1 FOR UPDATE SKIP LOCKED`,
        values: [tx.tenantId],
      },
      {
        // Ordered by the database's clock, because the clocks of the processes that create ids may differ.
        text: `SELECT b.entry_id AS id,
                      (SELECT e.action FROM audit_entries e WHERE e.tenant_id = $1 AND e.id = b.entry_id) AS type
                 FROM (SELECT q.entry_id, q.queued_at FROM event_queue q WHERE q.tenant_id = $1
                        ORDER BY q.entry_id LIMIT $2) b
                ORDER BY b.queued_at, b.entry_id`,
        values: [tx.tenantId, limit],
      },
    ]);
    const entries = found.filter(({ id }) => id !== NIL_ID);
    return { head, needsBackfill: entries.length < found.length, entries };
  }

  /** Creates the head if the tenant has none. */
  async createHead(tx: WriteTransaction): Promise<void> {
    await tx.query(
      'INSERT INTO event_logs (tenant_id, id) VALUES ($1, $2) ON CONFLICT (tenant_id) DO NOTHING',
      [tx.tenantId, newId()],
    );
  }

  /** Gives the entries the next sequences, in their order. The head must be locked. */
  async append(tx: WriteTransaction, { next }: LogHead, entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    const { newRows } = tx.layout;
    const ids = entries.map(({ id }) => id);
    await tx.queryAll([
      {
        text: `DELETE FROM event_queue WHERE tenant_id = $1 AND entry_id = ANY ($2::uuid[])`,
        values: [tx.tenantId, ids],
      },
      {
        text: `INSERT INTO events (tenant_id, sequence, entry_id, type)
               SELECT ${newRows.tenantId}, n.sequence, n.entry_id, n.type
                 FROM ${newRows.from('unnest($2::bigint[], $3::uuid[], $4::text[]) AS n (sequence, entry_id, type)')}`,
        values: [tx.tenantId, entries.map((_, index) => next + index), ids, entries.map(({ type }) => type)],
      },
      {
        text: 'UPDATE event_logs SET next_sequence = $2 WHERE tenant_id = $1',
        values: [tx.tenantId, next + entries.length],
      },
    ]);
  }

  /**
   * Gives the next entries from before the event log their sequences, in the order of their time. This includes later
   * entries that are queued. The head must be locked. Returns the number of entries.
   */
  async backfill(tx: WriteTransaction, head: LogHead, limit: number): Promise<number> {
    const after = head.backfilledTime !== null && head.backfilledId !== null;
    const entries = await tx.query<Entry & { occurredAt: string }>(
      `SELECT e.id, e.action AS type, e.occurred_at AS "occurredAt" FROM audit_entries e
        WHERE e.tenant_id = $1 ${after ? 'AND (e.occurred_at, e.id) > ($3::timestamptz, $4::uuid)' : ''}
        ORDER BY e.occurred_at, e.id LIMIT $2`,
      [tx.tenantId, limit, ...(after ? [head.backfilledTime, head.backfilledId] : [])],
      { planEachTime: true },
    );
    await this.append(tx, head, entries);
    const last = entries.at(-1);
    if (last)
      await tx.query('UPDATE event_logs SET backfilled_time = $2, backfilled_id = $3 WHERE tenant_id = $1', [
        tx.tenantId,
        last.occurredAt,
        last.id,
      ]);
    if (entries.length < limit)
      await tx.query('DELETE FROM event_queue WHERE tenant_id = $1 AND entry_id = $2', [tx.tenantId, NIL_ID]);
    return entries.length;
  }
}
