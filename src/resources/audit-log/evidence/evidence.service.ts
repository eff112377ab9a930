import { Injectable } from '@nestjs/common';
import { type Page } from '../../../common/page.js';
import { invalidValue, orNotFound } from '../../../common/problem.js';
import { PagedReads } from '../../../platform/database/paging/paged-reads.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { type PageQuery } from '../../../platform/http/input/page-query.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { Checkpoints, notYet } from './checkpoints.js';
import {
  type AuditCheckpointResponse,
  type AuditConsistencyQuery,
  type AuditConsistencyResponse,
  type AuditProofQuery,
  type AuditProofResponse,
} from './evidence.dto.js';
import { EvidenceRepository } from './evidence.repository.js';
import { verifierLine } from './notes/signed-note.js';
import { AuditTreeRepository } from './tree/audit-tree.repository.js';
import { leafOf, openingOf } from './tree/leaf.js';
import { consistencyPath, inclusionPath } from './tree/merkle-tree.js';

@Injectable()
export class EvidenceService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly evidence: EvidenceRepository,
    private readonly trees: AuditTreeRepository,
    private readonly checkpoints: Checkpoints,
    private readonly pages: PagedReads,
  ) {}

  async checkpoint(caller: Caller): Promise<string> {
    const head = await this.checkpoints.head(caller);
    return this.uow.read(caller, (tx) => this.checkpoints.sign(tx, head, head.size));
  }

  async keys(caller: Caller): Promise<string> {
    if (this.checkpoints.canSign) await this.checkpoints.head(caller);
    const keys = await this.uow.read(caller, (tx) => this.evidence.keys(tx));
    return keys.map(({ origin, publicKey }) => `${verifierLine({ name: origin, publicKey })}\n`).join('');
  }

  list(caller: Caller, page: PageQuery): Promise<Page<AuditCheckpointResponse>> {
    return this.pages.list(caller, 'ListAuditCheckpoints', page, this.evidence);
  }

  async prove(caller: Caller, id: string, { size: requested }: AuditProofQuery): Promise<AuditProofResponse> {
    const head = await this.checkpoints.head(caller);
    return this.uow.read(caller, async (tx) => {
      const entry = orNotFound(await this.evidence.entry(tx, caller, id));
      const { sequence } = entry;
      if (sequence === null || sequence >= head.size) throw notYet();
      const treeSize = requested ?? head.size;
      if (treeSize <= sequence || treeSize > head.size)
        throw invalidValue('size', 'value.between', { min: sequence + 1, max: head.size });
      const stored = await this.trees.leaves(tx, { from: sequence, to: sequence + 1 });
      const salt = stored.get(sequence)?.salt ?? Buffer.alloc(0);
      const ranges = [{ from: 0, to: treeSize }, ...inclusionPath(sequence, treeSize)];
      const [root, ...hashes] = await this.trees.hashes(tx, ranges);
      return {
        sequence,
        treeSize,
        leaf: leafOf(entry, salt),
        opening: entry.isOpen ? openingOf(entry, salt) : null,
        hashes: hashes.map((hash) => hash.toString('base64')),
        checkpoint: await this.checkpoints.note(head.origin, treeSize, root as Buffer),
      };
    });
  }

  consistency(caller: Caller, query: AuditConsistencyQuery): Promise<AuditConsistencyResponse> {
    return this.uow.read(caller, async (tx) => {
      const size = await this.trees.size(tx);
      const { from = 0, to = size } = query;
      if (to > size) throw invalidValue('to', 'value.between', { min: 0, max: size });
      if (from > to) throw invalidValue('from', 'value.between', { min: 0, max: to });
      const hashes = await this.trees.hashes(tx, consistencyPath(from, to));
      return { hashes: hashes.map((hash) => hash.toString('base64')) };
    });
  }
}
