import { Body, Delete, Get, Post, Put } from '@nestjs/common';
import { CurrentUpload } from '../../platform/http/body/current-upload.js';
import type { UploadedContent } from '../../platform/http/body/multipart-upload.js';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { DocumentResponse, UploadedDocumentResponse, documentEntityTag } from './document-response.dto.js';
import { DocumentStatesService } from './document-states.service.js';
import { CreateDocumentBody, UpdateDocumentBody } from './documents.dto.js';
import { DocumentsService } from './documents.service.js';
import { VALUES_TABLE } from './values/value-formats.js';

@TenantController('documents', 'Documents')
export class DocumentsController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly states: DocumentStatesService,
  ) {}

  @Post()
  @Endpoint({
    operation: 'CreateDocument',
    summary: 'Create a document, with content or without',
    description: `One without content is \`Active\` at once. With content it is \`Processing\` until a worker has looked into it: then \`content\` tells what it is by its bytes, its text is found, and it is \`Active\`, also where it could not be read, which its uploader is notified of (\`DocumentProcessingFailed\`).\n\nThe members of \`fields\` are the keys of the fields of the document type; null is no value. The type of a field says how its values are sent:\n\n${VALUES_TABLE}`,
    permission: 'documents.create',
    orGrant: { level: 'Write', on: 'any' },
    success: 201,
    problems: [400, 403, 409],
    codes: ['file.closed'],
    body: CreateDocumentBody,
    bodyLimit: 'large',
    upload: true,
    returns: UploadedDocumentResponse,
    tagged: documentEntityTag,
    idempotent: true,
    addition: true,
  })
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateDocumentBody,
    @CurrentUpload() upload: UploadedContent | null,
  ) {
    return this.documents.create(caller, body, upload);
  }

  @Get(':documentId')
  @Endpoint({
    operation: 'GetDocument',
    summary: 'Read a document',
    permission: 'documents.read',
    success: 200,
    problems: [403, 404],
    returns: DocumentResponse,
    tagged: true,
    addition: true,
  })
  get(@CurrentCaller() caller: Caller, @PathId('documentId') id: string) {
    return this.documents.get(caller, id);
  }

  @Put(':documentId')
  @Endpoint({
    operation: 'UpdateDocument',
    summary: 'Change title, type and values of a document',
    description:
      'A member that is absent from the body keeps what the document has. `documentTypeId: null` takes the type away. `fields`, when given, replaces all values; null or an empty object clears them. A change of the type without `fields` keeps the values, and is refused (400) if one of them does not fit the new type. A null or empty `title` is refused (400). An update that changes nothing is not recorded.',
    permission: 'documents.update',
    orGrant: { level: 'Write', on: 'document' },
    success: 200,
    problems: [400, 403, 404, 409],
    codes: ['document.deleted', 'document.archived', 'file.closed'],
    body: UpdateDocumentBody,
    bodyLimit: 'large',
    returns: DocumentResponse,
    tagged: true,
    addition: true,
  })
  update(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') id: string,
    @Body() body: UpdateDocumentBody,
  ) {
    return this.documents.update(caller, id, body);
  }

  @Delete(':documentId')
  @Endpoint({
    operation: 'DeleteDocument',
    summary: 'Put a document into the bin',
    permission: 'documents.delete',
    success: 204,
    problems: [403, 404, 409],
    codes: ['document.deleted', 'document.processing', 'file.closed'],
    tagged: true,
    addition: true,
  })
  delete(@CurrentCaller() caller: Caller, @PathId('documentId') id: string) {
    return this.states.delete(caller, id);
  }

  @Post(':documentId/restore')
  @Endpoint({
    operation: 'RestoreDocument',
    summary: 'Take a document out of the bin',
    permission: 'documents.restore',
    success: 200,
    problems: [403, 404, 409],
    codes: ['document.not-deleted'],
    returns: DocumentResponse,
    tagged: true,
    addition: true,
  })
  restore(@CurrentCaller() caller: Caller, @PathId('documentId') id: string) {
    return this.states.restore(caller, id);
  }

  @Post(':documentId/archive')
  @Endpoint({
    operation: 'ArchiveDocument',
    summary: 'Archive a document',
    permission: 'documents.archive',
    success: 200,
    problems: [403, 404, 409],
    codes: ['document.deleted', 'document.processing', 'document.archived', 'file.closed'],
    returns: DocumentResponse,
    tagged: true,
    addition: true,
  })
  archive(@CurrentCaller() caller: Caller, @PathId('documentId') id: string) {
    return this.states.archive(caller, id);
  }

  @Post(':documentId/unarchive')
  @Endpoint({
    operation: 'UnarchiveDocument',
    summary: 'Make an archived document active again',
    permission: 'documents.archive',
    success: 200,
    problems: [403, 404, 409],
    codes: ['document.deleted', 'document.not-archived', 'file.closed'],
    returns: DocumentResponse,
    tagged: true,
    addition: true,
  })
  unarchive(@CurrentCaller() caller: Caller, @PathId('documentId') id: string) {
    return this.states.unarchive(caller, id);
  }
}
