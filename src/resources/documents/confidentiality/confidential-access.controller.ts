import { Body, Delete, Get, Put, Query } from '@nestjs/common';
import { CurrentCaller } from '../../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../../platform/http/endpoint/page-of.js';
import { PathId } from '../../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../../platform/http/endpoint/tenant-controller.js';
import { PageQuery } from '../../../platform/http/input/page-query.js';
import { Caller } from '../../../platform/tenancy/access/caller.js';
import { DocumentResponse } from '../document-response.dto.js';
import {
  ChangeConfidentialityBody,
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
    summary: 'List confidential documents, newest first, without title or content',
    description:
      'For managing access lists. Only users on the access list of a document can see more of it. Documents in the bin are left out.',
    permission: 'documents.confidential.manage',
    returns: pageOf(ConfidentialDocumentResponse),
  })
  listDocuments(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.access.listDocuments(caller, query);
  }

  @Put('documents/:documentId/confidentiality')
  @Endpoint({
    operation: 'ChangeConfidentiality',
    summary: 'Make a document confidential or not confidential',
    description:
      'The access list starts with the creator of the document, or with the caller if the creator is no longer a member. It is deleted when the document stops being confidential. Users who are not on the access list get 404 for a confidential document.',
    permission: 'documents.confidential.manage',
    orCreatorWith: 'documents.update',
    codes: ['document.deleted'],
    returns: DocumentResponse,
    entityTag: true,
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
    summary: 'List the users on the access list of a confidential document, last added first',
    description: 'Empty for a document that is not confidential.',
    permission: 'documents.confidential.manage',
    orListedWith: 'documents.read',
    returns: pageOf(ConfidentialUserResponse),
  })
  listUsers(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') documentId: string,
    @Query() query: PageQuery,
  ) {
    return this.access.listUsers(caller, documentId, query);
  }

  @Put('documents/:documentId/confidential-access/:userId')
  @Endpoint({
    operation: 'AddConfidentialUser',
    summary: 'Add a member to the access list of a confidential document',
    description:
      'Changes nothing if the user is already on the list. A user on the list with `documents.read` can see the document, even if none of its files is visible to them.',
    permission: 'documents.confidential.manage',
    orListedWith: 'documents.update',
    codes: ['document.deleted', 'document.not-confidential'],
    specified: true,
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
    summary: 'Remove a user from the access list of a confidential document',
    permission: 'documents.confidential.manage',
    codes: ['document.deleted', 'confidentiality.last-user'],
  })
  remove(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') documentId: string,
    @PathId('userId') userId: string,
  ) {
    return this.access.remove(caller, documentId, userId);
  }
}
