import { Body, Get, Put } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import {
  DocumentRetentionResponse,
  FileRetentionResponse,
  RetentionResponse,
  UpdateRetentionBody,
} from './retention.dto.js';
import { RetentionService } from './retention.service.js';

@TenantController('', 'Retention')
export class RetentionController {
  constructor(private readonly retention: RetentionService) {}

  @Get('file-types/:fileTypeId/retention')
  @Endpoint({
    operation: 'GetFileTypeRetention',
    summary: 'Get the retention rule of the files of a type',
    permission: 'fileTypes.read',
    returns: RetentionResponse,
    entityTag: true,
  })
  get(@CurrentCaller() caller: Caller, @PathId('fileTypeId') fileTypeId: string) {
    return this.retention.get(caller, fileTypeId);
  }

  @Put('file-types/:fileTypeId/retention')
  @Endpoint({
    operation: 'UpdateFileTypeRetention',
    summary: 'Set the retention rule of the files of a type',
    description: 'The rule holds at once for all files of the type, also for those that are closed.',
    permission: 'fileTypes.manage',
    returns: RetentionResponse,
    entityTag: true,
  })
  update(
    @CurrentCaller() caller: Caller,
    @PathId('fileTypeId') fileTypeId: string,
    @Body() body: UpdateRetentionBody,
  ) {
    return this.retention.update(caller, fileTypeId, body);
  }

  @Get('files/:fileId/retention')
  @Endpoint({
    operation: 'GetFileRetention',
    summary: 'Show until when a file must be kept',
    permission: 'files.read',
    orGrant: { level: 'Read', on: 'any' },
    returns: FileRetentionResponse,
  })
  ofFile(@CurrentCaller() caller: Caller, @PathId('fileId') id: string) {
    return this.retention.ofFile(caller, id);
  }

  @Get('documents/:documentId/retention')
  @Endpoint({
    operation: 'GetDocumentRetention',
    summary: 'Show whether a document is held',
    permission: 'documents.read',
    returns: DocumentRetentionResponse,
  })
  ofDocument(@CurrentCaller() caller: Caller, @PathId('documentId') id: string) {
    return this.retention.ofDocument(caller, id);
  }
}
