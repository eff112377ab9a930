import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIGURATION, type Configuration } from '../../platform/config/configuration.js';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { type Bind, SqlParameters } from '../../platform/database/sql-parameters.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../platform/database/transactions/tenant-transaction.js';
import { NotificationEntity } from '../../platform/recording/notification.entity.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import {
  grantedFileType,
  readableDocuments,
  visibleFiles,
} from '../../platform/tenancy/access/visibility.js';
import { type ExpiringRows } from '../../platform/tenancy/tenants/expiry-sweep.js';

export type NotificationRow = Pick<NotificationEntity, 'id' | 'type' | 'parameters' | 'createdAt' | 'readAt'>;

/**
 * The caller's own notifications. Notifications about invisible objects are treated as if they did not exist.
 */
@Injectable()
export class NotificationsRepository extends TenantRepository<NotificationEntity> implements ExpiringRows {
  private readonly rowColumns: string;
  private readonly days: number;

  constructor(dataSource: DataSource, @Inject(CONFIGURATION) configuration: Configuration) {
    super(dataSource, NotificationEntity);
    this.days = configuration.notificationRetentionDays;
    this.rowColumns = this.select('n', ['id', 'type', 'parameters', 'createdAt', 'readAt']);
  }

  list(
    tx: TenantTransaction,
    caller: Caller,
    unreadOnly: boolean,
    after: Position | null,
    limit: number,
  ): Promise<NotificationRow[]> {
    const values = new SqlParameters(tx.tenantId, caller.user.id);
    const { bind } = values;
    const conditions = [OWN, ...(unreadOnly ? [UNREAD] : []), visibleNotifications(caller, bind)];
    if (after) {
      conditions.push(`(n.created_at, n.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`);
    }
    return tx.query<NotificationRow>(
      `SELECT ${this.rowColumns} FROM notifications n WHERE ${conditions.join(' AND ')}
        ORDER BY n.created_at DESC, n.id DESC LIMIT ${bind(limit + 1)}`,
      values.list,
    );
  }

  async lockVisible(tx: TenantTransaction, caller: Caller, id: string): Promise<NotificationRow | null> {
    const values = new SqlParameters(tx.tenantId, caller.user.id, id);
    const [row] = await tx.query<NotificationRow>(
      `SELECT ${this.rowColumns} FROM notifications n
        WHERE ${OWN} AND n.id = $3 AND ${visibleNotifications(caller, values.bind)} FOR NO KEY UPDATE OF n`,
      values.list,
    );
    return row ?? null;
  }

  async markRead(tx: TenantTransaction, id: string): Promise<void> {
    await tx.query('UPDATE notifications SET read_at = now() WHERE tenant_id = $1 AND id = $2', [
      tx.tenantId,
      id,
    ]);
  }

  /** Invisible notifications stay unread: when they become visible again, they are new to the caller. */
  async markAllRead(tx: TenantTransaction, caller: Caller): Promise<void> {
    const values = new SqlParameters(tx.tenantId, caller.user.id);
    await tx.query(
      `UPDATE notifications n SET read_at = now() WHERE ${OWN} AND ${UNREAD} AND ${visibleNotifications(caller, values.bind)}`,
      values.list,
    );
  }

  async hasUnmarked(tx: TenantTransaction): Promise<boolean> {
    const rows = await tx.query(`SELECT FROM notifications WHERE ${EXPIRED} LIMIT 1`, [
      tx.tenantId,
      this.days,
    ]);
    return rows.length > 0;
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
 * a file type is visible with `fileTypes.read`, or if all its files are.
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
  return `CASE
    WHEN n.type IN ('ConfidentialAccessRevoked', 'AccessRevoked') THEN true
    WHEN n.type <> 'AccessGranted' THEN
      CASE WHEN n.document_id IS NULL THEN true ELSE ${document} END
      AND CASE WHEN n.file_id IS NULL THEN true ELSE ${file('n.file_id')} END
    WHEN n.parameters->>'targetType' = 'File' THEN ${file(TARGET)}
    ELSE ${fileType}
    END`;
}
