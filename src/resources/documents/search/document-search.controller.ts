import { Body, Get, Post, Query } from '@nestjs/common';
import { CurrentCaller } from '../../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../../platform/http/endpoint/page-of.js';
import { TenantController } from '../../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../../platform/tenancy/access/caller.js';
import { CONDITIONS_TABLE } from '../../document-filters/document-filters.reader.js';
import { ListDocumentsQuery, SearchDocumentsBody, FoundDocumentResponse } from './document-search.dto.js';
import { DocumentSearchService } from './document-search.service.js';

@TenantController('documents', 'Documents')
export class DocumentSearchController {
  constructor(private readonly searches: DocumentSearchService) {}

  @Get()
  @Endpoint({
    operation: 'ListDocuments',
    summary: 'List documents, newest first or in another order',
    permission: 'documents.read',
    returns: pageOf(FoundDocumentResponse, 'DocumentPage'),
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListDocumentsQuery) {
    return this.searches.list(caller, query);
  }

  @Post('search')
  @Endpoint({
    operation: 'SearchDocuments',
    summary: 'Search documents by a filter with conditions on fields',
    description: `Documents must meet all conditions. Without \`documentTypeId\`, a condition applies to the fields with its key in all document types, if the type of the field supports its operator and value.\n\n${CONDITIONS_TABLE}\n\nFor IsEmpty and IsNotEmpty, \`value\` must be null or absent.`,
    permission: 'documents.read',
    bodyLimit: 'large',
    readOnly: true,
    returns: pageOf(FoundDocumentResponse, 'DocumentPage'),
  })
  search(@CurrentCaller() caller: Caller, @Body() body: SearchDocumentsBody) {
    return this.searches.search(caller, body);
  }
}
