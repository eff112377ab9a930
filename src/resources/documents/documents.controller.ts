import { Body, Delete, Get, Post, Put } from '@nestjs/common';
import { CurrentUpload } from '../../platform/http/body/current-upload.js';
import type { UploadedContent } from '../../platform/http/body/multipart-upload.js';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { DocumentResponse, UploadedDocumentResponse, documentEntityTag } from './document-response.dto.js';
import { CreateDocumentBody, UpdateDocumentBody } from './documents.dto.js';
import { DocumentsService } from './documents.service.js';
import { VALUES_TABLE } from './values/value-formats.js';

@TenantController('documents', 'Documents')
export class DocumentsController {
  constructor(private readonly documents: DocumentsService) {}

  @Post()
  @Endpoint({
    operation: 'CreateDocument',
    summary: 'Create a document, with or without content',
    description: `A document without content is \`Active\` at once. A document with content is \`Processing\` until a worker has read the content. After that, \`content\` has the detected media type, searches find the text, and the document is \`Active\`. If the content could not be read, the document becomes \`Active\`, too, and the uploader gets the notification \`DocumentProcessingFailed\`.\n\nThe members of \`fields\` are keys of fields of the document type; null means no value. The format of a value depends on the type of the field:\n\n${VALUES_TABLE}`,
    permission: 'documents.create',
    orGrant: { level: 'Write', on: 'any' },
    success: 201,
    codes: ['file.closed'],
    bodyLimit: 'large',
    upload: true,
    returns: UploadedDocumentResponse,
    entityTag: documentEntityTag,
    idempotent: true,
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
    summary: 'Get a document',
    permission: 'documents.read',
    returns: DocumentResponse,
    entityTag: true,
  })
  get(@CurrentCaller() caller: Caller, @PathId('documentId') id: string) {
    return this.documents.get(caller, id);
  }

  @Put(':documentId')
  @Endpoint({
    operation: 'UpdateDocument',
    summary: 'Change the title, type and values of a document',
    description:
      'Absent members stay unchanged. `documentTypeId: null` removes the type. `fields` replaces all values; null or an empty object removes them. A new type without `fields` keeps the values and is refused (400) if one of them is not valid for the new type. A null or empty `title` is refused (400). An update that changes nothing writes no audit entry.',
    permission: 'documents.update',
    orGrant: { level: 'Write', on: 'document' },
    codes: ['document.deleted', 'document.archived', 'file.closed', 'hold.active'],
    bodyLimit: 'large',
    returns: DocumentResponse,
    entityTag: true,
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
    summary: 'Move a document into the bin',
    permission: 'documents.delete',
    codes: ['document.deleted', 'document.processing', 'file.closed', 'hold.active'],
    entityTag: true,
  })
  async delete(@CurrentCaller() caller: Caller, @PathId('documentId') id: string) {
    await this.documents.changeState(caller, id, 'Delete');
  }

  @Post(':documentId/restore')
  @Endpoint({
    operation: 'RestoreDocument',
    summary: 'Restore a document from the bin',
    permission: 'documents.restore',
    codes: ['document.not-deleted'],
    returns: DocumentResponse,
    entityTag: true,
  })
  restore(@CurrentCaller() caller: Caller, @PathId('documentId') id: string) {
    return this.documents.changeState(caller, id, 'Restore');
  }

  @Post(':documentId/archive')
  @Endpoint({
    operation: 'ArchiveDocument',
    summary: 'Archive a document',
    permission: 'documents.archive',
    codes: ['document.deleted', 'document.processing', 'document.archived', 'file.closed'],
    returns: DocumentResponse,
    entityTag: true,
  })
  archive(@CurrentCaller() caller: Caller, @PathId('documentId') id: string) {
    return this.documents.changeState(caller, id, 'Archive');
  }

  @Post(':documentId/unarchive')
  @Endpoint({
    operation: 'UnarchiveDocument',
    summary: 'Make an archived document active again',
    permission: 'documents.archive',
    codes: ['document.deleted', 'document.not-archived', 'file.closed'],
    returns: DocumentResponse,
    entityTag: true,
  })
  unarchive(@CurrentCaller() caller: Caller, @PathId('documentId') id: string) {
    return this.documents.changeState(caller, id, 'Unarchive');
  }
}
