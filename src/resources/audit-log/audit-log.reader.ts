import { Injectable } from '@nestjs/common';
import { type Page } from '../../common/page.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { type AuditEntryResponse, type ListAuditEntriesQuery } from './audit-log.dto.js';
import { AuditLogService } from './audit-log.service.js';

@Injectable()
export class AuditLogReader {
  constructor(private readonly service: AuditLogService) {}

  list(caller: Caller, query: ListAuditEntriesQuery): Promise<Page<AuditEntryResponse>> {
    return this.service.list(caller, query);
  }
}
