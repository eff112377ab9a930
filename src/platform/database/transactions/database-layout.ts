import pg from 'pg';
import { ADVISORY_LOCKS } from '../advisory-locks.js';
import { type Query, distributionOf } from '../distribution/distributed-schema.js';
import { DatabaseSetupError } from '../service-role/service-role.js';
import { type Statement } from './tenant-batch.js';
import { type TenantContext, type UserContext } from './tenant-context.js';

/** Table of the access versions in a distributed database. */
export const ACCESS_VERSIONS = 'access_versions';

/** SQL about the tenant `$1`. Its values are `$3`, `$4`, … */
export interface Condition {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * What differs between a single PostgreSQL and one that Citus distributes: how a transaction gets its tenant, and where
 * the tenants' access versions are (docs/adr/0035).
 */
export interface DatabaseLayout {
  readonly isDistributed: boolean;
  /** Table with the columns `access_version` and `suspended_at`, and its column with the id of the tenant. */
  readonly accessVersions: { readonly table: string; readonly tenantId: string };
  /**
   * Parts of an INSERT … SELECT of new rows of the tenant `$1`. Citus accepts it on tables with row-level security only
   * if it reads a distributed table.
   */
  readonly newRows: { readonly tenantId: string; from(rows: string): string };
  /** Precedes a statement that reads all tenants, in a transaction without a tenant. */
  readonly allTenants: readonly Statement[];
  /**
   * Reads the ids (`tenantId`) of up to 1000 tenants with an audit entry that was queued longer than the interval `$1` ago,
   * by the database's clock (docs/adr/0039).
   */
  readonly queuedTenants: Statement;
  /** Statements around each batch that is a transaction of its own. */
  readonly begin: readonly Statement[];
  readonly commit: readonly Statement[];
  /**
   * Sets tenant and actor of a transaction, for row-level security, and reads the tenant's access version as
   * `accessVersion` with the last statement. Every transaction of a tenant starts with these statements.
   */
  setTenant(context: TenantContext): Statement[];
  /** Statements of a transaction in one round trip (`UnitOfWork.writeAtOnce`); null: there must be several. */
  readonly atOnce: {
    setTenant(context: TenantContext): Statement;
    /**
     * Fails with a division by zero when the access version has changed or the condition does not hold, so that nothing
     * is committed.
     */
    check(context: TenantContext, condition: Condition): Statement;
  } | null;
  /** The same for reads, which need no actor. May set nothing if the tenant does not exist. */
  setTenantToRead(context: TenantContext): Statement[];
  /** Sets the user of a transaction without a tenant. Only the view `own_tenants` has rows then (docs/adr/0032). */
  setUser(user: UserContext): Statement[];
  /**
   * Precedes several writes of a transaction to tables that Citus copies to every node. Citus locks such a table more
   * strictly for some writes than for others, so that concurrent transactions would end in a deadlock.
   */
  readonly lockReferenceTables: readonly Statement[];
  /**
   * Inserts the row of a new tenant, and its access version.
   *
   * @param builtInRoles Release whose permissions the tenant's built-in roles have.
   */
  insertTenant(tenantId: string, name: string, builtInRoles: string): Statement[];
}

export const SINGLE_SERVER: DatabaseLayout = {
  isDistributed: false,
  accessVersions: { table: 'tenants', tenantId: 'id' },
  newRows: { tenantId: '$1::uuid', from: (rows) => rows },
  allTenants: [],
  queuedTenants: {
    text: `SELECT tenant_id AS "tenantId" FROM queued_tenants WHERE queued_at < now() - $1::interval LIMIT 1000`,
    planEachTime: true,
  },
  begin: [],
  commit: [],
  lockReferenceTables: [],
  setTenant: ({ tenantId, actorId }) => [
    {
      text: `SELECT set_config('app.tenant_id', $1, true), set_config('app.actor_id', $2, true),
                    (SELECT access_version FROM tenants WHERE id = $1::uuid) AS "accessVersion"`,
      values: [tenantId, actorId ?? ''],
    },
  ],
  atOnce: {
    setTenant: ({ tenantId, actorId }) => ({
      text: `SELECT set_config('app.tenant_id', $1, true), set_config('app.actor_id', $2, true)`,
      values: [tenantId, actorId ?? ''],
    }),
    check: ({ tenantId, accessVersion }, { text, values }) => ({
      text: `SELECT 1 / (access_version = coalesce($2, access_version) AND ${text})::integer FROM tenants WHERE id = $1`,
      values: [tenantId, accessVersion, ...values],
    }),
  },
  setTenantToRead: ({ tenantId }) => [
    {
      text: `SELECT set_config('app.tenant_id', $1, true), access_version AS "accessVersion"
               FROM tenants WHERE id = $1::uuid`,
      values: [tenantId],
    },
  ],
  setUser: ({ userId, emailKey }) => [
    {
      text: `SELECT set_config('app.user_id', $1, true), set_config('app.user_email_key', $2, true)`,
      values: [userId, emailKey ?? ''],
    },
  ],
  insertTenant: (tenantId, name, builtInRoles) => [
    {
      text: 'INSERT INTO tenants (id, name, built_in_roles) VALUES ($1, $2, $3)',
      values: [tenantId, name, builtInRoles],
    },
  ],
};

/** Allows a statement on all shards, also where an operator refuses such statements. */
const ALL_SHARDS = setLocal('citus.multi_task_query_log_level', 'off');

/**
 * Citus sends the settings of `SET LOCAL` in an explicit transaction to the workers, but not those of `set_config` or of
 * the session.
 *
 * @param lockTimeout of the session, for locks on the workers
 */
const distributedLayout = (lockTimeout: string): DatabaseLayout => ({
  isDistributed: true,
  accessVersions: { table: ACCESS_VERSIONS, tenantId: 'tenant_id' },
  newRows: {
    tenantId: 'v.tenant_id',
    from: (rows) => `${ACCESS_VERSIONS} v, ${rows} WHERE v.tenant_id = $1`,
  },
  allTenants: [ALL_SHARDS],
  // Citus cannot execute the recursive query of the view on several shards.
  queuedTenants: {
    text: `SELECT DISTINCT tenant_id AS "tenantId" FROM event_queue WHERE queued_at < now() - $1::interval LIMIT 1000`,
    planEachTime: true,
  },
  begin: [{ text: 'BEGIN' }],
  commit: [{ text: 'COMMIT' }],
  lockReferenceTables: [
    { text: 'SELECT pg_advisory_xact_lock($1)', values: [ADVISORY_LOCKS.referenceTables] },
  ],
  atOnce: null,
  setTenant(context) {
    return [setLocal('app.actor_id', context.actorId ?? ''), ...this.setTenantToRead(context)];
  },
  setTenantToRead: ({ tenantId }) => [
    setLocal('lock_timeout', lockTimeout),
    setLocal('enable_seqscan', 'off'),
    setLocal('app.tenant_id', tenantId),
    {
      text: `SELECT access_version AS "accessVersion" FROM ${ACCESS_VERSIONS} WHERE tenant_id = $1`,
      values: [tenantId],
    },
  ],
  setUser: ({ userId, emailKey }) => [
    ALL_SHARDS,
    setLocal('app.user_id', userId),
    setLocal('app.user_email_key', emailKey ?? ''),
  ],
  insertTenant: (tenantId, name, builtInRoles) => [
    ...SINGLE_SERVER.insertTenant(tenantId, name, builtInRoles),
    { text: `INSERT INTO ${ACCESS_VERSIONS} (tenant_id) VALUES ($1)`, values: [tenantId] },
  ],
});

/** Throws a DatabaseSetupError when `distributeDatabase` was interrupted. */
export async function layoutOf(query: Query): Promise<DatabaseLayout> {
  const distribution = await distributionOf(query);
  if (distribution === 'interrupted')
    throw new DatabaseSetupError(
      'The distribution of the database was interrupted. Run npm run distribute again to complete it.',
    );
  if (distribution === 'none') return SINGLE_SERVER;
  const [session] = await query<{ lockTimeout: string }>(
    `SELECT current_setting('lock_timeout') AS "lockTimeout"`,
  );
  return distributedLayout(session?.lockTimeout ?? '0');
}

function setLocal(name: string, value: string): Statement {
  return { text: `SET LOCAL ${name} TO ${pg.escapeLiteral(value)}`, planEachTime: true };
}
