import { setTimeout as sleep } from 'node:timers/promises';
import { QUEUE_SCHEMA } from '../database/schema/queue-schema.js';

/** Flag and priority of a job that has already taken longer than SHORT_MS. */
export const LONG_JOB = { flag: 'long', priority: 1 };
/** Of the job that was chosen to be taken next; graphile-worker takes the smallest priority first. */
const CHOSEN_PRIORITY = -1;

/** For a job that goes back to the queue: it is not the chosen one any more. */
export const RESET_PRIORITY = `priority = CASE WHEN flags ? '${LONG_JOB.flag}' THEN ${LONG_JOB.priority} ELSE 0 END`;

const HALF_LIFE_MS = 60_000;
const MIN_USED_MS = 1;

export const SHARE_DELAYS = {
  /** Every job may run this long, whoever waits. */
  minimumRun: 5000,
  /** Between two looks at who waits, for a job that takes longer. */
  checkInterval: 1000,
  /** How much more a tenant may use than others before a worker changes to them: a change costs a reading process. */
  tenantSwitch: 2000,
};

/**
 * The first due job of each tenant that waits, with the time that the tenant has used. Finds the tenants by one look
 * into the index for each, however many jobs wait. `$1`: highest priority to be considered; `$2`, `$3`: tenants and
 * the milliseconds that they have used.
 */
const WAITING_TENANTS = `RECURSIVE tenant (id) AS (
    (SELECT payload ->> 'tenantId' FROM ${QUEUE_SCHEMA}._private_jobs WHERE is_available ORDER BY 1 LIMIT 1)
    UNION ALL
    SELECT (SELECT j.payload ->> 'tenantId' FROM ${QUEUE_SCHEMA}._private_jobs j
             WHERE j.is_available AND j.payload ->> 'tenantId' > t.id ORDER BY 1 LIMIT 1)
      FROM tenant t WHERE t.id IS NOT NULL
  ), waiting AS (
    SELECT t.id AS tenant_id, first.id, first.priority, first.run_at, coalesce(u.ms, 0) AS used
      FROM tenant t
     CROSS JOIN LATERAL (
       SELECT j.id, j.priority, j.run_at FROM ${QUEUE_SCHEMA}._private_jobs j
        WHERE j.is_available AND j.payload ->> 'tenantId' = t.id AND j.priority BETWEEN 0 AND $1 AND j.run_at <= now()
        ORDER BY j.priority, j.run_at LIMIT 1) first
      LEFT JOIN unnest($2::text[], $3::float8[]) AS u (id, ms) ON u.id = t.id
  )`;

/** Of one tenant alone, graphile-worker takes the right job by itself. */
const CHOOSE = `WITH ${WAITING_TENANTS}
  UPDATE ${QUEUE_SCHEMA}._private_jobs SET priority = ${CHOSEN_PRIORITY}
   WHERE is_available AND id = (SELECT id FROM waiting ORDER BY used, run_at LIMIT 1)
     AND (SELECT count(*) FROM waiting) > 1`;

const COMPETING_JOBS = `WITH ${WAITING_TENANTS}
  SELECT coalesce(bool_or(priority < ${LONG_JOB.priority}), false) AS short,
         coalesce(bool_or(priority = ${LONG_JOB.priority}), false) AS long
    FROM waiting WHERE tenant_id <> $4 AND used < $5`;

/** On a connection of the queue, which requests do not use up. */
type Query = (text: string, values: unknown[]) => Promise<{ rows: unknown[] }>;

/** Aborts the attempt at a job that has to make room for those of other tenants. */
class Postponed extends Error {
  constructor() {
    super('The job takes long, and other tenants wait.');
    this.name = 'Postponed';
  }
}

interface RunningJob {
  /** Aborted with Postponed when the job has to make room. */
  readonly signal: AbortSignal;
  /** To be called when the attempt has ended. */
  end(): void;
}

interface Running {
  readonly tenantId: string;
  readonly since: number;
  /** Has one of the places for long jobs, and keeps it. */
  hasLongSlot: boolean;
  /** Is postponed, and ends in a moment. */
  isPostponed: boolean;
}

/** Whether the first job of a tenant that has used less is a short one, or a long one. */
interface CompetingJobs {
  readonly short: boolean;
  readonly long: boolean;
}

/**
 * Shares the workers of this instance among tenants (docs/adr/0019):
 *
 * - The next job is one of the tenant that has used the least time lately, of what was used here. A worker stays with
 *   a tenant for about two seconds, since a reading process reads files of one tenant only.
 * - A job that takes longer than five seconds keeps its worker if one of the places for long jobs is free: all workers
 *   but one. Otherwise it goes on until a tenant waits that has used less; then it is postponed.
 * - A postponed job begins anew when such a place is free, behind the other jobs of its tenant.
 */
