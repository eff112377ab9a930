import { Body, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../platform/http/endpoint/page-of.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { AddHoldItemsBody, HoldItemResponse, itemsCost } from './holds.dto.js';
import { HoldsService } from './holds.service.js';

const CHANGE = { permission: 'holds.manage', codes: ['hold.released'] } as const;
const ADD = { ...CHANGE, codes: ['hold.released', 'disposal.running'] } as const;

@TenantController('holds/:holdId', 'Holds')
export class HoldItemsController {
  constructor(private readonly holds: HoldsService) {}

  @Get('items')
  @Endpoint({
    operation: 'ListHoldItems',
    summary: 'List the files and documents of a hold that are visible to the caller, last added first',
    permission: 'holds.manage',
    returns: pageOf(HoldItemResponse),
  })
  list(@CurrentCaller() caller: Caller, @PathId('holdId') holdId: string, @Query() query: PageQuery) {
    return this.holds.listItems(caller, holdId, query);
  }

  @Post('items')
  @Endpoint({
    ...ADD,
    operation: 'AddHoldItems',
    summary: 'Add files and documents to a hold',
    description: 'Adds all of them or none. Those that the hold contains already stay.',
    cost: itemsCost,
  })
  add(@CurrentCaller() caller: Caller, @PathId('holdId') holdId: string, @Body() body: AddHoldItemsBody) {
    return this.holds.addItems(caller, holdId, body);
  }

  @Put('files/:fileId')
  @Endpoint({ ...ADD, operation: 'AddFileToHold', summary: 'Add a file to a hold' })
  addFile(
    @CurrentCaller() caller: Caller,
    @PathId('holdId') holdId: string,
    @PathId('fileId') fileId: string,
  ) {
    return this.holds.addItem(caller, holdId, 'File', fileId);
  }

  @Delete('files/:fileId')
  @Endpoint({ ...CHANGE, operation: 'RemoveFileFromHold', summary: 'Remove a file from a hold' })
  removeFile(
    @CurrentCaller() caller: Caller,
    @PathId('holdId') holdId: string,
    @PathId('fileId') fileId: string,
  ) {
    return this.holds.removeItem(caller, holdId, 'File', fileId);
  }

  @Put('documents/:documentId')
  @Endpoint({ ...ADD, operation: 'AddDocumentToHold', summary: 'Add a document to a hold' })
  addDocument(
    @CurrentCaller() caller: Caller,
    @PathId('holdId') holdId: string,
    @PathId('documentId') documentId: string,
  ) {
    return this.holds.addItem(caller, holdId, 'Document', documentId);
  }

  @Delete('documents/:documentId')
  @Endpoint({ ...CHANGE, operation: 'RemoveDocumentFromHold', summary: 'Remove a document from a hold' })
  removeDocument(
    @CurrentCaller() caller: Caller,
    @PathId('holdId') holdId: string,
    @PathId('documentId') documentId: string,
  ) {
    return this.holds.removeItem(caller, holdId, 'Document', documentId);
  }
}
