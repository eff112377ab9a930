import { Body, Get, Post, Put, Query } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../platform/http/endpoint/page-of.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { CreateFileTypeBody, FileTypeResponse, UpdateFileTypeBody } from './file-types.dto.js';
import { FileTypesService } from './file-types.service.js';

@TenantController('file-types', 'File types')
export class FileTypesController {
  constructor(private readonly fileTypes: FileTypesService) {}

  @Get()
  @Endpoint({
    operation: 'ListFileTypes',
    summary: 'List file types, sorted by German name',
    permission: 'fileTypes.read',
    returns: pageOf(FileTypeResponse),
  })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.fileTypes.list(caller, query);
  }

  @Post()
  @Endpoint({
    operation: 'CreateFileType',
    summary: 'Create a file type',
    permission: 'fileTypes.manage',
    success: 201,
    codes: ['file-type.key-taken'],
    returns: FileTypeResponse,
    entityTag: true,
    idempotent: true,
  })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateFileTypeBody) {
    return this.fileTypes.create(caller, body);
  }

  @Get(':fileTypeId')
  @Endpoint({
    operation: 'GetFileType',
    summary: 'Get a file type',
    permission: 'fileTypes.read',
    returns: FileTypeResponse,
    entityTag: true,
  })
  get(@CurrentCaller() caller: Caller, @PathId('fileTypeId') id: string) {
    return this.fileTypes.get(caller, id);
  }

  @Put(':fileTypeId')
  @Endpoint({
    operation: 'UpdateFileType',
    summary: 'Rename a file type',
    description: 'The key cannot be changed. Names need not be unique.',
    permission: 'fileTypes.manage',
    returns: FileTypeResponse,
    entityTag: true,
    specified: true,
  })
  update(
    @CurrentCaller() caller: Caller,
    @PathId('fileTypeId') id: string,
    @Body() body: UpdateFileTypeBody,
  ) {
    return this.fileTypes.update(caller, id, body);
  }
}
