import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIGURATION, type Configuration } from '../../platform/config/configuration.js';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { type Bind, SqlParameters } from '../../platform/database/sql-parameters.js';
import { type Statement } from '../../platform/database/transactions/tenant-batch.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../platform/database/transactions/tenant-transaction.js';
import { membersOf } from '../../platform/http/response/members-of.js';
import { NotificationEntity } from '../../platform/recording/notification.entity.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import {
  grantedFileType,
  readableDocuments,
  visibleFiles,
} from '../../platform/tenancy/access/visibility.js';
import { type ExpiringRows, ExpirySweep } from '../../platform/tenancy/tenants/expiry-sweep.js';
import { type TenantsWithWork } from '../../platform/tenancy/tenants/tenants.reader.js';
import { DISPOSAL_READERS } from '../disposals/disposals.reader.js';
import { NotificationResponse } from './notifications.dto.js';

export type UserNotification = NotificationResponse & Pick<NotificationEntity, 'userId'>;

interface RecentFilter {
  readonly seconds: number;
  /** ISO 8601; null for no limit. */
  readonly after: string | null;
  readonly known: readonly string[];
  readonly limit: number;
}

export interface NotificationSelection {
  readonly ids: readonly string[];
  readonly types: readonly string[];
  /** Maximum number of rows. */
  readonly limit: number;
}

/**
 * The caller's own notifications. Notifications about invisible objects are treated as if they did not exist.
 */
@Injectable()
export class NotificationsRepository extends TenantRepository<NotificationEntity> implements ExpiringRows {
  readonly unmarked: TenantsWithWork;
  private readonly rowColumns: string;
  private readonly days: number;

  constructor(
    dataSource: DataSource,
    sweep: ExpirySweep,
    @Inject(CONFIGURATION) configuration: Configuration,
  ) {
    super(dataSource, NotificationEntity);
    this.days = configuration.notificationRetentionDays;
    this.unmarked = { function: 'tenants_with_expired_notifications', since: `${this.days} days` };
    this.rowColumns = this.select('n', membersOf(NotificationResponse));
    sweep.register(this);
  }

  list(
    tx: TenantTransaction,
    caller: Caller,
    unreadOnly: boolean,
    after: Position | null,
    limit: number,
  ): Promise<NotificationResponse[]> {
    const values = new SqlParameters(tx.tenantId, caller.user.id);
    const { bind } = values;
    const conditions = [OWN, ...(unreadOnly ? [UNREAD] : []), visibleNotifications(caller, bind)];
    if (after) {
      conditions.push(`(n.created_at, n.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`);
    }
    return tx.query<NotificationResponse>(
      `SELECT ${this.rowColumns} FROM notifications n WHERE ${conditions.join(' AND ')}
        ORDER BY n.created_at DESC, n.id DESC LIMIT ${bind(limit + 1)}`,
      values.list,
    );
  }

  /**
   * Notifications of several users that were created a short time ago, oldest first, except those that are known
   * already. They may be invisible; see {@link visibleStatement}.
   */
  recent(
    tx: TenantTransaction,
    userIds: readonly string[],
    recent: RecentFilter,
  ): Promise<UserNotification[]> {
    return tx.query<UserNotification>(
      `SELECT ${this.rowColumns}, n.user_id AS "userId" FROM notifications n
        WHERE n.tenant_id = $1 AND n.user_id = ANY ($2::uuid[]) AND n.created_at > now() - make_interval(secs => $3)
          AND ($4::timestamptz IS NULL OR n.created_at > $4) AND n.id <> ALL ($5::uuid[])
        ORDER BY n.created_at, n.id LIMIT $6`,
      [tx.tenantId, userIds, recent.seconds, recent.after, recent.known, recent.limit],
    );
  }

  /** Selects the ids of those notifications of the caller that are visible. */
  visibleStatement(caller: Caller, ids: readonly string[]): Statement {
    const values = new SqlParameters(caller.tenantId, caller.user.id, ids);
    return {
      text: `SELECT n.id FROM notifications n
              WHERE ${OWN} AND n.id = ANY ($3::uuid[]) AND ${visibleNotifications(caller, values.bind)}`,
      values: values.list,
    };
  }

