import { Injectable } from '@nestjs/common';
import { NIL_ID } from '../../../common/identifier.js';
import { Problem } from '../../../common/problem.js';
import { type TenantContext } from '../../../platform/database/transactions/tenant-context.js';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { serviceContext } from '../../../platform/tenancy/access/access.directory.js';
import { EvidenceRepository, type TreeHead } from './evidence.repository.js';
import { AuditSigner } from './notes/audit-signer.js';
import { checkpointText } from './notes/checkpoint.js';
import { signNote } from './notes/signed-note.js';
import { AuditTreeRepository } from './tree/audit-tree.repository.js';

/** A head whose checkpoints can be signed. */
export type SignableHead = TreeHead & { readonly origin: string };

/** Signs checkpoints of the tenants' trees. */
@Injectable()
export class Checkpoints {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly evidence: EvidenceRepository,
    private readonly trees: AuditTreeRepository,
    private readonly signer: AuditSigner,
  ) {}

  /** Whether this process can sign. */
  get canSign(): boolean {
    return this.signer.isReady;
  }

  /**
   * The head. The first checkpoint of a log fixes its origin, in a transaction of its own. Throws a 409 if the service
   * cannot sign.
   */
  async head(context: TenantContext): Promise<SignableHead> {
    const { publicKey } = await this.signer.key();
    const head = await this.uow.read(context, (tx) => this.evidence.head(tx, publicKey));
    const { tenantId } = context;
    if (head.logId === NIL_ID) throw notYet();
    if (head.origin !== null && head.isKeyKnown) return head as SignableHead;
    const origin = this.signer.originOf(tenantId, head.logId);
    return (await this.uow.write(serviceContext(tenantId), (tx) =>
      this.evidence.register(tx, head, origin, publicKey),
    )) as SignableHead;
  }

  /** The signed note about the tree of this size. */
  async sign(tx: TenantTransaction, { origin }: SignableHead, size: number): Promise<string> {
    const [root] = await this.trees.hashes(tx, [{ from: 0, to: size }]);
    return this.note(origin, size, root as Buffer);
  }

  async note(origin: string, size: number, root: Buffer): Promise<string> {
    return signNote(checkpointText({ origin, size, root }), origin, await this.signer.key());
  }
}

/** The leaf follows within seconds, so the client can retry. */
export function notYet(): Problem {
  return new Problem('evidence.not-yet', { headers: { 'Retry-After': '1' } });
}
