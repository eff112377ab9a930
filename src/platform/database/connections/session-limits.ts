/** PostgreSQL enforces these timeouts on the connection. */
interface SessionLimits {
  readonly statementMs: number;
  readonly lockMs: number;
  readonly idleInTransactionMs: number;
}

/** For connections with short statements only: those of the job queue, and those that hold an advisory lock. */
export const SHORT_STATEMENT_LIMITS: SessionLimits = {
  statementMs: 30_000,
  lockMs: 10_000,
  idleInTransactionMs: 60_000,
};

/** PostgreSQL settings by name. */
export type SessionSettings = Readonly<Record<string, string>>;

function limitSettings({ statementMs, lockMs, idleInTransactionMs }: SessionLimits): SessionSettings {
  return {
    statement_timeout: String(statementMs),
    lock_timeout: String(lockMs),
    idle_in_transaction_session_timeout: String(idleInTransactionMs),
  };
}

/** Makes Citus send the settings of a transaction to the workers. Without Citus, the setting has no effect. */
export const CITUS_SETTINGS: SessionSettings = { 'citus.propagate_set_commands': 'local' };

/** Also lets a migration change a table in the transaction that distributes it. */
export const OWNER_SETTINGS: SessionSettings = {
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  'citus.multi_shard_modify_mode': 'sequential',
  ...CITUS_SETTINGS,
};

/**
 * Every statement names its tenant, and every table of tenants has an index that begins with the tenant. With
 * unfortunate statistics, a scan of the rows of all tenants looks cheaper than such an index. JIT compilation pays off
 * for long queries only.
 */
export const PLANNER_SETTINGS: SessionSettings = { enable_seqscan: 'off', jit: 'off' };

/** The settings of connections that serve requests and jobs. */
export function serviceSettings(statementTimeoutMs: number): SessionSettings {
  return {
    TimeZone: 'UTC',
    DateStyle: 'ISO',
    ...PLANNER_SETTINGS,
    ...CITUS_SETTINGS,
    ...limitSettings({
      statementMs: statementTimeoutMs,
      lockMs: lockTimeoutMs(statementTimeoutMs),
      idleInTransactionMs: Math.max(60_000, statementTimeoutMs),
    }),
  };
}

/**
 * How long a statement may wait for a lock: a tenth of the statement timeout, at least 3 s. The limit is short
 * because a waiting statement occupies a connection.
 */
export function lockTimeoutMs(statementTimeoutMs: number): number {
  return Math.min(statementTimeoutMs, Math.max(3000, Math.round(statementTimeoutMs / 10)));
}

/** The settings as the value of pg's connection option `options`; they apply from the start of the session. */
export function startOptions(settings: SessionSettings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

export function limitOptions(limits: SessionLimits): string {
  return startOptions(limitSettings(limits));
}
