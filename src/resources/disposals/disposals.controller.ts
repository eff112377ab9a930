import { Body, Delete, Get, Post, Put, Query, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../platform/http/endpoint/page-of.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import { languageOf } from '../../platform/http/pipeline/language.js';
import { preparePage } from '../../platform/http/response/html-page.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { certificatePage } from './certificate-page.js';
import { CertificateResponse } from './certificates.dto.js';
import {
  CreateDisposalBody,
  DecideBody,
  DisposalFileResponse,
  DisposalResponse,
  RejectDisposalBody,
  UpdateDisposalBody,
} from './disposals.dto.js';
import { DISPOSAL_READERS } from './disposals.reader.js';
import { DisposalsService } from './disposals.service.js';

const READ = { permission: DISPOSAL_READERS } as const;
const MANAGE = { permission: 'disposals.manage', andPermission: 'files.read' } as const;
const APPROVE = { permission: 'disposals.approve', andPermission: 'files.read' } as const;

@TenantController('disposals', 'Disposals')
export class DisposalsController {
  constructor(private readonly disposals: DisposalsService) {}

  @Get()
  @Endpoint({
    ...READ,
    operation: 'ListDisposals',
    summary: 'List disposals, newest first',
    returns: pageOf(DisposalResponse),
  })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.disposals.list(caller, query);
  }

  @Post()
  @Endpoint({
    ...MANAGE,
    operation: 'CreateDisposal',
    summary: 'Gather due files of a type',
    description: 'At most 10,000, oldest first, without those that are held or in another disposal.',
    success: 201,
    codes: ['disposal.nothing-due'],
    returns: DisposalResponse,
    entityTag: true,
    idempotent: true,
  })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateDisposalBody) {
    return this.disposals.create(caller, body);
  }

  @Get(':disposalId')
  @Endpoint({
    ...READ,
    operation: 'GetDisposal',
    summary: 'Get a disposal',
    returns: DisposalResponse,
    entityTag: true,
  })
  get(@CurrentCaller() caller: Caller, @PathId('disposalId') id: string) {
    return this.disposals.get(caller, id);
  }

  @Put(':disposalId')
  @Endpoint({
    ...MANAGE,
    operation: 'UpdateDisposal',
    summary: 'Rename a draft, and decide on all files without a decision',
    codes: ['disposal.not-draft'],
    returns: DisposalResponse,
    entityTag: true,
  })
  update(
    @CurrentCaller() caller: Caller,
    @PathId('disposalId') id: string,
    @Body() body: UpdateDisposalBody,
  ) {
    return this.disposals.update(caller, id, body);
  }

  @Delete(':disposalId')
  @Endpoint({
    ...MANAGE,
    operation: 'DeleteDisposal',
    summary: 'Delete a draft',
    codes: ['disposal.not-draft'],
    entityTag: true,
  })
  delete(@CurrentCaller() caller: Caller, @PathId('disposalId') id: string) {
    return this.disposals.delete(caller, id);
  }

  @Get(':disposalId/files')
  @Endpoint({
    ...READ,
    operation: 'ListDisposalFiles',
    summary: 'List the files of a disposal, first closed first',
    returns: pageOf(DisposalFileResponse),
  })
  listFiles(@CurrentCaller() caller: Caller, @PathId('disposalId') id: string, @Query() query: PageQuery) {
    return this.disposals.listFiles(caller, id, query);
  }

  @Put(':disposalId/files/:fileId')
  @Endpoint({
    ...MANAGE,
    operation: 'DecideOnDisposalFile',
    summary: 'Decide on a file of a draft',
    codes: ['disposal.not-draft'],
  })
  decide(
    @CurrentCaller() caller: Caller,
    @PathId('disposalId') id: string,
    @PathId('fileId') fileId: string,
    @Body() body: DecideBody,
  ) {
    return this.disposals.decide(caller, id, fileId, body);
  }

  @Delete(':disposalId/files/:fileId')
  @Endpoint({
    ...MANAGE,
    operation: 'RemoveDisposalFile',
    summary: 'Take a file out of a draft',
    codes: ['disposal.not-draft'],
  })
  removeFile(
    @CurrentCaller() caller: Caller,
    @PathId('disposalId') id: string,
    @PathId('fileId') fileId: string,
  ) {
    return this.disposals.removeFile(caller, id, fileId);
  }

  @Post(':disposalId/submit')
  @Endpoint({
    ...MANAGE,
    operation: 'SubmitDisposal',
    summary: 'Submit a draft for approval',
    codes: ['disposal.not-draft', 'disposal.undecided', 'disposal.nothing-due'],
    returns: DisposalResponse,
    entityTag: true,
  })
  submit(@CurrentCaller() caller: Caller, @PathId('disposalId') id: string) {
    return this.disposals.submit(caller, id);
  }

  @Post(':disposalId/approve')
  @Endpoint({
    ...APPROVE,
    operation: 'ApproveDisposal',
    summary: 'Approve a disposal that others have made, which carries it out',
    codes: [
      'disposal.not-submitted',
      'disposal.same-person',
      'disposal.nothing-due',
      'disposal.rule-changed',
    ],
    returns: DisposalResponse,
    entityTag: true,
  })
  approve(@CurrentCaller() caller: Caller, @PathId('disposalId') id: string) {
    return this.disposals.approve(caller, id);
  }

  @Post(':disposalId/reject')
  @Endpoint({
    ...APPROVE,
    operation: 'RejectDisposal',
    summary: 'Reject a disposal, which becomes a draft again',
    codes: ['disposal.not-submitted'],
    returns: DisposalResponse,
    entityTag: true,
  })
  reject(
    @CurrentCaller() caller: Caller,
    @PathId('disposalId') id: string,
    @Body() body: RejectDisposalBody,
  ) {
    return this.disposals.reject(caller, id, body);
  }

  @Get(':disposalId/certificate')
  @Endpoint({
    ...READ,
    operation: 'GetDisposalCertificate',
    summary: 'Get the certificate of a completed disposal, as JSON or as a page to print',
    description: 'With the texts of the language that `Accept-Language` prefers.',
    codes: ['disposal.not-completed'],
    returns: CertificateResponse,
    page: true,
  })
  async certificate(
    @CurrentCaller() caller: Caller,
    @PathId('disposalId') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const language = languageOf(request);
    const certificate = await this.disposals.certificate(caller, id, language);
    return preparePage(request, response) ? certificatePage(certificate, language) : certificate;
  }
}
