import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Response, type Test } from 'supertest';
import { type ProblemCode } from '../../../src/common/messages/problems.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { TestService } from '../../support/service/service.js';
import { type AuditRow, type TestTenant } from '../../support/tenant.js';
import { SeededRandom } from '../../support/seeded-random.js';

/** Rounds of a race. They are shorter than those of the other fault tests, so there are five times as many. */
export const ROUNDS = 5 * Number(process.env.FAULT_ROUNDS ?? 20);
/** The seed determines the number of writers and the order of requests. */
const SEED = process.env.FAULT_SEED ?? '1';
/** Each round starts its requests within one of these periods. Otherwise the fastest kind of request would always win. */
const STAGGERS_MS = [0, 4, 25];
/** Time limit of a round, generous for busy machines. */
const ROUND_TIMEOUT_MS = 60_000;

export interface Round {
  readonly number: number;
  readonly random: SeededRandom;
  /** Number of concurrent writers, 2 to 10. */
  readonly writers: number;
  /** The same user, calling a random instance. */
  readonly onAnyInstance: (actor: Actor) => Actor;
  /** A random administrator, calling a random instance. */
  readonly anyone: () => Actor;
  /** Sends all requests at once in random order; returns the answers in the given order. Fails on a status of 500 or more. */
  readonly concurrently: (
    requests: readonly Test[],
    ...otherTasks: readonly (() => Promise<void>)[]
  ) => Promise<[Response, ...Response[]]>;
}

/** Two instances of the service on one database, a tenant, and tests with concurrent requests to them. */
export class RaceFixture {
  service!: TestService;
  second!: SecondInstance;
  tenant!: TestTenant;
  /** Administrators of the tenant. */
  readonly people: Actor[] = [];

  constructor(administrators: number) {
    beforeAll(async () => {
      this.service = await TestService.start();
      this.second = await SecondInstance.start(this.service);
      this.tenant = await this.service.tenant();
      while (this.people.length < administrators) this.people.push(await this.tenant.as('administrator'));
      // Cache it now; otherwise each request to the second instance would build it.
      void this.service.conformance;
    }, 300_000);
    afterAll(async () => {
      await this.second?.stop();
      await this.service?.stop();
    }, 300_000);
  }

  /**
   * Declares a test with this number of rounds. The test prints how often `run` returned each outcome. An error names the
   * round and the seed, which repeat the order of the requests.
   */
  race(title: string, run: (round: Round) => Promise<string>, rounds = ROUNDS): void {
    const race = async () => {
      const tally = new Map<string, number>();
      let requests = 0;
      for (let number = 1; number <= rounds; number += 1) {
        const random = new SeededRandom(`${SEED} ${title} ${number}`);
        const concurrently: Round['concurrently'] = async (tests, ...otherTasks) => {
          requests += tests.length;
          return startAll(random, tests, otherTasks);
        };
        const onAnyInstance = (actor: Actor) => (random.next() < 0.5 ? actor : this.second.actor(actor));
        const anyone = () => onAnyInstance(random.pick(this.people));
        const writers = random.between(2, 10);
        try {
          const outcome = await run({ number, random, writers, onAnyInstance, anyone, concurrently });
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

  /** Returns and deletes the audit entries of a tenant, so that the next round sees only its own. */
  takeAuditEntries(tenant = this.tenant): Promise<AuditRow[]> {
    return this.service.query<AuditRow>(
      `WITH taken AS (DELETE FROM audit_entries WHERE tenant_id = $1 RETURNING *)
       SELECT actor_id, actor_name, action, subject_type, subject_id, summary FROM taken
        WHERE action <> 'TenantCreated' ORDER BY occurred_at, id`,
      [tenant.id],
    );
  }

  /** The same as {@link auditLines}. */
  async takeAuditLines(tenant = this.tenant): Promise<string[]> {
    return auditLines(await this.takeAuditEntries(tenant));
  }

  async ids(table: string, column = 'id'): Promise<Set<string>> {
    const rows = await this.service.query<{ id: string }>(
      `SELECT ${column} AS id FROM ${table} WHERE tenant_id = $1`,
      [this.tenant.id],
    );
    return new Set(rows.map(({ id }) => id));
  }
}

async function startAll(
  random: SeededRandom,
  tests: readonly Test[],
  otherTasks: readonly (() => Promise<void>)[],
): Promise<[Response, ...Response[]]> {
  const answers = new Map<Test, Response>();
  const starts = [...tests.map((test) => async () => void answers.set(test, await test)), ...otherTasks];
  const stagger = random.pick(STAGGERS_MS);
  await Promise.all(
    random.shuffled(starts).map(async (start) => {
      await sleep(random.between(0, stagger));
      await start();
    }),
  );
  const all = tests.map((test) => answers.get(test)!) as [Response, ...Response[]];
  expect(all.filter(({ status }) => status >= 500).map(({ status, text }) => `${status} ${text}`)).toEqual(
    [],
  );
  return all;
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export function isSuccess({ status }: Response): boolean {
  return status < 300;
}

export function idOf({ body }: Response): string {
  const { id, userId } = body as { id?: string; userId?: string };
  return id ?? userId ?? '';
}

export function expectSuccessOr(answers: readonly Response[], ...codes: readonly ProblemCode[]): void {
  for (const answer of answers.filter((one) => !isSuccess(one))) {
    const code = codes.find((one) => (answer.body as { type?: string }).type === `/problems/${one}`);
    expectProblem(answer, code ?? codes[0] ?? 'service.error');
  }
}

/** Expects exactly one success and these problems otherwise; returns the success. */
export function expectOneSuccess(answers: readonly Response[], ...codes: readonly ProblemCode[]): Response {
  expectSuccessOr(answers, ...codes);
  const winners = answers.filter(isSuccess);
  expect(winners.map(({ status }) => status)).toHaveLength(1);
  return winners[0]!;
}

/** When the first request was executed: before all others, after them, or in between. The others fail after it. */
export function orderOf(others: readonly Response[], name: string): string {
  const before = others.filter(isSuccess).length;
  if (before === 0) return `${name} first`;
  return before === others.length ? `${name} last` : 'in between';
}

/** Audit entries as sorted lines such as `TagCreated <id>`. */
export function auditLines(entries: readonly AuditRow[]): string[] {
  return entries.map(({ action, subject_id }) => `${action} ${subject_id}`).sort();
}

/**
 * Follows audit entries `former → new`, given in any order, from the first name to the last one, and returns that. All
 * entries must form one chain; otherwise two changes had the same former name, which is a lost update.
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
    if (next === undefined)
      throw new Error(`No entry has the former name ${name}: ${JSON.stringify([...steps])}`);
    name = next;
  }
  return name;
}
