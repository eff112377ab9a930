import { Body, Delete, Get, Post, Put } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { CreateSavedViewBody, SavedViewResponse, UpdateSavedViewBody } from './saved-views.dto.js';
import { SavedViewsService } from './saved-views.service.js';

@TenantController('saved-views', 'Saved views')
export class SavedViewsController {
  constructor(private readonly views: SavedViewsService) {}

  @Get()
  @Endpoint({
    operation: 'ListSavedViews',
    summary: 'List the caller’s saved views, sorted by name',
    permission: 'member',
    returns: [SavedViewResponse],
    specified: true,
  })
  list(@CurrentCaller() caller: Caller) {
    return this.views.list(caller);
  }

  @Post()
  @Endpoint({
    operation: 'CreateSavedView',
    summary: 'Save a document filter under a name',
    permission: 'savedViews.manage',
    success: 201,
    codes: ['saved-view.name-taken', 'saved-view.too-many', 'saved-view.too-large'],
    bodyLimit: 'large',
    returns: SavedViewResponse,
    entityTag: true,
    idempotent: true,
    specified: true,
  })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateSavedViewBody) {
    return this.views.create(caller, body);
  }

  @Get(':savedViewId')
  @Endpoint({
    operation: 'GetSavedView',
    summary: 'Get one of the caller’s saved views',
    permission: 'member',
    returns: SavedViewResponse,
    entityTag: true,
  })
  get(@CurrentCaller() caller: Caller, @PathId('savedViewId') id: string) {
    return this.views.get(caller, id);
  }

  @Put(':savedViewId')
  @Endpoint({
    operation: 'UpdateSavedView',
    summary: 'Rename a saved view or change its filter',
    description:
      'Parts that the stored filter already has are accepted, even if the objects they refer to were deleted or are no longer visible to the caller.',
    permission: 'savedViews.manage',
    codes: ['saved-view.name-taken', 'saved-view.too-large'],
    bodyLimit: 'large',
    returns: SavedViewResponse,
    entityTag: true,
    specified: true,
  })
  update(
    @CurrentCaller() caller: Caller,
    @PathId('savedViewId') id: string,
    @Body() body: UpdateSavedViewBody,
  ) {
    return this.views.update(caller, id, body);
  }

  @Delete(':savedViewId')
  @Endpoint({
    operation: 'DeleteSavedView',
    summary: 'Delete one of the caller’s saved views',
    permission: 'savedViews.manage',
    entityTag: true,
  })
  delete(@CurrentCaller() caller: Caller, @PathId('savedViewId') id: string) {
    return this.views.delete(caller, id);
  }
}
