import { Body, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { CurrentCaller } from '../../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../../platform/http/endpoint/page-of.js';
import { PathId } from '../../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../../platform/http/endpoint/tenant-controller.js';
import { PageQuery } from '../../../platform/http/input/page-query.js';
import { Caller } from '../../../platform/tenancy/access/caller.js';
import { DocumentLinksService } from './document-links.service.js';
import { FileDocumentResponse, MoveDocumentBody } from './file-documents.dto.js';

@TenantController('', 'Documents')
export class DocumentLinksController {
  constructor(private readonly links: DocumentLinksService) {}

  @Get('files/:fileId/documents')
  @Endpoint({
    operation: 'ListFileDocuments',
    summary: 'List the documents of a file, last filed first',
    permission: 'documents.read',
    returns: pageOf(FileDocumentResponse),
    specified: true,
  })
  list(@CurrentCaller() caller: Caller, @PathId('fileId') fileId: string, @Query() query: PageQuery) {
    return this.links.list(caller, fileId, query);
  }

  @Put('documents/:documentId/files/:fileId')
  @Endpoint({
    operation: 'FileDocument',
    summary: 'File a document into a file',
    permission: 'documents.file',
    orGrant: { level: 'Write', on: 'file' },
    codes: ['document.deleted', 'document.too-many-links', 'file.closed'],
  })
  file(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') documentId: string,
    @PathId('fileId') fileId: string,
  ) {
    return this.links.changeFile(caller, documentId, fileId, 'File');
  }

  @Delete('documents/:documentId/files/:fileId')
  @Endpoint({
    operation: 'UnfileDocument',
    summary: 'Remove a document from a file',
    permission: 'documents.file',
    orGrant: { level: 'Write', on: 'file' },
    codes: ['document.deleted', 'document.processing', 'file.closed', 'hold.active'],
    specified: true,
  })
  unfile(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') documentId: string,
    @PathId('fileId') fileId: string,
  ) {
    return this.links.changeFile(caller, documentId, fileId, 'Unfile');
  }

  @Post('documents/:documentId/move')
  @Endpoint({
    operation: 'MoveDocument',
    summary: 'Move a document from one file to another in one step',
    description:
      'The same as unfiling and filing, in one transaction. Changes nothing if the document is only in the second file, ' +
      'so that a request can be repeated.',
    permission: 'documents.file',
    orGrant: { level: 'Write', on: 'any' },
    codes: ['document.deleted', 'document.processing', 'document.not-in-file', 'file.closed', 'hold.active'],
  })
  move(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') documentId: string,
    @Body() body: MoveDocumentBody,
  ) {
    return this.links.move(caller, documentId, body);
  }

  @Put('documents/:documentId/tags/:tagId')
  @Endpoint({
    operation: 'TagDocument',
    summary: 'Add a tag to a document',
    permission: 'documents.update',
    orGrant: { level: 'Write', on: 'document' },
    codes: ['document.deleted', 'document.archived', 'document.too-many-links', 'file.closed'],
  })
  tag(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') documentId: string,
    @PathId('tagId') tagId: string,
  ) {
    return this.links.changeTag(caller, documentId, tagId, 'Tag');
  }

  @Delete('documents/:documentId/tags/:tagId')
  @Endpoint({
    operation: 'UntagDocument',
    summary: 'Remove a tag from a document',
    permission: 'documents.update',
    orGrant: { level: 'Write', on: 'document' },
    codes: ['document.deleted', 'document.archived', 'file.closed'],
  })
  untag(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') documentId: string,
    @PathId('tagId') tagId: string,
  ) {
    return this.links.changeTag(caller, documentId, tagId, 'Untag');
  }
}
