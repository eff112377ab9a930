import { Body, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../platform/http/endpoint/page-of.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import {
  CountedFileResponse,
  CreateFileBody,
  CreateNumberedFileBody,
  FileResponse,
  GetFileQuery,
  ListFilesQuery,
  RenameFileBody,
} from './files.dto.js';
import { FilesService } from './files.service.js';

@TenantController('', 'Files')
export class FilesController {
  constructor(private readonly files: FilesService) {}

  @Get('files')
  @Endpoint({
    operation: 'ListFiles',
    summary: 'List files, newest first',
    permission: 'files.read',
    orGrant: { level: 'Read', on: 'any' },
    returns: pageOf(CountedFileResponse, 'FilePage'),
    specified: true,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListFilesQuery) {
    return this.files.list(caller, query);
  }

  @Post('files')
  @Endpoint({
    operation: 'CreateFile',
    summary: 'Create a file',
    permission: 'files.create',
    success: 201,
    codes: ['file.number-taken'],
    returns: FileResponse,
    entityTag: true,
    idempotent: true,
    specified: true,
  })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateFileBody) {
    return this.files.create(caller, body);
  }

  @Get('files/:fileId')
  @Endpoint({
    operation: 'GetFile',
    summary: 'Get a file',
    permission: 'files.read',
    orGrant: { level: 'Read', on: 'any' },
    returns: CountedFileResponse,
    entityTag: true,
  })
  get(@CurrentCaller() caller: Caller, @PathId('fileId') id: string, @Query() query: GetFileQuery) {
    return this.files.get(caller, id, query);
  }

  @Put('files/:fileId')
  @Endpoint({
    operation: 'RenameFile',
    summary: 'Rename a file',
    permission: 'files.update',
    orGrant: { level: 'Write', on: 'file' },
    returns: FileResponse,
    entityTag: true,
    specified: true,
  })
  rename(@CurrentCaller() caller: Caller, @PathId('fileId') id: string, @Body() body: RenameFileBody) {
    return this.files.rename(caller, id, body);
  }

  @Post('files/:fileId/close')
  @Endpoint({
    operation: 'CloseFile',
    summary: 'Close a file',
    permission: 'files.close',
    codes: ['file.already-closed', 'file.documents-processing'],
    returns: FileResponse,
    entityTag: true,
  })
  close(@CurrentCaller() caller: Caller, @PathId('fileId') id: string) {
    return this.files.close(caller, id);
  }

  @Post('files/:fileId/reopen')
  @Endpoint({
    operation: 'ReopenFile',
    summary: 'Reopen a closed file',
    permission: 'files.reopen',
    codes: ['file.already-open', 'disposal.running'],
    returns: FileResponse,
    entityTag: true,
  })
  reopen(@CurrentCaller() caller: Caller, @PathId('fileId') id: string) {
    return this.files.reopen(caller, id);
  }

  @Delete('files/:fileId')
  @Endpoint({
    operation: 'DeleteFile',
    summary: 'Delete an open file that has no documents',
    permission: 'files.delete',
    codes: ['file.not-empty', 'hold.active'],
    entityTag: true,
  })
  delete(@CurrentCaller() caller: Caller, @PathId('fileId') id: string) {
    return this.files.delete(caller, id);
  }

  @Post('file-types/:fileTypeId/files')
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
  createNumbered(
    @CurrentCaller() caller: Caller,
    @PathId('fileTypeId') fileTypeId: string,
    @Body() body: CreateNumberedFileBody,
  ) {
    return this.files.createNumbered(caller, fileTypeId, body);
  }
}
