import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { type Owner, Shares } from '../../../common/shares.js';
import { invalidValue } from '../../../common/problem.js';
import { message } from '../../../common/messages/message.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { rateLimited } from '../../../platform/http/rate-limit/rate-limiter.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { Checkpoints, type SignableHead } from './checkpoints.js';
import { type AuditExportQuery } from './evidence.dto.js';
import { EvidenceRepository } from './evidence.repository.js';
import { AuditTreeRepository } from './tree/audit-tree.repository.js';
import { leafOf, openingOf } from './tree/leaf.js';
import { TILE, fullSubtrees } from './tree/merkle-tree.js';

const MEDIA_TYPE = 'application/x-ndjson';

/** Exports in progress in one process. */
const LIMITS = { total: 20, tenant: 4, caller: 1 } as const;
/** Seconds: how soon another export may have ended. */
const RETRY_AFTER = 10;

/** Streams the audit log of a tenant as NDJSON. A slow client occupies the bytes of one batch, and no connection. */
@Injectable()
export class AuditExportService {
  private readonly running = new Shares(LIMITS);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly evidence: EvidenceRepository,
    private readonly trees: AuditTreeRepository,
    private readonly checkpoints: Checkpoints,
  ) {}

  /** @param hasBody false for HEAD */
  async export(
    caller: Caller,
    { fromSize = 0 }: AuditExportQuery,
    hasBody: boolean,
  ): Promise<StreamableFile> {
    const head = await this.checkpoints.head(caller);
    if (fromSize > head.size) throw invalidValue('fromSize', 'value.between', { min: 0, max: head.size });
    if (!hasBody) return new StreamableFile(Readable.from([]), { type: MEDIA_TYPE });
    const owner: Owner = { tenant: caller.tenantId, caller: caller.user.id };
    if (this.running.exceeded(owner, 1)) throw rateLimited(RETRY_AFTER, message('evidence.many-exports'));
    this.running.add(owner, 1);
    const stream = Readable.from(this.lines(caller, head, fromSize), { objectMode: false });
    // Also if the client disconnects.
    stream.once('close', () => this.running.add(owner, -1));
    return new StreamableFile(stream, { type: MEDIA_TYPE });
  }

  /** Each batch is a request of its own: the caller needs the permission, and sees what they may read at that time. */
  private async *lines(caller: Caller, head: SignableHead, fromSize: number): AsyncGenerator<Buffer> {
    const { size } = head;
    const hashes = await this.uow.read(caller, (tx) => this.trees.hashes(tx, fullSubtrees(fromSize)));
    yield lineOf({ fromSize, hashes: hashes.map((hash) => hash.toString('base64')) });
    for (let from = fromSize; from < size;) {
      const to = Math.min(size, from - (from % TILE) + TILE);
      yield await this.batch(caller, from, to);
      from = to;
    }
    yield lineOf({ checkpoint: await this.uow.read(caller, (tx) => this.checkpoints.sign(tx, head, size)) });
  }

  /** An entry or event that does not exist any more has no leaf. Its hash shows that it did. */
  private batch(caller: Caller, from: number, to: number): Promise<Buffer> {
    return this.uow.read(caller, async (tx) => {
      const stored = await this.trees.leaves(tx, { from, to });
      const entries = new Map(
        (await this.evidence.entries(tx, caller, { from, to })).map((entry) => [entry.sequence, entry]),
      );
      const lines = Array.from({ length: to - from }, (_, index) => {
        const sequence = from + index;
        const { salt = Buffer.alloc(0), hash } = stored.get(sequence) ?? {};
        const entry = entries.get(sequence);
        const exists = entry !== undefined && (entry.id as string | null) !== null;
        return lineOf({
          sequence,
          leaf: exists ? leafOf(entry, salt) : null,
          opening: exists && entry.isOpen ? openingOf(entry, salt) : null,
          hash: hash?.toString('base64') ?? null,
        });
      });
      return Buffer.concat(lines);
    });
  }
}

function lineOf(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}
