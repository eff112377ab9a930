import { Body, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentCaller } from '../../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../../platform/http/endpoint/endpoint.js';
import { TenantController } from '../../../platform/http/endpoint/tenant-controller.js';
import { languageOf } from '../../../platform/http/pipeline/language.js';
import { Caller } from '../../../platform/tenancy/access/caller.js';
import { BulkChangeBody, BulkChangeResponse, bulkCost } from './bulk-change.dto.js';
import { BulkChangeService } from './bulk-change.service.js';

@TenantController('documents', 'Documents')
export class BulkChangeController {
  constructor(private readonly bulk: BulkChangeService) {}

  @Post('bulk')
  @Endpoint({
    operation: 'BulkChangeDocuments',
    summary: 'Tag, file, archive or delete many documents at once, or undo this',
    description:
      'All changes are made in one transaction. The response has a result for each document: a change that is not ' +
      'possible is refused with the reason, the others are made. Each document gets all tags or files, or none. ' +
      'Removing a tag or file that a document does not have changes nothing.',
    permission: [
      'documents.update',
      'documents.file',
      'documents.archive',
      'documents.delete',
      'documents.restore',
    ],
    orGrant: { level: 'Write', on: 'any' },
    cost: bulkCost,
    returns: BulkChangeResponse,
    idempotent: true,
  })
  change(@CurrentCaller() caller: Caller, @Body() body: BulkChangeBody, @Req() request: Request) {
    return this.bulk.change(caller, body, languageOf(request));
  }
}
