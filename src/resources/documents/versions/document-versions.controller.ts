import { Get, Post, Put, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentContent } from '../../../platform/http/body/current-upload.js';
import type { UploadedContent } from '../../../platform/http/body/multipart-upload.js';
import { CurrentCaller } from '../../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../../platform/http/endpoint/page-of.js';
import { PathId, PathNumber } from '../../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../../platform/tenancy/access/caller.js';
import { DocumentResponse, UploadedDocumentResponse } from '../document-response.dto.js';
import { ContentQuery, contentEntityTag } from './document-content.dto.js';
import { DocumentContentService } from './document-content.service.js';
import { DocumentVersionResponse, ListDocumentVersionsQuery } from './document-versions.dto.js';
import { DocumentVersionsService } from './document-versions.service.js';

/** The content of a document, and those that it had before. */
@TenantController('documents/:documentId', 'Documents')
export class DocumentVersionsController {
  constructor(
    private readonly versions: DocumentVersionsService,
    private readonly contents: DocumentContentService,
  ) {}

  @Get('content')
  @Endpoint({
    operation: 'GetDocumentContent',
    summary: 'Download the content of a document, or a range of it',
    permission: 'documents.read',
    success: 200,
    problems: [400, 403, 404],
    codes: ['document.without-content'],
    streams: true,
    addition: true,
  })
  content(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') id: string,
    @Query() query: ContentQuery,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    return this.contents.send(caller, { id, version: null }, query, request, response);
  }

  @Put('content')
  @Endpoint({
    operation: 'ReplaceDocumentContent',
    summary: 'Give a document another content, or its first',
    description:
      'Makes a new version; those before stay. `If-Match` takes the entity tag of the content, which is answered, too, or that of the document. The same content under the same name changes nothing.',
    permission: 'documents.update',
    orGrant: { level: 'Write', on: 'document' },
    success: 200,
    problems: [400, 403, 404, 409],
    codes: ['document.deleted', 'document.archived', 'document.processing', 'file.closed'],
    contentBody: true,
    returns: UploadedDocumentResponse,
    tagged: contentEntityTag,
    addition: true,
  })
  replace(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') id: string,
    @CurrentContent() content: UploadedContent,
  ) {
    return this.versions.replace(caller, id, content);
  }

  @Get('versions')
  @Endpoint({
    operation: 'ListDocumentVersions',
    summary: 'List the contents that a document has had, newest first',
    permission: 'documents.read',
    success: 200,
    problems: [400, 403, 404],
    returns: pageOf(DocumentVersionResponse),
    addition: true,
  })
  list(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') id: string,
    @Query() query: ListDocumentVersionsQuery,
  ) {
    return this.versions.list(caller, id, query);
  }

  @Get('versions/:number/content')
  @Endpoint({
    operation: 'GetDocumentVersionContent',
    summary: 'Download a content that a document has, or has had, or a range of it',
    permission: 'documents.read',
    success: 200,
    problems: [400, 403, 404],
    streams: true,
    addition: true,
  })
  versionContent(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') id: string,
    @PathNumber('number') version: number,
    @Query() query: ContentQuery,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    return this.contents.send(caller, { id, version }, query, request, response);
  }

  @Post('versions/:number/restore')
  @Endpoint({
    operation: 'RestoreDocumentVersion',
    summary: 'Make a former content of a document the newest again',
    description:
      'Makes a new version, as if the content had been uploaded again. Restoring what is the newest changes nothing.',
    permission: 'documents.update',
    orGrant: { level: 'Write', on: 'document' },
    success: 200,
    problems: [403, 404, 409],
    codes: ['document.deleted', 'document.archived', 'document.processing', 'file.closed'],
    returns: DocumentResponse,
    tagged: true,
    addition: true,
  })
  restore(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') id: string,
    @PathNumber('number') number: number,
  ) {
    return this.versions.restore(caller, id, number);
  }
}
