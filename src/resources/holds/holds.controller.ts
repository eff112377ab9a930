import { Body, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../platform/http/endpoint/page-of.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { AddHoldItemsBody, HoldBody, HoldItemResponse, HoldResponse, itemsCost } from './holds.dto.js';
import { HoldsService } from './holds.service.js';

const CHANGE = { permission: 'holds.manage', codes: ['hold.released'] } as const;
const ADD = { ...CHANGE, codes: ['hold.released', 'disposal.running'] } as const;

@TenantController('holds', 'Holds')
export class HoldsController {
  constructor(private readonly holds: HoldsService) {}

  @Get()
  @Endpoint({
    operation: 'ListHolds',
    summary: 'List holds, newest first',
    permission: 'holds.manage',
    returns: pageOf(HoldResponse),
  })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.holds.list(caller, query);
  }

  @Post()
  @Endpoint({
    operation: 'CreateHold',
    summary: 'Create a hold',
    description: 'The hold is active, and contains nothing yet.',
    permission: 'holds.manage',
    success: 201,
    problems: [409],
    returns: HoldResponse,
    entityTag: true,
    idempotent: true,
  })
  create(@CurrentCaller() caller: Caller, @Body() body: HoldBody) {
    return this.holds.create(caller, body);
  }

  @Get(':holdId')
  @Endpoint({
    operation: 'GetHold',
    summary: 'Get a hold',
    permission: 'holds.manage',
    returns: HoldResponse,
    entityTag: true,
  })
  get(@CurrentCaller() caller: Caller, @PathId('holdId') id: string) {
    return this.holds.get(caller, id);
  }

  @Put(':holdId')
  @Endpoint({
    operation: 'UpdateHold',
    summary: 'Change name and reason of an active hold',
    permission: 'holds.manage',
    codes: ['hold.released'],
    returns: HoldResponse,
    entityTag: true,
  })
  update(@CurrentCaller() caller: Caller, @PathId('holdId') id: string, @Body() body: HoldBody) {
    return this.holds.update(caller, id, body);
  }

  @Post(':holdId/release')
  @Endpoint({
    operation: 'ReleaseHold',
    summary: 'Release a hold for ever',
    description: 'It keeps its items, as a record of what was held.',
    permission: 'holds.manage',
    codes: ['hold.released'],
    returns: HoldResponse,
    entityTag: true,
  })
  release(@CurrentCaller() caller: Caller, @PathId('holdId') id: string) {
    return this.holds.release(caller, id);
  }

  @Get(':holdId/items')
  @Endpoint({
    operation: 'ListHoldItems',
    summary: 'List the files and documents of a hold that are visible to the caller, last added first',
    permission: 'holds.manage',
    returns: pageOf(HoldItemResponse),
  })
  listItems(@CurrentCaller() caller: Caller, @PathId('holdId') holdId: string, @Query() query: PageQuery) {
    return this.holds.listItems(caller, holdId, query);
  }

  @Post(':holdId/items')
  @Endpoint({
    ...ADD,
    operation: 'AddHoldItems',
    summary: 'Add files and documents to a hold',
    description: 'Adds all of them or none. Those that the hold contains already stay.',
    cost: itemsCost,
  })
  addItems(
    @CurrentCaller() caller: Caller,
    @PathId('holdId') holdId: string,
    @Body() body: AddHoldItemsBody,
  ) {
    return this.holds.addItems(caller, holdId, body);
  }

  @Put(':holdId/files/:fileId')
  @Endpoint({ ...ADD, operation: 'AddFileToHold', summary: 'Add a file to a hold' })
  addFile(
    @CurrentCaller() caller: Caller,
    @PathId('holdId') holdId: string,
    @PathId('fileId') fileId: string,
  ) {
    return this.holds.addItem(caller, holdId, 'File', fileId);
  }

  @Delete(':holdId/files/:fileId')
  @Endpoint({ ...CHANGE, operation: 'RemoveFileFromHold', summary: 'Remove a file from a hold' })
  removeFile(
    @CurrentCaller() caller: Caller,
    @PathId('holdId') holdId: string,
    @PathId('fileId') fileId: string,
  ) {
    return this.holds.removeItem(caller, holdId, 'File', fileId);
  }

  @Put(':holdId/documents/:documentId')
  @Endpoint({ ...ADD, operation: 'AddDocumentToHold', summary: 'Add a document to a hold' })
  addDocument(
    @CurrentCaller() caller: Caller,
    @PathId('holdId') holdId: string,
    @PathId('documentId') documentId: string,
  ) {
    return this.holds.addItem(caller, holdId, 'Document', documentId);
  }

  @Delete(':holdId/documents/:documentId')
  @Endpoint({ ...CHANGE, operation: 'RemoveDocumentFromHold', summary: 'Remove a document from a hold' })
  removeDocument(
    @CurrentCaller() caller: Caller,
    @PathId('holdId') holdId: string,
    @PathId('documentId') documentId: string,
  ) {
    return this.holds.removeItem(caller, holdId, 'Document', documentId);
  }
}
