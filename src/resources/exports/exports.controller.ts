import { Body, Delete, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../platform/http/endpoint/page-of.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { CreateExportBody, ExportResponse } from './exports.dto.js';
import { ExportsService } from './exports.service.js';

@TenantController('exports', 'Exports')
export class ExportsController {
  constructor(private readonly exports: ExportsService) {}

  @Get()
  @Endpoint({
    operation: 'ListExports',
    summary: 'List your exports, newest first',
    description: 'Exports without a package are listed for 30 days.',
    permission: 'member',
    returns: pageOf(ExportResponse),
  })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.exports.list(caller, query);
  }

  @Post()
  @Endpoint({
    operation: 'CreateExport',
    summary: 'Export files and documents as a package',
    description:
      'The package is packed after the response; a notification says when it is ready. It is a ZIP with all versions of the contents, the data as JSON, checksums (BagIt) and a page that lists everything. It has what you can see when it is packed, without the bin, and audit entries only with `auditLog.read`. Only you can see it.',
    permission: 'exports.create',
    success: 202,
    codes: ['export.too-large', 'export.too-many'],
    returns: ExportResponse,
    entityTag: true,
    idempotent: true,
  })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateExportBody) {
    return this.exports.create(caller, body);
  }

  @Get(':exportId')
  @Endpoint({
    operation: 'GetExport',
    summary: 'Get an export of yours',
    permission: 'member',
    returns: ExportResponse,
    entityTag: true,
  })
  get(@CurrentCaller() caller: Caller, @PathId('exportId') id: string) {
    return this.exports.get(caller, id);
  }

  @Delete(':exportId')
  @Endpoint({
    operation: 'DeleteExport',
    summary: 'Delete an export of yours and its package',
    description: 'Packing ends, if it is in progress.',
    permission: 'member',
    entityTag: true,
  })
  delete(@CurrentCaller() caller: Caller, @PathId('exportId') id: string) {
    return this.exports.delete(caller, id);
  }

  @Get(':exportId/content')
  @Endpoint({
    operation: 'GetExportContent',
    summary: 'Download the package of an export, or a range of it',
    description: 'Each request first checks that you still see everything in the package.',
    permission: 'member',
    codes: ['export.not-ready', 'export.outdated'],
    streams: true,
  })
  content(
    @CurrentCaller() caller: Caller,
    @PathId('exportId') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    return this.exports.send(caller, id, request, response);
  }
}
