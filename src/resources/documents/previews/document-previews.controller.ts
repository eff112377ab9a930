import { Get, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentCaller } from '../../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../../platform/http/endpoint/endpoint.js';
import { PathId } from '../../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../../platform/http/endpoint/tenant-controller.js';
import type { FilingRequest } from '../../../platform/http/pipeline/request-state.js';
import { Caller } from '../../../platform/tenancy/access/caller.js';
import { DocumentPreviewQuery } from './document-preview.dto.js';
import { DocumentPreviewsService } from './document-previews.service.js';

/** In seconds. Once an hour, the audit log records that a caller reads a document. */
const MAX_AGE = 3600;

@TenantController('documents/:documentId/preview', 'Documents')
export class DocumentPreviewsController {
  constructor(private readonly previews: DocumentPreviewsService) {}

  @Get()
  @Endpoint({
    operation: 'GetDocumentPreview',
    summary: 'Get a picture of a page of the content of a document',
    description:
      'For PDFs, images and the pages of TIFFs, and for Office files if the service has a converter. At most four times as high as wide; the rest of a higher page is cut off. Transparent parts are white. The audit log records pictures with legible text like a download: all but those 200 pixels wide, and these if the page is narrower than 181 mm or an image.',
    permission: 'documents.read',
    problems: [503],
    codes: [
      'document.without-content',
      'document.without-preview',
      'document.preview-not-installed',
      'document.without-page',
      'document.processing',
    ],
    produces: 'image/webp',
    entityTag: true,
    price: 0.25,
  })
  async get(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') id: string,
    @Query() query: DocumentPreviewQuery,
    @Req() request: FilingRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    const picture = await this.previews.get(caller, id, query, request);
    // A link ends earlier, and with the right of the user who made it.
    if (query.version !== undefined && !request.state.linkedUser) {
      response.setHeader('Cache-Control', `private, max-age=${MAX_AGE}, immutable`);
      // Another user of the same browser can lack the right.
      response.vary('Authorization');
    }
    return picture;
  }
}
