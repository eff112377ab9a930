import { setTimeout as sleep } from 'node:timers/promises';
import { QUEUE_SCHEMA } from '../database/schema/queue-schema.js';

/** Flag and priority of a job that runs after others: it was postponed because it took long, or was added so. */
export const LONG_JOB = { flag: 'long', priority: 1 };
/** Priority of the job that is to run next. graphile-worker takes the job with the smallest priority first. */
const CHOSEN_PRIORITY = -1;

/** Assignment that resets the priority of a job that returns to the queue. */
export const RESET_PRIORITY = `priority = CASE WHEN flags ? '${LONG_JOB.flag}' THEN ${LONG_JOB.priority} ELSE 0 END`;

/** After this time, a tenant's used time counts half. */
const HALF_LIFE_MS = 60_000;
/** A tenant with less used time is removed from memory. */
const MIN_USED_MS = 1;

/** In milliseconds. */
export const SHARE_DELAYS = {
  /** A job is never postponed before it has run this long. */
  minimumRun: 5000,
  /** Interval of checks for waiting jobs of other tenants, once a job has run longer than that. */
  checkInterval: 1000,
  /**
   * How much more time than others a tenant may use before a worker switches to another tenant. A switch starts a new
   * reading process.
   */
  tenantSwitch: 2000,
};

/**
 * The first due job of each tenant with waiting jobs, and the tenant's used time. Needs one index lookup per tenant,
 * regardless of the number of jobs. `$1`: highest priority to consider; `$2`, `$3`: tenants and their used
 * milliseconds.
 */
const WAITING_TENANTS = `RECURSIVE tenant (id) AS (
    (SELECT payload ->> 'tenantId' FROM ${QUEUE_SCHEMA}._private_jobs WHERE is_available ORDER BY 1 LIMIT 1)
    UNION ALL
    SELECT (SELECT j.payload ->> 'tenantId' FROM ${QUEUE_SCHEMA}._private_jobs j
             WHERE j.is_available AND j.payload ->> 'tenantId' > t.id ORDER BY 1 LIMIT 1)
      FROM tenant t WHERE t.id IS NOT NULL
  ), waiting AS (
    SELECT t.id AS tenant_id, first.id, first.priority, first.since, coalesce(u.ms, 0) AS used
      FROM tenant t
     CROSS JOIN LATERAL (
       SELECT j.id, j.priority, greatest(j.run_at, j.created_at) AS since FROM ${QUEUE_SCHEMA}._private_jobs j
        WHERE j.is_available AND j.payload ->> 'tenantId' = t.id AND j.priority BETWEEN 0 AND $1 AND j.run_at <= now()
        ORDER BY j.priority, j.run_at LIMIT 1) first
      LEFT JOIN unnest($2::text[], $3::float8[]) AS u (id, ms) ON u.id = t.id
  )`;

/** Does nothing when only one tenant has jobs: graphile-worker then takes the right job by itself. */
const CHOOSE = `WITH ${WAITING_TENANTS}
  UPDATE ${QUEUE_SCHEMA}._private_jobs SET priority = ${CHOSEN_PRIORITY}
   WHERE is_available AND id = (SELECT id FROM waiting ORDER BY used, since LIMIT 1)
     AND (SELECT count(*) FROM waiting) > 1`;

const COMPETING_JOBS = `WITH ${WAITING_TENANTS}
  SELECT coalesce(bool_or(priority < ${LONG_JOB.priority}), false) AS short,
         coalesce(bool_or(priority = ${LONG_JOB.priority}), false) AS long
    FROM waiting WHERE tenant_id <> $4 AND used < $5`;

/** Runs a query on a connection of the queue, which is not shared with requests. */
type Query = (text: string, values: unknown[]) => Promise<{ rows: unknown[] }>;

interface RunningJob {
  /** Aborted when the job is postponed in favour of other tenants. */
  readonly signal: AbortSignal;
  /** Must be called when the attempt has ended. */
  end(): void;
}

interface Running {
  readonly tenantId: string;
  readonly since: number;
  /** Whether it has one of the slots for long jobs. It keeps the slot until it ends. */
  hasLongSlot: boolean;
  /** Whether it was postponed and is about to end. */
  isPostponed: boolean;
}

