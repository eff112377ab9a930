import { setTimeout as sleep } from 'node:timers/promises';
import { QUEUE_SCHEMA } from '../database/schema/queue-schema.js';

/** Flag and priority of a job that has already taken longer than SHORT_MS. */
export const LONG = { flag: 'long', priority: 1 };
/** Of the job that was chosen to be taken next; graphile-worker takes the smallest priority first. */
const CHOSEN = -1;

/** For a job that goes back to the queue: it is not the chosen one any more. */
export const UNCHOSEN = `priority = CASE WHEN flags ? '${LONG.flag}' THEN ${LONG.priority} ELSE 0 END`;

const HALF_LIFE_MS = 60_000;
const FORGOTTEN_MS = 1;

export const SHARE_DELAYS = {
  /** Every job may run this long, whoever waits. */
  short: 5000,
  /** Between two looks at who waits, for a job that takes longer. */
  look: 1000,
  /** How much more a tenant may use than others before a worker changes to them: a change costs a reading process. */
  turn: 2000,
};

/**
 * The first due job of each tenant that waits, with the time that the tenant has used. Finds the tenants by one look
 * into the index for each, however many jobs wait. `$1`: highest priority to be considered; `$2`, `$3`: tenants and
 * the milliseconds that they have used.
 */
const WAITING = `RECURSIVE tenant (id) AS (
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
const CHOOSE = `WITH ${WAITING}
  UPDATE ${QUEUE_SCHEMA}._private_jobs SET priority = ${CHOSEN}
   WHERE is_available AND id = (SELECT id FROM waiting ORDER BY used, run_at LIMIT 1)
     AND (SELECT count(*) FROM waiting) > 1`;

const RIVALS = `WITH ${WAITING}
  SELECT coalesce(bool_or(priority < ${LONG.priority}), false) AS short,
         coalesce(bool_or(priority = ${LONG.priority}), false) AS long
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
  keeps: boolean;
  /** Is postponed, and ends in a moment. */
  leaves: boolean;
}

/** Whether the first job of a tenant that has used less is a short one, or a long one. */
interface Rivals {
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
  #last: string | null = null;

  constructor(
    workers: number,
    private readonly delays = SHARE_DELAYS,
  ) {
    this.#workers = Math.max(1, workers);
  }

  /** Moves the job of the next tenant to the front of the queue. Returns the flags of jobs that must wait. */
  async chooseNext(query: Query): Promise<string[] | null> {
    const free = this.#hasPlace();
    const [priority, tenants, used] = this.#parameters(free ? LONG.priority : 0);
    const turn = (tenantId: string) => (tenantId === this.#last ? this.delays.turn : 0);
    await query(CHOOSE, [priority, tenants, used.map((ms, index) => ms - turn(tenants[index] ?? ''))]);
    return free ? null : [LONG.flag];
  }

  /** @param isLong whether it was postponed before */
  begin(tenantId: string, isLong: boolean, query: Query): RunningJob {
    const running: Running = { tenantId, since: Date.now(), keeps: isLong, leaves: false };
    const postponed = new AbortController();
    const ended = new AbortController();
    this.#running.add(running);
    if (!running.keeps) void this.#watch(running, query, postponed, ended.signal);
    return {
      signal: postponed.signal,
      end: () => {
        ended.abort();
        this.#running.delete(running);
        this.#last = tenantId;
        this.#used.set(tenantId, { ms: this.#usedBy(tenantId) + Date.now() - running.since, at: Date.now() });
      },
    };
  }

  async #watch(
    running: Running,
    query: Query,
    postponed: AbortController,
    ended: AbortSignal,
  ): Promise<void> {
    const pause = (ms: number) => sleep(ms, undefined, { signal: ended, ref: false }).catch(() => undefined);
    await pause(this.delays.short);
    while (!ended.aborted && !running.keeps && !postponed.signal.aborted) {
      // Without the database nobody can be let in.
      const rivals = await this.#rivalsOf(running, query).catch(() => null);
      const lets = rivals?.short || (rivals?.long && this.#hasPlace());
      if (rivals && !rivals.long && this.#hasPlace()) running.keeps = true;
      else if (lets && this.#isFull()) {
        running.leaves = true;
        postponed.abort(new Postponed());
      } else await pause(this.delays.look);
    }
  }

  async #rivalsOf({ tenantId }: Running, query: Query): Promise<Rivals> {
    const values = [...this.#parameters(LONG.priority), tenantId, this.#total(tenantId)];
    const { rows } = await query(RIVALS, values);
    return rows[0] as Rivals;
  }

  /** At least one worker stays without a long job, unless there is only one. */
  #hasPlace(): boolean {
    const taken = [...this.#running].filter(({ keeps }) => keeps).length;
    return taken < Math.max(1, this.#workers - 1);
  }

  /** One job makes room at a time. */
  #isFull(): boolean {
    return this.#running.size >= this.#workers && ![...this.#running].some(({ leaves }) => leaves);
  }

  #parameters(priority: number): [priority: number, tenants: string[], used: number[]] {
    for (const tenantId of this.#used.keys())
      if (this.#usedBy(tenantId) < FORGOTTEN_MS) this.#used.delete(tenantId);
    const tenants = [...new Set([...this.#used.keys(), ...[...this.#running].map((job) => job.tenantId)])];
    return [priority, tenants, tenants.map((tenantId) => this.#total(tenantId))];
  }

  /** Of jobs that have ended; the longer ago, the less it counts. */
  #usedBy(tenantId: string): number {
    const used = this.#used.get(tenantId);
    return used ? used.ms * 2 ** ((used.at - Date.now()) / HALF_LIFE_MS) : 0;
  }

  #total(tenantId: string): number {
    let total = this.#usedBy(tenantId);
    for (const job of this.#running) if (job.tenantId === tenantId) total += Date.now() - job.since;
    return total;
  }
}
