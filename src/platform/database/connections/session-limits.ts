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

/** The limits as the value of pg's connection option `options`; they apply from the start of the session. */
export function limitOptions({ statementMs, lockMs, idleInTransactionMs }: SessionLimits): string {
  return [
    `-c statement_timeout=${statementMs}`,
    `-c lock_timeout=${lockMs}`,
    `-c idle_in_transaction_session_timeout=${idleInTransactionMs}`,
  ].join(' ');
}