/** Whether tenants with less used time have a short job, or a long job, as their first waiting one. */
interface CompetingJobs {
  readonly short: boolean;
  readonly long: boolean;
}

/**
 * Shares the workers of this instance among tenants (docs/adr/0019):
 *
 * - The next job belongs to the tenant that has recently used the least time on this instance. A worker stays with a
 *   tenant for about two seconds, because a reading process reads files of one tenant only.
 * - A job that takes longer than five seconds keeps its worker if a slot for long jobs is free. All workers but one are
 *   such slots. Without a free slot, it runs until a job of a tenant with less used time waits; then it is postponed.
 * - A postponed job starts from the beginning when a slot is free, after the other jobs of its tenant.
 */
export class FairShare {
  readonly #used = new Map<string, { ms: number; at: number }>();
  readonly #running = new Set<Running>();
  readonly #workers: number;
  /** Tenant of the job that ended last. */
  #lastTenantId: string | null = null;

  constructor(
    workers: number,
    private readonly delays = SHARE_DELAYS,
  ) {
    this.#workers = Math.max(1, workers);
  }

  /** Moves the next tenant's job to the front of the queue. Returns the flags of jobs that must not be taken now. */
  async chooseNext(query: Query): Promise<string[] | null> {
    const free = this.#hasFreeLongSlot();
    const [priority, tenants, used] = this.#parameters(free ? LONG_JOB.priority : 0);
    const turn = (tenantId: string) => (tenantId === this.#lastTenantId ? this.delays.tenantSwitch : 0);
    await query(CHOOSE, [priority, tenants, used.map((ms, index) => ms - turn(tenants[index] ?? ''))]);
    return free ? null : [LONG_JOB.flag];
  }

  /** @param isLong Whether the job was postponed before. */
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
      // Errors are ignored: without the database, no other job can start.
      const competing = await this.#competingJobs(running, query).catch(() => null);
      const isNeeded = competing?.short || (competing?.long && this.#hasFreeLongSlot());
      if (competing && !competing.long && this.#hasFreeLongSlot()) running.hasLongSlot = true;
      else if (isNeeded && this.#canPostpone()) {
        running.isPostponed = true;
        postponed.abort(new Error('The job takes long, and jobs of other tenants are waiting.'));
      } else await pause(this.delays.checkInterval);
    }
  }

  async #competingJobs({ tenantId }: Running, query: Query): Promise<CompetingJobs> {
    const values = [...this.#parameters(LONG_JOB.priority), tenantId, this.#totalMs(tenantId)];
    const { rows } = await query(COMPETING_JOBS, values);
    return rows[0] as CompetingJobs;
  }

  /** One worker is never used for long jobs, unless there is only one. */
  #hasFreeLongSlot(): boolean {
    const taken = [...this.#running].filter(({ hasLongSlot }) => hasLongSlot).length;
    return taken < Math.max(1, this.#workers - 1);
  }

  /** Whether all workers are busy and no other job is being postponed. */
  #canPostpone(): boolean {
    return this.#running.size >= this.#workers && ![...this.#running].some(({ isPostponed }) => isPostponed);
  }

  #parameters(priority: number): [priority: number, tenants: string[], used: number[]] {
    for (const tenantId of this.#used.keys())
      if (this.#usedMs(tenantId) < MIN_USED_MS) this.#used.delete(tenantId);
    const tenants = [...new Set([...this.#used.keys(), ...[...this.#running].map((job) => job.tenantId)])];
    return [priority, tenants, tenants.map((tenantId) => this.#totalMs(tenantId))];
  }

  /** Used time of ended jobs. The longer ago it was, the less it counts. */
  #usedMs(tenantId: string): number {
    const used = this.#used.get(tenantId);
    return used ? used.ms * 2 ** ((used.at - Date.now()) / HALF_LIFE_MS) : 0;
  }

  /** Used time of ended and running jobs. */
  #totalMs(tenantId: string): number {
    let total = this.#usedMs(tenantId);
    for (const job of this.#running) if (job.tenantId === tenantId) total += Date.now() - job.since;
    return total;
  }
}
