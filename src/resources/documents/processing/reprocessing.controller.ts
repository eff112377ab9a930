import { Post } from '@nestjs/common';
import { CurrentCaller } from '../../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../../platform/http/endpoint/endpoint.js';
import { PathId } from '../../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../../platform/tenancy/access/caller.js';
import { DocumentResponse } from '../document-response.dto.js';
import { ReprocessingService } from './reprocessing.service.js';

@TenantController('documents/:documentId/reprocess', 'Documents')
export class ReprocessingController {
  constructor(private readonly reprocessing: ReprocessingService) {}

  @Post()
  @Endpoint({
    operation: 'ReprocessDocument',
    summary: 'Read the text of the content of a document again',
    description:
      'For a content that came in before the service could read its format, or before it recognised characters. `content.text` is `Pending` until a worker has read it; searches find the former text meanwhile. Status and `updatedAt` do not change, so this is allowed for archived documents and in closed files. Nobody is notified of a failure: see `content.failure`.',
    permission: 'documents.update',
    orGrant: { level: 'Write', on: 'document' },
    codes: ['document.without-content', 'document.deleted', 'document.processing'],
    returns: DocumentResponse,
    entityTag: true,
  })
  reprocess(@CurrentCaller() caller: Caller, @PathId('documentId') id: string) {
    return this.reprocessing.reprocess(caller, id);
  }
}
