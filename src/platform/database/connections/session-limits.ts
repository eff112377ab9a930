/** What the server ends by itself on a connection of ours, in milliseconds. */
interface SessionLimits {
  readonly statementMs: number;
  readonly lockMs: number;
  readonly idleInTransactionMs: number;
}

/** For connections whose statements take milliseconds: those of the job queue, and those that only hold a lock. */
export const SHORT_STATEMENT_LIMITS: SessionLimits = {
  statementMs: 30_000,
  lockMs: 10_000,
  idleInTransactionMs: 60_000,
};

/** The settings as the option `options` of a connection takes them; they hold from its start. */
export function limitOptions({ statementMs, lockMs, idleInTransactionMs }: SessionLimits): string {
  return [
    `-c statement_timeout=${statementMs}`,
    `-c lock_timeout=${lockMs}`,
    `-c idle_in_transaction_session_timeout=${idleInTransactionMs}`,
  ].join(' ');
}
