import { Injectable } from '@nestjs/common';
import { type Page, limitOf } from '../../common/page.js';
import { parseDateTime } from '../../common/timestamps.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { CursorCodec } from '../../platform/database/paging/cursor-codec.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { type AuditEntryResponse, type ListAuditEntriesQuery, presentAuditEntry } from './audit-log.dto.js';
import { AuditLogRepository } from './audit-log.repository.js';

@Injectable()
export class AuditLogService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly entries: AuditLogRepository,
    private readonly cursors: CursorCodec,
  ) {}

  list(caller: Caller, query: ListAuditEntriesQuery): Promise<Page<AuditEntryResponse>> {
    const { action, actorId, subjectId } = query;
    // In canonical form, so that a moment may be written differently from page to page.
    const filter = { action, actorId, subjectId, from: instant(query.from), to: instant(query.to) };
    const list = { operation: 'ListAuditEntries', filters: filter };
    const limit = limitOf(query);
    const after = this.cursors.read(caller, list, query.cursor);
    return this.uow.read(caller, async (tx) => {
      const rows = await this.entries.list(tx, caller, filter, after, limit);
      return this.cursors.page(
        caller,
        list,
        rows,
        limit,
        (row) => [row.occurredAt, row.id],
        presentAuditEntry,
      );
    });
  }
}

function instant(text: string | undefined): string | undefined {
  return text === undefined ? undefined : parseDateTime(text)?.toISOString();
}
