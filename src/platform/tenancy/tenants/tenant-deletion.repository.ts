import { tenantTables } from '../../database/distribution/distributed-schema.js';
import { type WriteTransaction } from '../../database/transactions/tenant-transaction.js';
import { REMOVE_JOBS } from '../../jobs/suspended-jobs.js';

/** What a deletion destroys. Times in UTC. */
export interface TenantRecord {
  readonly tenantId: string;
  readonly slugs: readonly string[];
  readonly name: string;
  readonly createdAt: string;
  readonly suspendedAt: string;
  readonly deletedAt: string;
  /** `size` in bytes. */
  readonly contents: { readonly count: number; readonly size: number };
  /** The log, the number of its entries, and the last stored checkpoint (docs/evidence.md). */
  readonly auditLog: {
    readonly id: string | null;
    readonly entries: number;
    readonly lastCheckpoint: string | null;
  };
  /** Number of deleted rows by table. */
  readonly rows: Readonly<Record<string, number>>;
}

/** SQL of the deletion of a tenant, in transactions of the owner of the database. */
export class TenantDeletionRepository {
  async isSuspended(tx: WriteTransaction): Promise<boolean> {
    const statement = 'SELECT FROM tenants WHERE id = $1 AND suspended_at IS NOT NULL';
    return (await tx.queryOrNull(statement, [tx.tenantId])) !== null;
  }

  /** Null if the tenant is not suspended. Locks the tenant until the commit. */
  async findRecord(tx: WriteTransaction): Promise<Omit<TenantRecord, 'rows'> | null> {
    await tx.startAccessChange();
    const values = [tx.tenantId];
    const [[tenant], slugs, [contents], [log], [checkpoint]] = await tx.queryAll<
      [
        Pick<TenantRecord, 'tenantId' | 'name' | 'createdAt' | 'suspendedAt' | 'deletedAt'>,
        { slug: string },
        TenantRecord['contents'],
        { id: string; entries: number },
        { note: string },
      ]
    >([
      {
        text: `SELECT id AS "tenantId", name, created_at AS "createdAt", suspended_at AS "suspendedAt",
                    now()::timestamptz(3) AS "deletedAt"
               FROM tenants WHERE id = $1 AND suspended_at IS NOT NULL`,
        values,
      },
      { text: 'SELECT slug FROM tenant_slugs WHERE tenant_id = $1 ORDER BY expires_at DESC', values },
      {
        text: `SELECT count(*)::int AS count, coalesce(sum(size), 0)::bigint AS size FROM contents WHERE tenant_id = $1`,
        values,
      },
      { text: 'SELECT id, next_sequence AS entries FROM event_logs WHERE tenant_id = $1', values },
      {
        text: 'SELECT note FROM audit_checkpoints WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1',
        values,
      },
    ]);
    if (!tenant) return null;
    return {
      ...tenant,
      slugs: slugs.map(({ slug }) => slug),
      contents: contents ?? { count: 0, size: 0 },
      auditLog: { id: log?.id ?? null, entries: log?.entries ?? 0, lastCheckpoint: checkpoint?.note ?? null },
    };
  }

  /** Deletes the rows of all tables but the tenant itself, its slugs and access version. Returns their number by table. */
  async deleteRows(tx: WriteTransaction): Promise<Record<string, number>> {
    const kept = ['tenant_slugs', tx.layout.accessVersions.table];
    const query = <R extends object>(text: string, values?: unknown[]) => tx.query<R>(text, values ?? []);
    const tables = await tenantTables(query, kept);
    const keys = await tx.query<{ child: string; parent: string }>(
      `SELECT child.relname AS child, parent.relname AS parent
       FROM pg_constraint k JOIN pg_class child ON child.oid = k.conrelid JOIN pg_class parent ON parent.oid = k.confrelid
      WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace`,
      [],
    );
    const rows: Record<string, number> = {};
    for (const table of childrenFirst(tables, keys)) {
      const [deleted] = await tx.query<{ count: number }>(
        `WITH deleted AS (DELETE FROM ${table} WHERE tenant_id = $1 RETURNING tenant_id)
       SELECT count(*)::int AS count FROM deleted`,
        [tx.tenantId],
      );
      if (deleted && deleted.count > 0) rows[table] = deleted.count;
    }
    return rows;
  }

  /** Removes the waiting jobs. Returns the number of those that are running. */
  async removeJobs(tx: WriteTransaction): Promise<number> {
    const [jobs] = await tx.query<{ running: number }>(REMOVE_JOBS, [tx.tenantId]);
    return jobs?.running ?? 0;
  }

  /** Deletes what {@link deleteRows} has kept. */
  async deleteTenant(tx: WriteTransaction): Promise<void> {
    const values = [tx.tenantId];
    const { isDistributed, accessVersions, lockReferenceTables } = tx.layout;
    await tx.queryAll([
      ...lockReferenceTables,
      ...(isDistributed
        ? [{ text: `DELETE FROM ${accessVersions.table} WHERE tenant_id = $1`, values }]
        : []),
      { text: 'DELETE FROM tenant_slugs WHERE tenant_id = $1', values },
      { text: 'DELETE FROM tenants WHERE id = $1', values },
    ]);
  }
}

/** Sorts the tables so that a table with a foreign key comes before the table that the key refers to. */
export function childrenFirst(
  tables: readonly string[],
  keys: readonly { readonly child: string; readonly parent: string }[],
): string[] {
  const sorted: string[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const isParent = (table: string) =>
      keys.some(({ child, parent }) => parent === table && child !== table && left.includes(child));
    const next = left.filter((table) => !isParent(table));
    if (next.length === 0) throw new Error(`Foreign keys form a circle among ${left.join(', ')}.`);
    sorted.push(...next);
    left = left.filter((table) => !next.includes(table));
  }
  return sorted;
}
