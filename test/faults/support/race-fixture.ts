import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Response, type Test } from 'supertest';
import { type ProblemCode } from '../../../src/common/messages/problems.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { TestService } from '../../support/service/service.js';
import { type AuditRow, type TestTenant } from '../../support/tenant.js';
import { SeededRandom } from './seeded-random.js';

/** Rounds of a race: a round takes a moment where others of these tests take half a minute. */
export const ROUNDS = 5 * Number(process.env.FAULT_ROUNDS ?? 20);
/** Another seed, other numbers of writers in another order. */
const SEED = process.env.FAULT_SEED ?? '1';
/** Requests of a round begin within so many milliseconds, lest what takes the shorter way always comes first. */
const STAGGERS_MS = [0, 4, 25];
/** A round takes a moment; on a slow machine with much else to do, a long one. */
const ROUND_TIMEOUT_MS = 60_000;
/** However long a request waits for one of the connections, or a statement for the machine: that is no failure of ours. */
const LONG_DATABASE_TIMEOUTS = {
  DATABASE_ACQUIRE_TIMEOUT_MS: '300000',
  DATABASE_STATEMENT_TIMEOUT_MS: '300000',
};

/** One round of a race. */
export interface Round {
  readonly number: number;
  readonly random: SeededRandom;
  /** How many write at once: two to ten. */
  readonly writers: number;
  /** The same person, calling one instance or the other. */
  readonly onAnyInstance: (actor: Actor) => Actor;
  /** Sends all of them at once, in any order; the answers are in the order given. None may be a failure of ours. */
  readonly concurrently: (
    requests: readonly Test[],
    ...besides: readonly (() => Promise<void>)[]
  ) => Promise<Response[]>;
}

/** Two instances of the service on one database, for the tests of a `describe`, and many who write at once. */
export class RaceFixture {
  service!: TestService;
  second!: SecondInstance;

  constructor() {
    beforeAll(async () => {
      this.service = await TestService.start(LONG_DATABASE_TIMEOUTS);
      this.second = await SecondInstance.start(this.service);
      // Made once, not by each request to the second instance anew.
      void this.service.conformance;
    }, 300_000);
    afterAll(async () => {
      await this.second?.stop();
      await this.service?.stop();
    }, 300_000);
  }

  /**
   * A test of as many rounds. What `run` returns says how the round went, for the tally that is told at the end; what
   * it throws is told with the round, which the seed repeats as far as the order of the requests goes.
   */
  race(title: string, run: (round: Round) => Promise<string>, rounds = ROUNDS): void {
    const race = async () => {
      const tally = new Map<string, number>();
      let requests = 0;
      for (let number = 1; number <= rounds; number += 1) {
        const random = new SeededRandom(`${SEED} ${title} ${number}`);
        const concurrently: Round['concurrently'] = async (tests, ...besides) => {
          requests += tests.length;
          return startAll(random, tests, besides);
        };
        const onAnyInstance = (actor: Actor) => (random.next() < 0.5 ? actor : this.second.actor(actor));
        try {
          const outcome = await run({
            number,
            random,
            writers: random.between(2, 10),
            onAnyInstance,
            concurrently,
          });
          tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
        } catch (error) {
          throw new Error(`Round ${number}, seed ${SEED}: ${(error as Error).message}`, { cause: error });
        }
      }
      const counts = [...tally].sort().map(([outcome, count]) => `${outcome} ${count}`);
      process.stderr.write(`${title}: ${rounds} rounds, ${requests} requests: ${counts.join(', ')}\n`);
    };
    it(title, race, rounds * ROUND_TIMEOUT_MS + 300_000);
  }

  /** Takes what the audit log of the tenant has to tell, so that the next round finds only its own. */
  takeAuditEntries(tenant: TestTenant): Promise<AuditRow[]> {
    return this.service.query<AuditRow>(
      `WITH taken AS (DELETE FROM audit_entries WHERE tenant_id = $1 RETURNING *)
       SELECT actor_id, actor_name, action, subject_type, subject_id, summary FROM taken
        WHERE action <> 'TenantCreated' ORDER BY occurred_at, id`,
      [tenant.id],
    );
  }

  /** The ids of all rows of the tenant in the table. */
  async ids(tenant: TestTenant, table: string, column = 'id'): Promise<Set<string>> {
    const rows = await this.service.query<{ id: string }>(
      `SELECT ${column} AS id FROM ${table} WHERE tenant_id = $1`,
      [tenant.id],
    );
    return new Set(rows.map(({ id }) => id));
  }
}

async function startAll(
  random: SeededRandom,
  tests: readonly Test[],
  besides: readonly (() => Promise<void>)[],
): Promise<Response[]> {
  const answers = new Map<Test, Response>();
  const starts = [...tests.map((test) => async () => void answers.set(test, await test)), ...besides];
  const stagger = random.pick(STAGGERS_MS);
  await Promise.all(
    random.shuffled(starts).map(async (start) => {
      await sleep(random.between(0, stagger));
      await start();
    }),
  );
  const all = tests.map((test) => answers.get(test)!);
  expect(all.filter(({ status }) => status >= 500).map(({ status, text }) => `${status} ${text}`)).toEqual(
    [],
  );
  return all;
}

/** As many of what is made for each number, from 0. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export function isSuccess({ status }: Response): boolean {
  return status < 300;
}

/** The id of the thing that an answer shows. */
export function idOf({ body }: Response): string {
  const { id, userId } = body as { id?: string; userId?: string };
  return id ?? userId ?? '';
}

/** Each answer is a success, or one of these problems. */
export function expectSuccessOr(answers: readonly Response[], ...codes: readonly ProblemCode[]): void {
  for (const answer of answers.filter((one) => !isSuccess(one))) {
    const code = codes.find((one) => (answer.body as { type?: string }).type === `/problems/${one}`);
    expectProblem(answer, code ?? codes[0] ?? 'service.error');
  }
}

/** Exactly one of them succeeded, all others are this problem. The one that did. */
export function expectOneSuccess(answers: readonly Response[], ...codes: readonly ProblemCode[]): Response {
  expectSuccessOr(answers, ...codes);
  const winners = answers.filter(isSuccess);
  expect(winners.map(({ status }) => status)).toHaveLength(1);
  return winners[0]!;
}

/** What a test holds entries of the audit log against: `TagCreated <id>`, in no order. */
export function auditLines(entries: readonly AuditRow[]): string[] {
  return entries.map(({ action, subject_id }) => `${action} ${subject_id}`).sort();
}

/**
 * Follows entries that each tell `former → new`, in whatever order, from the first name to the last: each of them is a
 * step of one way, or two have changed the same thing without knowing of each other.
 */
export function followNames(entries: readonly AuditRow[], from: string): string {
  const steps = new Map(
    entries.map(({ summary }) => {
      const [, former = '', next = ''] = /(\S+) → ([^\s;]+)/.exec(summary ?? '') ?? [];
      return [former, next];
    }),
  );
  expect(steps.size).toBe(entries.length);
  let name = from;
  for (let step = 0; step < entries.length; step += 1) {
    const next = steps.get(name);
    if (next === undefined) throw new Error(`Nobody changed ${name}: ${JSON.stringify([...steps])}`);
    name = next;
  }
  return name;
}