export class FairShare {
  readonly #used = new Map<string, { ms: number; at: number }>();
  readonly #running = new Set<Running>();
  readonly #workers: number;
  /** Whose job the worker did that looks for the next one. */
  #lastTenantId: string | null = null;

  constructor(
    workers: number,
    private readonly delays = SHARE_DELAYS,
  ) {
    this.#workers = Math.max(1, workers);
  }

  /** Moves the job of the next tenant to the front of the queue. Returns the flags of jobs that must wait. */
  async chooseNext(query: Query): Promise<string[] | null> {
    const free = this.#hasFreeLongSlot();
    const [priority, tenants, used] = this.#parameters(free ? LONG_JOB.priority : 0);
    const turn = (tenantId: string) => (tenantId === this.#lastTenantId ? this.delays.tenantSwitch : 0);
    await query(CHOOSE, [priority, tenants, used.map((ms, index) => ms - turn(tenants[index] ?? ''))]);
    return free ? null : [LONG_JOB.flag];
  }

  /** @param isLong whether it was postponed before */
  begin(tenantId: string, isLong: boolean, query: Query): RunningJob {
    const running: Running = { tenantId, since: Date.now(), hasLongSlot: isLong, isPostponed: false };
    const postponed = new AbortController();
    const ended = new AbortController();
    this.#running.add(running);
    if (!running.hasLongSlot) void this.#postponeWhenNeeded(running, query, postponed, ended.signal);
    return {
      signal: postponed.signal,
      end: () => {
        ended.abort();
        this.#running.delete(running);
        this.#lastTenantId = tenantId;
        this.#used.set(tenantId, { ms: this.#usedMs(tenantId) + Date.now() - running.since, at: Date.now() });
      },
    };
  }

  async #postponeWhenNeeded(
    running: Running,
    query: Query,
    postponed: AbortController,
    ended: AbortSignal,
  ): Promise<void> {
    const pause = (ms: number) => sleep(ms, undefined, { signal: ended, ref: false }).catch(() => undefined);
    await pause(this.delays.minimumRun);
    while (!ended.aborted && !running.hasLongSlot && !postponed.signal.aborted) {
      // Without the database nobody can be let in.
      const competing = await this.#competingJobs(running, query).catch(() => null);
      const lets = competing?.short || (competing?.long && this.#hasFreeLongSlot());
      if (competing && !competing.long && this.#hasFreeLongSlot()) running.hasLongSlot = true;
      else if (lets && this.#canPostpone()) {
        running.isPostponed = true;
        postponed.abort(new Postponed());
      } else await pause(this.delays.checkInterval);
    }
  }

  async #competingJobs({ tenantId }: Running, query: Query): Promise<CompetingJobs> {
    const values = [...this.#parameters(LONG_JOB.priority), tenantId, this.#totalMs(tenantId)];
    const { rows } = await query(COMPETING_JOBS, values);
    return rows[0] as CompetingJobs;
  }

  /** At least one worker stays without a long job, unless there is only one. */
  #hasFreeLongSlot(): boolean {
    const taken = [...this.#running].filter(({ hasLongSlot: keeps }) => keeps).length;
    return taken < Math.max(1, this.#workers - 1);
  }

  /** One job makes room at a time. */
  #canPostpone(): boolean {
    return (
      this.#running.size >= this.#workers && ![...this.#running].some(({ isPostponed: leaves }) => leaves)
    );
  }

  #parameters(priority: number): [priority: number, tenants: string[], used: number[]] {
    for (const tenantId of this.#used.keys())
      if (this.#usedMs(tenantId) < MIN_USED_MS) this.#used.delete(tenantId);
    const tenants = [...new Set([...this.#used.keys(), ...[...this.#running].map((job) => job.tenantId)])];
    return [priority, tenants, tenants.map((tenantId) => this.#totalMs(tenantId))];
  }

  /** Of jobs that have ended; the longer ago, the less it counts. */
  #usedMs(tenantId: string): number {
    const used = this.#used.get(tenantId);
    return used ? used.ms * 2 ** ((used.at - Date.now()) / HALF_LIFE_MS) : 0;
  }

  #totalMs(tenantId: string): number {
    let total = this.#usedMs(tenantId);
    for (const job of this.#running) if (job.tenantId === tenantId) total += Date.now() - job.since;
    return total;
  }
}
