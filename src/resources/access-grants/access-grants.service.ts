import { Injectable } from '@nestjs/common';
import { newId } from '../../common/identifier.js';
import { message } from '../../common/messages/message.js';
import { type Page } from '../../common/page.js';
import { type FieldErrors, Problem, invalid } from '../../common/problem.js';
import { type Permission } from '../../common/vocabulary/permissions.js';
import { PagedReads } from '../../platform/database/paging/paged-reads.js';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type PageQuery } from '../../platform/http/input/page-query.js';
import { type GrantLevel, grantIds } from '../../platform/tenancy/access/access-grant.entity.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { refuseEscalation } from '../../platform/tenancy/access/escalation.js';
import { type AccessGrantResponse, type CreateAccessGrantBody } from './access-grants.dto.js';
import { AccessGrantsRepository, type GrantCheck } from './access-grants.repository.js';

/**
 * The permissions that each level gives. The grantor must hold them through their role, not through a grant
 * of their own: otherwise a chain of grants could outlast the first one.
 */
const REQUIRED_PERMISSIONS: Record<GrantLevel, readonly Permission[]> = {
  Read: ['files.read'],
  Write: ['files.read', 'files.update', 'documents.create', 'documents.update', 'documents.file'],
};

@Injectable()
export class AccessGrantsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly grants: AccessGrantsRepository,
    private readonly pages: PagedReads,
  ) {}

  list(caller: Caller, page: PageQuery): Promise<Page<AccessGrantResponse>> {
    return this.pages.list(caller, 'ListAccessGrants', page, this.grants);
  }

  get(caller: Caller, id: string): Promise<AccessGrantResponse> {
    return this.uow.read(caller, (tx) => this.grants.get(tx, id));
  }

  create(caller: Caller, body: CreateAccessGrantBody): Promise<AccessGrantResponse> {
    const { level, reason = null, expiresAt = null } = body;
    const refuse = () => refuseEscalation(caller, REQUIRED_PERMISSIONS[level]);
    const create = async (tx: WriteTransaction) => {
      // Blocks concurrent removal of the member or role, which would leave the grant behind.
      await tx.lockAccess();
      const check = await this.grants.check(tx, caller, body, expiresAt);
      refuseInvalid(check, body);
      refuse();
      const grant = await this.grants.insert(tx, {
        ...body,
        id: newId(),
        targetCreatedAt: check.targetCreatedAt,
        reason,
        expiresAt,
        createdById: caller.user.id,
      });
      tx.record({
        action: 'AccessGranted',
        subjectId: grant.id,
        summary: summaryOf(grant, check),
        related: grantIds(grant),
      });
      await this.notify(tx, 'AccessGranted', grant);
      return grant;
    };
    return this.uow.write(caller, create, refuse);
  }

  async revoke(caller: Caller, id: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const grant = await this.grants.lock(tx, id);
      if (grant.status !== 'Active') throw new Problem('access-grant.ended');
      await this.grants.revoke(tx, id);
      const summary = summaryOf(grant, await this.grants.names(tx, grant));
      tx.record({ action: 'AccessRevoked', subjectId: id, summary, related: grantIds(grant) });
      await this.notify(tx, 'AccessRevoked', grant);
    });
  }

  private async notify(
    tx: WriteTransaction,
    type: 'AccessGranted' | 'AccessRevoked',
    grant: AccessGrantResponse,
  ): Promise<void> {
    const { id: grantId, targetType, targetId, level } = grant;
    for (const userId of await this.grants.findUserIds(tx, grant)) {
      tx.notify(userId, type, { grantId, targetType, targetId, level, actorName: tx.actorName });
    }
  }
}

function refuseInvalid({ subject, target, expiresInFuture }: GrantCheck, body: CreateAccessGrantBody): void {
  const errors: FieldErrors = {};
  if (subject === null)
    errors.subjectId = [message(body.subjectType === 'User' ? 'reference.member' : 'reference.role')];
  if (target === null)
    errors.targetId = [message(body.targetType === 'File' ? 'reference.file' : 'reference.file-type')];
  if (!expiresInFuture) errors.expiresAt = [message('value.future')];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** Uses the id of a subject or target that no longer exists. */
function summaryOf(
  { level, subjectId, targetId }: AccessGrantResponse,
  { subject, target }: Pick<GrantCheck, 'subject' | 'target'>,
): string {
  return `${level}: ${subject ?? subjectId} → ${target ?? targetId}`;
}
