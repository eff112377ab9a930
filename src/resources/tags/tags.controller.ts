import { Body, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../platform/http/endpoint/page-of.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { CreateTagBody, RenameTagBody, TagResponse } from './tags.dto.js';
import { TagsService } from './tags.service.js';

@TenantController('tags', 'Tags')
export class TagsController {
  constructor(private readonly tags: TagsService) {}

  @Get()
  @Endpoint({
    operation: 'ListTags',
    summary: 'List tags, sorted by name',
    permission: 'tags.read',
    returns: pageOf(TagResponse),
  })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.tags.list(caller, query);
  }

  @Post()
  @Endpoint({
    operation: 'CreateTag',
    summary: 'Create a tag',
    permission: 'tags.manage',
    success: 201,
    codes: ['tag.name-taken'],
    returns: TagResponse,
    entityTag: true,
    idempotent: true,
    specified: true,
  })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateTagBody) {
    return this.tags.create(caller, body);
  }

  @Get(':tagId')
  @Endpoint({
    operation: 'GetTag',
    summary: 'Get a tag',
    permission: 'tags.read',
    returns: TagResponse,
    entityTag: true,
  })
  get(@CurrentCaller() caller: Caller, @PathId('tagId') id: string) {
    return this.tags.get(caller, id);
  }

  @Put(':tagId')
  @Endpoint({
    operation: 'RenameTag',
    summary: 'Rename a tag',
    permission: 'tags.manage',
    codes: ['tag.name-taken'],
    returns: TagResponse,
    entityTag: true,
  })
  rename(@CurrentCaller() caller: Caller, @PathId('tagId') id: string, @Body() body: RenameTagBody) {
    return this.tags.rename(caller, id, body);
  }

  @Delete(':tagId')
  @Endpoint({
    operation: 'DeleteTag',
    summary: 'Delete a tag',
    description: 'Removes the tag from all documents, including those in closed files and in the bin.',
    permission: 'tags.manage',
    entityTag: true,
  })
  delete(@CurrentCaller() caller: Caller, @PathId('tagId') id: string) {
    return this.tags.delete(caller, id);
  }
}
