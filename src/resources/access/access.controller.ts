import { Get, Query } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../platform/http/endpoint/page-of.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { GetMemberAccessQuery, MemberAccessResponse, ReaderResponse } from './access.dto.js';
import { AccessService } from './access.service.js';

const ASK = {
  description:
    'The caller must see the file or document. With `auditLog.read`, this applies to confidential documents only.',
  permission: 'accessGrants.read',
  andPermission: 'members.read',
} as const;

@TenantController('', 'Access')
export class AccessController {
  constructor(private readonly access: AccessService) {}

  @Get('files/:fileId/access')
  @Endpoint({
    operation: 'ListFileAccess',
    summary: 'List the members who can read a file, and why, sorted by name',
    ...ASK,
    returns: pageOf(ReaderResponse),
  })
  listOfFile(@CurrentCaller() caller: Caller, @PathId('fileId') id: string, @Query() query: PageQuery) {
    return this.access.list(caller, { type: 'File', id }, query);
  }

  @Get('documents/:documentId/access')
  @Endpoint({
    operation: 'ListDocumentAccess',
    summary: 'List the members who can read a document, and why, sorted by name',
    ...ASK,
    returns: pageOf(ReaderResponse),
  })
  listOfDocument(
    @CurrentCaller() caller: Caller,
    @PathId('documentId') id: string,
    @Query() query: PageQuery,
  ) {
    return this.access.list(caller, { type: 'Document', id }, query);
  }

  @Get('members/:userId/access')
  @Endpoint({
    operation: 'GetMemberAccess',
    summary: 'Show whether a member can read a file or a document, and why or why not',
    ...ASK,
    returns: MemberAccessResponse,
  })
  get(
    @CurrentCaller() caller: Caller,
    @PathId('userId') userId: string,
    @Query() query: GetMemberAccessQuery,
  ) {
    return this.access.get(caller, userId, query);
  }
}
