import { Get, Inject, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIGURATION, type Configuration } from '../../../platform/config/configuration.js';
import { CurrentCaller } from '../../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../../platform/http/endpoint/page-of.js';
import { PathId } from '../../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../../platform/http/endpoint/tenant-controller.js';
import { PageQuery } from '../../../platform/http/input/page-query.js';
import { Caller } from '../../../platform/tenancy/access/caller.js';
import {
  AuditCheckpointResponse,
  AuditConsistencyQuery,
  AuditConsistencyResponse,
  AuditExportQuery,
  AuditProofQuery,
  AuditProofResponse,
} from './evidence.dto.js';
import { AuditExportService } from './export.service.js';
import { EvidenceService } from './evidence.service.js';

@TenantController('audit-log', 'Audit log')
export class EvidenceController {
  constructor(
    private readonly evidence: EvidenceService,
    private readonly exports: AuditExportService,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  @Get('checkpoint')
  @Endpoint({
    operation: 'GetAuditCheckpoint',
    summary: 'Get a signed statement of the current state of the audit log',
    description:
      'The event log of the tenant is a Merkle tree by RFC 9162; leaf *n* is the entry with the sequence *n*. The checkpoint (C2SP tlog-checkpoint) is a signed note (Ed25519) with the origin of the log, the number of entries and the root of the tree. An entry is in the tree about a second after its commit. See docs/evidence.md.',
    permission: 'auditLog.read',
    codes: ['evidence.no-key', 'evidence.no-public-url', 'evidence.not-yet'],
    produces: 'text/plain',
  })
  checkpoint(@CurrentCaller() caller: Caller) {
    return this.evidence.checkpoint(caller);
  }

  @Get('keys')
  @Endpoint({
    operation: 'GetAuditKeys',
    summary: 'Get the keys that verify checkpoints',
    description:
      'One verifier key (C2SP signed note) a line. Keys that no longer sign stay. Compare them with those that you received on another way.',
    permission: 'auditLog.read',
    codes: ['evidence.not-yet'],
    produces: 'text/plain',
  })
  keys(@CurrentCaller() caller: Caller) {
    return this.evidence.keys(caller);
  }

  @Get('checkpoints')
  @Endpoint({
    operation: 'ListAuditCheckpoints',
    summary: 'List the daily checkpoints, newest first',
    permission: 'auditLog.read',
    returns: pageOf(AuditCheckpointResponse),
  })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.evidence.list(caller, query);
  }

  @Get('entries/:auditEntryId/proof')
  @Endpoint({
    operation: 'GetAuditProof',
    summary: 'Prove that an entry is in the audit log',
    description:
      'An inclusion proof by RFC 9162 with the signed checkpoint that it is for. It can be shown to others: without `opening`, it contains no text and no related ids of the entry. 409 with `Retry-After` if the entry is not in the tree yet.',
    permission: 'auditLog.read',
    codes: ['evidence.no-key', 'evidence.no-public-url', 'evidence.not-yet'],
    returns: AuditProofResponse,
  })
  prove(
    @CurrentCaller() caller: Caller,
    @PathId('auditEntryId') id: string,
    @Query() query: AuditProofQuery,
  ) {
    return this.evidence.prove(caller, id, query);
  }

  @Get('consistency')
  @Endpoint({
    operation: 'GetAuditConsistency',
    summary: 'Prove that a later state of the audit log continues an earlier one',
    description:
      'A consistency proof by RFC 9162 between the trees of two sizes, such as those of two checkpoints.',
    permission: 'auditLog.read',
    returns: AuditConsistencyResponse,
  })
  consistency(@CurrentCaller() caller: Caller, @Query() query: AuditConsistencyQuery) {
    return this.evidence.consistency(caller, query);
  }

  @Get('export')
  @Endpoint({
    operation: 'ExportAuditLog',
    summary: 'Export the audit log with everything that is needed to verify it',
    description:
      'NDJSON. The first line has `fromSize` and `hashes`, the roots of the subtrees of the entries before it. A line for each entry has `sequence`, `leaf` and `opening` as in GetAuditProof, and `hash`, the stored hash of the leaf; `leaf` is null if the entry was deleted from the database. The last line has `checkpoint`, a signed note about exactly these entries. Without it, the export is incomplete. `npm run verify-audit` verifies it offline. One export at a time for each caller.',
    permission: 'auditLog.read',
    success: 200,
    problems: [400, 403, 409],
    codes: ['evidence.no-key', 'evidence.no-public-url', 'evidence.not-yet'],
    produces: 'application/x-ndjson',
  })
  export(
    @CurrentCaller() caller: Caller,
    @Query() query: AuditExportQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    // A client that reads nothing must not keep the only export of its caller.
    response.setTimeout(this.configuration.uploadIdleTimeout, () => response.destroy());
    return this.exports.export(caller, query, request.method !== 'HEAD');
  }
}
