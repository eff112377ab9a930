import { Injectable } from '@nestjs/common';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import { SqlParameters } from '../../platform/database/sql-parameters.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../platform/database/transactions/tenant-transaction.js';
import { membersOf } from '../../platform/http/response/members-of.js';
import { AccessGrantEntity } from '../../platform/tenancy/access/access-grant.entity.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { visibleFiles } from '../../platform/tenancy/access/visibility.js';
import { type ExpiringRows, ExpirySweep } from '../../platform/tenancy/tenants/expiry-sweep.js';
import { MEMBER_NAME } from '../../platform/tenancy/users/member-names.js';
import { AccessGrantResponse } from './access-grants.dto.js';

type GrantLink = Pick<AccessGrantEntity, 'subjectType' | 'subjectId' | 'targetType' | 'targetId'>;

export interface GrantCheck {
  /** Names for the audit log; null if the subject or target does not exist or is not visible to the caller. */
  readonly subject: string | null;
  readonly target: string | null;
  readonly targetCreatedAt: AccessGrantEntity['targetCreatedAt'];
  readonly expiresInFuture: boolean;
}

const SUBJECTS = {
  User: `SELECT ${MEMBER_NAME} FROM members m JOIN users u ON u.id = m.user_id
          WHERE m.tenant_id = $1 AND m.user_id = $2`,
  Role: 'SELECT r.name FROM roles r WHERE r.tenant_id = $1 AND r.id = $2',
} as const;

const TARGETS = {
  File: `SELECT f.number || ': ' || f.name FROM files f WHERE f.tenant_id = $1 AND f.id = $3`,
  FileType: `SELECT t.name_de || ' / ' || t.name_en FROM file_types t WHERE t.tenant_id = $1 AND t.id = $3`,
} as const;

const TARGET_CREATED_AT = {
  File: '(SELECT f.created_at FROM files f WHERE f.tenant_id = $1 AND f.id = $3)',
  FileType: 'NULL',
} as const;

const STATUS = `CASE WHEN revoked_at IS NOT NULL THEN 'Revoked' WHEN expires_at <= now() THEN 'Expired' ELSE 'Active' END`;

const EXPIRED_UNMARKED = 'revoked_at IS NULL AND expired_at IS NULL AND expires_at <= now()';

@Injectable()
export class AccessGrantsRepository
  extends TenantRepository<AccessGrantEntity, AccessGrantResponse>
  implements ExpiringRows
{
  readonly unmarked = { function: 'tenants_with_expired_access_grants' } as const;

  constructor(dataSource: DataSource, sweep: ExpirySweep) {
    super(dataSource, AccessGrantEntity, { properties: membersOf(AccessGrantResponse, 'status') });
    sweep.register(this);
  }

  protected override rows(): SelectQueryBuilder<AccessGrantEntity> {
    return super.rows().addSelect(STATUS, 'status');
  }

  /** The row must not be expired. Citus allows no `now()` in RETURNING, which {@link STATUS} would need. */
  override async insert(
    ...[tx, values]: Parameters<TenantRepository<AccessGrantEntity>['insert']>
  ): Promise<AccessGrantResponse> {
    return { ...(await super.insert(tx, values)), status: 'Active' };
  }

  async check(
    tx: TenantTransaction,
    caller: Caller,
    { subjectType, subjectId, targetType, targetId }: GrantLink,
    expiresAt: string | null,
  ): Promise<GrantCheck> {
    const values = new SqlParameters(tx.tenantId, subjectId, targetId, expiresAt);
    const seen = targetType === 'File' ? ` AND ${visibleFiles(caller, 'f', values.bind)}` : '';
    const [row] = await tx.query<GrantCheck>(
      `SELECT (${SUBJECTS[subjectType]}) AS subject, (${TARGETS[targetType]}${seen}) AS target,
              ${TARGET_CREATED_AT[targetType]} AS "targetCreatedAt",
              coalesce($4::timestamptz > now(), true) AS "expiresInFuture"`,
      values.list,
    );
    return row as GrantCheck;
  }

  /** Current names; null where the subject or target no longer exists. */
  async names(
    tx: TenantTransaction,
    { subjectType, subjectId, targetType, targetId }: GrantLink,
  ): Promise<Pick<GrantCheck, 'subject' | 'target'>> {
    const [row] = await tx.query<Pick<GrantCheck, 'subject' | 'target'>>(
      `SELECT (${SUBJECTS[subjectType]}) AS subject, (${TARGETS[targetType]}) AS target`,
      [tx.tenantId, subjectId, targetId],
    );
    return row as Pick<GrantCheck, 'subject' | 'target'>;
  }

  async revoke(tx: TenantTransaction, id: string): Promise<void> {
    await this.send(tx, this.updateStatement(tx, { revokedAt: () => 'now()' }, { id }));
  }

  /** Ids of the users who have the grant: one member, or all members of the role. */
  async findUserIds(
    tx: TenantTransaction,
    { subjectType, subjectId }: Pick<GrantLink, 'subjectType' | 'subjectId'>,
  ): Promise<string[]> {
    const column = subjectType === 'User' ? 'user_id' : 'role_id';
    const rows = await tx.query<{ userId: string }>(
      `SELECT user_id AS "userId" FROM members WHERE tenant_id = $1 AND ${column} = $2 ORDER BY user_id`,
      [tx.tenantId, subjectId],
    );
    return rows.map(({ userId }) => userId);
  }

  async markExpired(tx: WriteTransaction): Promise<void> {
    const expired = { expiredAt: () => 'expires_at' };
    await this.send(tx, this.updateStatement(tx, expired, {}, { and: EXPIRED_UNMARKED }));
  }
}
