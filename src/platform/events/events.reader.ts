import { Injectable } from '@nestjs/common';
import { NIL_ID } from '../../common/identifier.js';
import { type AuditAction, type RelatedIds } from '../../common/vocabulary/audit.js';
import { type Statement } from '../database/transactions/tenant-batch.js';
import { type TenantTransaction } from '../database/transactions/tenant-transaction.js';
import { type AuditEntryEntity } from '../recording/audit-entry.entity.js';

export interface EventRow extends Pick<
  AuditEntryEntity,
  'id' | 'occurredAt' | 'actorId' | 'subjectType' | 'subjectId'
> {
  readonly sequence: number;
  readonly type: AuditAction;
  readonly related: RelatedIds;
  /** The signed note; only of `AuditCheckpointSigned`. */
  readonly checkpoint: string | null;
  /**
   * Null if the event is not about a document that is confidential (or was when it was purged). Else the users who may
   * read `related`: those on the document's access list.
   */
  readonly confidentialTo: readonly string[] | null;
}

export interface LogPosition {
  /** Id of the log. A restored database has another one. */
  readonly logId: string;
  /** The sequence that the next event gets. */
  readonly next: number;
}

/** `position` with the id of the event before it; null in an empty log. */
export interface LogEnd extends LogPosition {
  readonly lastId: string | null;
}

export interface EventQuery {
  /** Sequence of the last event before the requested ones; null for the beginning. */
  readonly after: number | null;
  /** Event types; null or empty for all. */
  readonly types: readonly AuditAction[] | null;
  readonly limit: number;
}

/** An event without the access list of its document. */
type FoundEvent = Omit<EventRow, 'confidentialTo'> & { readonly isConfidential: boolean };

/**
 * Scalar subqueries by primary key, as in the audit log. A purged document was confidential if its entry has no summary.
 */
const IS_CONFIDENTIAL = `(e.subject_type = 'Document' AND coalesce(
    (SELECT d.is_confidential FROM documents d WHERE d.tenant_id = $1 AND d.id = e.subject_id),
    (SELECT p.summary IS NULL FROM audit_entries p
      WHERE p.tenant_id = $1 AND p.subject_id = e.subject_id AND p.action = 'DocumentPurged' LIMIT 1),
    true))`;

/** LIMIT 1 prevents a hash join, for which PostgreSQL would read all audit entries. */
const EVENTS = (page: string) => `
  SELECT v.sequence, e.id, e.action AS type, e.occurred_at AS "occurredAt", e.actor_id AS "actorId",
         e.subject_type AS "subjectType", e.subject_id AS "subjectId", e.related,
         CASE WHEN e.action = 'AuditCheckpointSigned' THEN
           (SELECT c.note FROM audit_checkpoints c WHERE c.tenant_id = $1 AND c.id = e.subject_id) END AS checkpoint,
         ${IS_CONFIDENTIAL} AS "isConfidential"
    FROM (${page}) v
   CROSS JOIN LATERAL (SELECT * FROM audit_entries e WHERE e.tenant_id = $1 AND e.id = v.entry_id LIMIT 1) e
   ORDER BY v.sequence`;

/** Sequences have no gaps, so the limit is a range of the primary key. */
const ALL_TYPES = EVENTS(`
  SELECT sequence, entry_id FROM events
   WHERE tenant_id = $1 AND sequence > $2::bigint AND sequence <= $2::bigint + $3::bigint`);

/** Reads the first events of each type from the index, so that a rare type costs no more than a frequent one. */
const SOME_TYPES = EVENTS(`
  SELECT first.sequence, first.entry_id FROM unnest($4::text[]) AS t (type)
   CROSS JOIN LATERAL (
     SELECT s.sequence, s.entry_id FROM events s
      WHERE s.tenant_id = $1 AND s.type = t.type AND s.sequence > $2::bigint
      ORDER BY s.sequence LIMIT $3::bigint) first
   ORDER BY first.sequence LIMIT $3::bigint`);

const SOME_SEQUENCES = EVENTS(
  'SELECT sequence, entry_id FROM events WHERE tenant_id = $1 AND sequence = ANY ($2::bigint[])',
);

/** What the log itself knows of an event. */
export type IndexedEvent = Pick<EventRow, 'sequence' | 'id' | 'type'>;

