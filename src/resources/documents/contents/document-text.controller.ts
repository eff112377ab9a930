import { Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentCaller } from '../../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../../platform/http/endpoint/endpoint.js';
import { PathId } from '../../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../../platform/tenancy/access/caller.js';
import { DocumentTextQuery } from './document-text.dto.js';
import { DocumentTextService } from './document-text.service.js';

@TenantController('documents/:documentId/text', 'Documents')
export class DocumentTextController {
  constructor(private readonly texts: DocumentTextService) {}

  @Get()
  @Endpoint({
    operation: 'GetDocumentText',
    summary: 'Get the text of the content of a document, as searches find it',
    description:
      'UTF-8. A form feed (U+000C) separates pages and slides. The header `Recognised-Pages` names the pages whose text is from character recognition (OCR). The audit log records the access like a download.',
    permission: 'documents.read',
    codes: [
      'document.without-content',
      'document.without-text',
      'document.without-page',
      'document.processing',
    ],
    produces: 'text/plain',
    headers: ['Recognised-Pages'],
    entityTag: true,
  })
  async get(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') id: string,
    @Query() query: DocumentTextQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { text, recognisedPages } = await this.texts.get(caller, id, query, request);
    response.setHeader('Recognised-Pages', recognisedPages);
    return text;
  }
}
