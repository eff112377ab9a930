import { Injectable } from '@nestjs/common';
import { type Page } from '../../common/page.js';
import { PagedReads } from '../../platform/database/paging/paged-reads.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { type AuditEntryResponse, type ListAuditEntriesQuery } from './audit-log.dto.js';
import { AuditLogRepository } from './audit-log.repository.js';

@Injectable()
export class AuditLogReader {
  constructor(
    private readonly entries: AuditLogRepository,
    private readonly pages: PagedReads,
  ) {}

  list(caller: Caller, query: ListAuditEntriesQuery): Promise<Page<AuditEntryResponse>> {
    const { action, actorId, subjectId, from, to } = query;
    const filter = { action, actorId, subjectId, from, to };
    return this.pages.page(caller, { operation: 'ListAuditEntries', filters: filter }, query, {
      rows: (tx, after, limit) => this.entries.list(tx, caller, filter, after, limit),
      position: (row) => [row.occurredAt, row.id],
      fromReplica: true,
    });
  }
}
