import { Body, Delete, Get, Put, Query } from '@nestjs/common';
import { CurrentCaller } from '../../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../../platform/http/endpoint/page-of.js';
import { PathId } from '../../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../../platform/tenancy/access/caller.js';
import { DocumentResponse } from '../document-response.dto.js';
import {
  ChangeConfidentialityBody,
  ListConfidentialDocumentsQuery,
  ListConfidentialUsersQuery,
  ConfidentialUserResponse,
  ConfidentialDocumentResponse,
} from './confidential-access.dto.js';
import { ConfidentialAccessService } from './confidential-access.service.js';

@TenantController('', 'Confidentiality')
export class ConfidentialAccessController {
  constructor(private readonly access: ConfidentialAccessService) {}

  @Get('confidential-documents')
  @Endpoint({
    operation: 'ListConfidentialDocuments',
    summary: 'List the confidential documents, newest first, without what they are about',
    description:
      'For keeping their lists; whoever is not on the list of a document learns nothing more of it. Those in the bin are left out.',
    permission: 'documents.confidential.manage',
    success: 200,
    problems: [400, 403],
    returns: pageOf(ConfidentialDocumentResponse),
    addition: true,
  })
  listDocuments(@CurrentCaller() caller: Caller, @Query() query: ListConfidentialDocumentsQuery) {
    return this.access.listDocuments(caller, query);
  }

  @Put('documents/:documentId/confidentiality')
  @Endpoint({
    operation: 'ChangeConfidentiality',
    summary: 'Make a document confidential, or no longer so',
    description:
      'Its list begins with the creator of the document (with the caller, if the creator is no member any more) and ends with its confidentiality. Whoever is not on the list gets 404 for a document that is confidential.',
    permission: 'documents.confidential.manage',
    orCreatorWith: 'documents.update',
    success: 200,
    problems: [400, 403, 404, 409],
    codes: ['document.deleted'],
    body: ChangeConfidentialityBody,
    returns: DocumentResponse,
    tagged: true,
    addition: true,
  })
  change(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') documentId: string,
    @Body() body: ChangeConfidentialityBody,
  ) {
    return this.access.change(caller, documentId, body);
  }

  @Get('documents/:documentId/confidential-access')
  @Endpoint({
    operation: 'ListConfidentialUsers',
    summary: 'List the users who may see a confidential document, last added first',
    description: 'Empty for a document that is not confidential.',
    permission: 'documents.confidential.manage',
    orListedWith: 'documents.read',
    success: 200,
    problems: [400, 403, 404],
    returns: pageOf(ConfidentialUserResponse),
    addition: true,
  })
  listUsers(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') documentId: string,
    @Query() query: ListConfidentialUsersQuery,
  ) {
    return this.access.listUsers(caller, documentId, query);
  }

  @Put('documents/:documentId/confidential-access/:userId')
  @Endpoint({
    operation: 'AddConfidentialUser',
    summary: 'Put a member on the list of those who may see a confidential document',
    description:
      'Changes nothing for a user who is already on it. A user on the list who has `documents.read` sees the document, also without a visible file.',
    permission: 'documents.confidential.manage',
    orListedWith: 'documents.update',
    success: 204,
    problems: [403, 404, 409],
    codes: ['document.deleted', 'document.not-confidential'],
  })
  add(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') documentId: string,
    @PathId('userId') userId: string,
  ) {
    return this.access.add(caller, documentId, userId);
  }

  @Delete('documents/:documentId/confidential-access/:userId')
  @Endpoint({
    operation: 'RemoveConfidentialUser',
    summary: 'Take a user off the list of those who may see a confidential document',
    permission: 'documents.confidential.manage',
    success: 204,
    problems: [403, 404, 409],
    codes: ['document.deleted', 'confidentiality.last-user'],
    addition: true,
  })
  remove(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') documentId: string,
    @PathId('userId') userId: string,
  ) {
    return this.access.remove(caller, documentId, userId);
  }
}
