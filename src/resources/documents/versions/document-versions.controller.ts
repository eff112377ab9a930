import { Get, Post, Put, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentContent } from '../../../platform/http/body/current-upload.js';
import type { UploadedContent } from '../../../platform/http/body/multipart-upload.js';
import { CurrentCaller } from '../../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../../platform/http/endpoint/page-of.js';
import { PathId, PathNumber } from '../../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../../platform/http/endpoint/tenant-controller.js';
import { PageQuery } from '../../../platform/http/input/page-query.js';
import { Caller } from '../../../platform/tenancy/access/caller.js';
import { DocumentResponse, UploadedDocumentResponse } from '../document-response.dto.js';
import { DocumentContentService } from './document-content.service.js';
import { ContentQuery, DocumentVersionResponse, contentEntityTag } from './document-versions.dto.js';
import { DocumentVersionsService } from './document-versions.service.js';

const CHANGE = {
  permission: 'documents.update',
  orGrant: { level: 'Write', on: 'document' },
  codes: ['document.deleted', 'document.archived', 'document.processing', 'file.closed', 'hold.active'],
} as const;

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
    codes: ['document.without-content'],
    streams: true,
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
    summary: 'Replace the content of a document, or add its first content',
    description:
      'Adds a new version; earlier versions are kept. `If-Match` accepts the entity tag of the content or of the document; the response has that of the content. The same content with the same file name changes nothing.',
    ...CHANGE,
    contentBody: true,
    returns: UploadedDocumentResponse,
    entityTag: contentEntityTag,
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
    summary: 'List the versions of a document, newest first',
    permission: 'documents.read',
    returns: pageOf(DocumentVersionResponse),
  })
  list(@CurrentCaller() caller: Caller, @PathId('documentId') id: string, @Query() query: PageQuery) {
    return this.versions.list(caller, id, query);
  }

  @Get('versions/:number/content')
  @Endpoint({
    operation: 'GetDocumentVersionContent',
    summary: 'Download the content of a version of a document, or a range of it',
    permission: 'documents.read',
    streams: true,
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
    summary: 'Restore a former version of a document',
    description:
      'Adds a new version with the content of the former one. Restoring the content that the document already has changes nothing.',
    ...CHANGE,
    returns: DocumentResponse,
    entityTag: true,
  })
  restore(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') id: string,
    @PathNumber('number') number: number,
  ) {
    return this.versions.restore(caller, id, number);
  }
}