/** Reads the event log of the transaction's tenant. The rows are the same for all readers; see `presentEvent`. */
@Injectable()
export class EventsReader {
  async head(tx: TenantTransaction): Promise<LogPosition> {
    const { logId, next } = endOf((await tx.queryAll<[LogEnd]>([endStatement(tx)]))[0]);
    return { logId, next };
  }

  /** Oldest first. */
  async read(tx: TenantTransaction, query: EventQuery): Promise<EventRow[]> {
    const { text, values, ...options } = pageStatement(tx, query);
    return this.withAccessLists(tx, await tx.query<FoundEvent>(text, values, options));
  }

  /**
   * The same as `read`, with the end of the log before the rows were read, and the id of the event at `after`: null if
   * there is none.
   */
  async readPage(
    tx: TenantTransaction,
    query: EventQuery,
  ): Promise<{ end: LogEnd; afterId: string | null; rows: EventRow[] }> {
    const [end, [before], rows] = await tx.queryAll<[LogEnd, { id: string }, FoundEvent]>([
      endStatement(tx),
      {
        text: 'SELECT entry_id AS id FROM events WHERE tenant_id = $1 AND sequence = $2::bigint',
        values: [tx.tenantId, query.after ?? -1],
      },
      pageStatement(tx, query),
    ]);
    return {
      end: endOf(end),
      afterId: before?.id ?? null,
      rows: await this.withAccessLists(tx, rows),
    };
  }

  /** The first events with this sequence or a later one, oldest first, without their entries. */
  readIndex(tx: TenantTransaction, from: number, limit: number): Promise<IndexedEvent[]> {
    return tx.query<IndexedEvent>(
      `SELECT sequence, entry_id AS id, type FROM events
        WHERE tenant_id = $1 AND sequence >= $2::bigint AND sequence < $2::bigint + $3::bigint ORDER BY sequence`,
      [tx.tenantId, from, limit],
    );
  }

  /** The events with these sequences. */
  async find(tx: TenantTransaction, sequences: readonly number[]): Promise<EventRow[]> {
    if (sequences.length === 0) return [];
    const rows = await tx.query<FoundEvent>(SOME_SEQUENCES, [tx.tenantId, sequences]);
    return this.withAccessLists(tx, rows);
  }

  /** Reads the access list of each confidential document once, because many events may be about the same one. */
  private async withAccessLists(tx: TenantTransaction, found: readonly FoundEvent[]): Promise<EventRow[]> {
    const confidential = found.filter(({ isConfidential }) => isConfidential);
    const ids = [...new Set(confidential.map(({ subjectId }) => subjectId))];
    const lists = new Map<string, string[]>(ids.map((id) => [id, []]));
    if (ids.length > 0) {
      const rows = await tx.query<{ documentId: string; userId: string }>(
        `SELECT c.document_id AS "documentId", c.user_id AS "userId" FROM document_confidential_users c
          WHERE c.tenant_id = $1 AND c.document_id = ANY ($2::uuid[])`,
        [tx.tenantId, ids],
      );
      for (const { documentId, userId } of rows) lists.get(documentId)?.push(userId);
    }
    return found.map(({ isConfidential, ...event }) => ({
      ...event,
      confidentialTo: isConfidential ? (lists.get(event.subjectId) ?? []) : null,
    }));
  }
}

function endStatement(tx: TenantTransaction): Statement {
  return {
    text: `SELECT l.id AS "logId", l.next_sequence AS next,
                  (SELECT v.entry_id FROM events v
                    WHERE v.tenant_id = $1 AND v.sequence = l.next_sequence - 1) AS "lastId"
             FROM event_logs l WHERE l.tenant_id = $1`,
    values: [tx.tenantId],
  };
}

/** The sequencer creates the log with the first event if the tenant was created without one. */
function endOf([end]: readonly LogEnd[]): LogEnd {
  return end ?? { logId: NIL_ID, next: 0, lastId: null };
}

function pageStatement(tx: TenantTransaction, { after, types, limit }: EventQuery): Statement {
  const values = [tx.tenantId, after ?? -1, limit];
  return types && types.length > 0
    ? { text: SOME_TYPES, values: [...values, types], planEachTime: true }
    : { text: ALL_TYPES, values };
}
