import { Get, Query } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../platform/http/endpoint/page-of.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { ListAuditEntriesQuery, AuditEntryResponse } from './audit-log.dto.js';
import { AuditLogReader } from './audit-log.reader.js';

@TenantController('audit-log', 'Audit log')
export class AuditLogController {
  constructor(private readonly auditLog: AuditLogReader) {}

  @Get()
  @Endpoint({
    operation: 'ListAuditEntries',
    summary: 'List audit entries, newest first',
    permission: 'auditLog.read',
    returns: pageOf(AuditEntryResponse),
    specified: true,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListAuditEntriesQuery) {
    return this.auditLog.list(caller, query);
  }
}
