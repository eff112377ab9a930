import { Body, Post } from '@nestjs/common';
import { CurrentCaller } from '../../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../../platform/http/endpoint/endpoint.js';
import { PathId } from '../../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../../platform/tenancy/access/caller.js';
import { ContentLinkResponse, CreateContentLinkBody } from './content-link.dto.js';
import { ContentLinksService } from './content-links.service.js';

@TenantController('documents/:documentId/content-links', 'Documents')
export class ContentLinksController {
  constructor(private readonly links: ContentLinksService) {}

  @Post()
  @Endpoint({
    operation: 'CreateContentLink',
    summary: 'Create an address for the content of a document that needs no token',
    description:
      'For images in pages, new tabs and download managers, which cannot send a token. Whoever has the address reads the content as the caller, for up to 15 minutes: GET and HEAD answer as GetDocumentContent, GetDocumentVersionContent or GetDocumentPreview do for the caller at that time, with the same rights, audit entries, rate limit and header fields. An address that has expired or was changed is 403 `content-link.invalid`. Nothing is stored for it.',
    permission: 'documents.read',
    codes: ['document.without-content'],
    returns: ContentLinkResponse,
    readOnly: true,
    price: 0.25,
  })
  create(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') id: string,
    @Body() body: CreateContentLinkBody,
  ) {
    return this.links.create(caller, id, body);
  }
}
