import { Body, Get, Post, Put, Query } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../platform/http/endpoint/page-of.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import {
  CreateDocumentTypeBody,
  DocumentTypeResponse,
  UpdateDocumentTypeBody,
} from './document-types.dto.js';
import { DocumentTypesService } from './document-types.service.js';

@TenantController('document-types', 'Document types')
export class DocumentTypesController {
  constructor(private readonly documentTypes: DocumentTypesService) {}

  @Get()
  @Endpoint({
    operation: 'ListDocumentTypes',
    summary: 'List document types, sorted by German name',
    permission: 'documentTypes.read',
    returns: pageOf(DocumentTypeResponse),
  })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.documentTypes.list(caller, query);
  }

  @Post()
  @Endpoint({
    operation: 'CreateDocumentType',
    summary: 'Create a document type',
    permission: 'documentTypes.manage',
    success: 201,
    codes: ['document-type.key-taken'],
    bodyLimit: 'definition',
    returns: DocumentTypeResponse,
    entityTag: true,
    idempotent: true,
  })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateDocumentTypeBody) {
    return this.documentTypes.create(caller, body);
  }

  @Get(':documentTypeId')
  @Endpoint({
    operation: 'GetDocumentType',
    summary: 'Get a document type',
    permission: 'documentTypes.read',
    returns: DocumentTypeResponse,
    entityTag: true,
  })
  get(@CurrentCaller() caller: Caller, @PathId('documentTypeId') id: string) {
    return this.documentTypes.get(caller, id);
  }

  @Put(':documentTypeId')
  @Endpoint({
    operation: 'UpdateDocumentType',
    summary: 'Rename a document type or change its fields',
    description:
      'A field that is missing from `fields` is removed. Responses list it with `isRemoved: true` after the live fields; ' +
      'documents keep its values but do not show them. A removed field stays removed if it is sent with ' +
      '`isRemoved: true`; sent without it, with the same key and type, it is restored. The key and type of a field ' +
      'cannot be changed. While a document has a value in a field, the option of that value cannot be removed, and the ' +
      'target of a Reference cannot be changed.',
    permission: 'documentTypes.manage',
    bodyLimit: 'definition',
    returns: DocumentTypeResponse,
    entityTag: true,
    specified: true,
  })
  update(
    @CurrentCaller() caller: Caller,
    @PathId('documentTypeId') id: string,
    @Body() body: UpdateDocumentTypeBody,
  ) {
    return this.documentTypes.update(caller, id, body);
  }

  @Post(':documentTypeId/deactivate')
  @Endpoint({
    operation: 'DeactivateDocumentType',
    summary: 'Deactivate a document type',
    description:
      'Documents can no longer get the type; documents that have it keep it. An inactive type is returned unchanged.',
    permission: 'documentTypes.manage',
    returns: DocumentTypeResponse,
    entityTag: true,
  })
  deactivate(@CurrentCaller() caller: Caller, @PathId('documentTypeId') id: string) {
    return this.documentTypes.setActive(caller, id, false);
  }

  @Post(':documentTypeId/reactivate')
  @Endpoint({
    operation: 'ReactivateDocumentType',
    summary: 'Reactivate a document type',
    description: 'Documents can get the type again. An active type is returned unchanged.',
    permission: 'documentTypes.manage',
    returns: DocumentTypeResponse,
    entityTag: true,
    specified: true,
  })
  reactivate(@CurrentCaller() caller: Caller, @PathId('documentTypeId') id: string) {
    return this.documentTypes.setActive(caller, id, true);
  }
}
