import { Get, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentCaller } from '../../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../../platform/http/endpoint/endpoint.js';
import { PathId } from '../../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../../platform/tenancy/access/caller.js';
import { DocumentPreviewQuery } from './document-preview.dto.js';
import { DocumentPreviewsService } from './document-previews.service.js';

@TenantController('documents/:documentId/preview', 'Documents')
export class DocumentPreviewsController {
  constructor(private readonly previews: DocumentPreviewsService) {}

  @Get()
  @Endpoint({
    operation: 'GetDocumentPreview',
    summary: 'Get a picture of a page of the content of a document',
    description:
      'For PDFs, images and the pages of TIFFs, and for Office files if the service has a converter. At most four times as high as wide; the rest of a higher page is cut off. Transparent parts are white. The audit log records widths above 400 like a download.',
    permission: 'documents.read',
    success: 200,
    problems: [400, 403, 404, 409, 503],
    codes: [
      'document.without-content',
      'document.without-preview',
      'document.without-page',
      'document.processing',
    ],
    produces: 'image/webp',
    tagged: true,
    addition: true,
  })
  get(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') id: string,
    @Query() query: DocumentPreviewQuery,
    @Req() request: Request,
  ) {
    return this.previews.get(caller, id, query, request);
  }
}
