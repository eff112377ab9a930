import { Body, Post } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { CreateNumberedFileBody, FileResponse } from './files.dto.js';
import { FilesService } from './files.service.js';

@TenantController('file-types/:fileTypeId/files', 'Files')
export class NumberedFilesController {
  constructor(private readonly files: FilesService) {}

  @Post()
  @Endpoint({
    operation: 'CreateNumberedFile',
    summary: 'Create a file with the next number of its type',
    description:
      'Numbers have no gaps, and none is given twice, not even that of a deleted file. Numbers in use are skipped.',
    permission: 'files.create',
    success: 201,
    createdIn: 'files',
    codes: ['numbering.none', 'numbering.exhausted'],
    returns: FileResponse,
    entityTag: true,
    idempotent: true,
  })
  create(
    @CurrentCaller() caller: Caller,
    @PathId('fileTypeId') fileTypeId: string,
    @Body() body: CreateNumberedFileBody,
  ) {
    return this.files.createNumbered(caller, fileTypeId, body);
  }
}
