import { type Row, type Statement } from '../transactions/tenant-batch.js';
import { type ReplayPosition } from './primary-position.js';

/** Why a server cannot answer like the primary. */
export type Unfit = 'promoted' | 'other-system' | 'other-timeline' | 'behind' | 'clock';

/** A clock that differs more from that of the primary is wrong, in milliseconds. Grants expire by the clock. */
const CLOCK_TOLERANCE_MS = 1000;

/**
 * The replica follows the timeline of the primary if it has replayed a part of it. Otherwise it may be past the point
 * at which the primary was promoted, and miss what the primary has written since. The control file shows that later
 * than it happens; until then, the primary answers.
 */
const IDENTITY = `WHEN NOT pg_is_in_recovery() THEN 'promoted'
                  WHEN (SELECT system_identifier FROM pg_control_system())::text <> $2 THEN 'other-system'
                  WHEN (SELECT min_recovery_end_timeline FROM pg_control_recovery()) <> $3 THEN 'other-timeline'`;
const HAS_REPLAYED = `WHEN pg_last_wal_replay_lsn() >= $1::pg_lsn THEN NULL`;
const CLOCK = `(extract(epoch FROM clock_timestamp() - $4::timestamptz) * 1000)::float8 AS "clockMs"`;

/** Waits up to 10 ms: the primary may send the last records a moment later. `pg_sleep` does not return null. */
const CHECK = `SELECT CASE ${IDENTITY} ${HAS_REPLAYED}
                      ${[0.002, 0.003, 0.005].map((s) => `WHEN pg_sleep(${s}) IS NULL THEN NULL ${HAS_REPLAYED}`).join(' ')}
                      ELSE 'behind' END AS unfit, ${CLOCK}`;

/** Of the server, whether it is behind or not: the lag changes with each statement. */
const STATE = `SELECT CASE ${IDENTITY} END AS unfit, ${CLOCK},
                      greatest(pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()), 0)::float8 AS lag`;

const BEGIN: Statement = { text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' };
const COMMIT_AND_CHAIN: Statement = { text: 'COMMIT AND CHAIN' };
const IS_REPLICA: Statement = { text: 'SELECT pg_is_in_recovery() AS "isReplica"' };
const COMMIT: Statement = { text: 'COMMIT' };

interface Checked<U> {
  readonly unfit: U | null;
  readonly clockMs: number;
}

export interface StateRow extends Checked<Exclude<Unfit, 'behind'>> {
  /** In bytes. */
  readonly lag: number;
}

export interface ReplicaAnswer {
  /** Null if the rows are those of the primary. */
  readonly unfit: Unfit | null;
  /** The tenant's access version, of the same snapshot as the rows. */
  readonly accessVersion: unknown;
  readonly rows: Row[][];
}

function valuesOf({ lsn, system, timeline, clock }: ReplayPosition): unknown[] {
  return [lsn, system, timeline, clock];
}

export function stateStatement(position: ReplayPosition): { text: string; values: unknown[] } {
  return { text: STATE, values: valuesOf(position) };
}

/** Null if the server can answer like the primary, unless it is behind. */
export function stateOf(row: StateRow | undefined, position: ReplayPosition): StateRow['unfit'] {
  if (!row) throw new Error('The replica has not returned its state');
  return unfitOf(row, position);
}

/**
 * Statements for one round trip: the check in a transaction of its own, then `settings` and `statements` in one snapshot,
 * which is taken after the check. In one transaction, the snapshot would be older than the position that is checked. The
 * last query proves that the server was no primary yet when the snapshot was taken.
 */
export function replicaBatch(
  position: ReplayPosition,
  settings: readonly Statement[],
  statements: readonly Statement[],
): Statement[] {
  const check: Statement = { text: CHECK, values: valuesOf(position) };
  return [BEGIN, check, COMMIT_AND_CHAIN, ...settings, IS_REPLICA, ...statements, COMMIT];
}

/** Reads the rows of a {@link replicaBatch}. */
export function answerOf(rows: Row[][], position: ReplayPosition, settings: number): ReplicaAnswer {
  const first = 3 + settings;
  const checked = rows[1]?.[0] as unknown as Checked<Unfit>;
  const isReplica = rows[first]?.[0]?.isReplica === true;
  return {
    unfit: isReplica ? unfitOf(checked, position) : 'promoted',
    accessVersion: rows[first - 1]?.[0]?.accessVersion,
    rows: rows.slice(first + 1, -1),
  };
}

/** The clock of the replica may be ahead of the position's by the time since it was read. */
function unfitOf<U extends Unfit>(
  { unfit, clockMs }: Checked<U>,
  { requestedAt }: ReplayPosition,
): U | 'clock' | null {
  const latest = performance.now() - requestedAt + CLOCK_TOLERANCE_MS;
  return unfit ?? (clockMs < -CLOCK_TOLERANCE_MS || clockMs > latest ? 'clock' : null);
}