  /** Those of the notifications that have one of the types and are visible, newest first, and how many there are. */
  async findVisible(
    tx: TenantTransaction,
    caller: Caller,
    { ids, types, limit }: NotificationSelection,
  ): Promise<{ rows: NotificationResponse[]; total: number }> {
    const values = new SqlParameters(tx.tenantId, caller.user.id, ids, types, limit);
    const found = await tx.query<NotificationResponse & { total: number }>(
      `SELECT ${this.rowColumns}, count(*) OVER () AS total FROM notifications n
        WHERE ${OWN} AND n.id = ANY ($3::uuid[]) AND n.type = ANY ($4::text[])
          AND ${visibleNotifications(caller, values.bind)}
        ORDER BY n.created_at DESC, n.id DESC LIMIT $5`,
      values.list,
    );
    return { rows: found, total: found[0]?.total ?? 0 };
  }

  lockVisibleOrNull(tx: TenantTransaction, caller: Caller, id: string): Promise<NotificationResponse | null> {
    const values = new SqlParameters(tx.tenantId, caller.user.id, id);
    return tx.queryOrNull<NotificationResponse>(
      `SELECT ${this.rowColumns} FROM notifications n
        WHERE ${OWN} AND n.id = $3 AND ${visibleNotifications(caller, values.bind)} FOR NO KEY UPDATE OF n`,
      values.list,
    );
  }

  async markRead(tx: TenantTransaction, id: string): Promise<void> {
    await this.send(tx, this.updateStatement(tx, { readAt: () => 'now()' }, { id }));
  }

  /** Invisible notifications stay unread: when they become visible again, they are new to the caller. */
  async markAllRead(tx: TenantTransaction, caller: Caller): Promise<void> {
    const values = new SqlParameters(tx.tenantId, caller.user.id);
    await tx.query(
      `UPDATE notifications n SET read_at = now() WHERE ${OWN} AND ${UNREAD} AND ${visibleNotifications(caller, values.bind)}`,
      values.list,
    );
  }

  /**
   * Deletes one batch of notifications, read or not, after the retention time. The next sweep deletes the
   * rest. The audit log keeps the events themselves.
   */
  async markExpired(tx: WriteTransaction): Promise<void> {
    await tx.query(
      `DELETE FROM notifications WHERE tenant_id = $1 AND id = ANY (ARRAY(
         SELECT id FROM notifications WHERE ${EXPIRED} ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
      [tx.tenantId, this.days],
    );
  }
}

const EXPIRED = `tenant_id = $1 AND created_at <= now() - make_interval(days => $2)`;
const BATCH = 5_000;
const OWN = 'n.tenant_id = $1 AND n.user_id = $2';
const UNREAD = 'n.read_at IS NULL';

/** Id of the file or file type of a grant. */
const TARGET = `(n.parameters->>'targetId')::uuid`;

/**
 * SQL condition: the notification `n` is visible, because it is about an object that the caller can see, or
 * because it reports revoked access. Deleted objects are not visible. A grant is about its file or file type;
 * a file type is visible with `fileTypes.read`, or if all its files are. Disposals are visible to those who may read them.
 *
 * Scalar subqueries by primary key instead of EXISTS: for EXISTS, the planner may hash all documents of the
 * tenant to answer a page of fifty notifications. CASE avoids unnecessary lookups, and casts of texts that
 * are not UUIDs.
 */
function visibleNotifications(caller: Caller, bind: Bind): string {
  const document = `coalesce((SELECT ${readableDocuments(caller, 'd', bind)}
    FROM documents d WHERE d.tenant_id = $1 AND d.id = n.document_id), false)`;
  const file = (id: string) => `coalesce((SELECT ${visibleFiles(caller, 'f', bind)}
    FROM files f WHERE f.tenant_id = $1 AND f.id = ${id}), false)`;
  const seesTypes = caller.has('fileTypes.read') || caller.has('files.read');
  const fileType = seesTypes ? 'true' : grantedFileType(caller, TARGET, bind);
  const seesDisposals = DISPOSAL_READERS.some((permission) => caller.has(permission));
  return `CASE
    WHEN n.type LIKE 'Disposal%' THEN coalesce((SELECT ${seesDisposals} FROM disposals d
      WHERE d.tenant_id = $1 AND d.id = (n.parameters->>'disposalId')::uuid), false)
    WHEN n.type IN ('ConfidentialAccessRevoked', 'AccessRevoked') THEN true
    WHEN n.type <> 'AccessGranted' THEN
      CASE WHEN n.document_id IS NULL THEN true ELSE ${document} END
      AND CASE WHEN n.file_id IS NULL THEN true ELSE ${file('n.file_id')} END
    WHEN n.parameters->>'targetType' = 'File' THEN ${file(TARGET)}
    ELSE ${fileType}
    END`;
}
