import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { sized } from '../../support/exhaustive.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { TestService } from '../../support/service/service.js';
import { MUTANTS } from './support/rights-model-mutants.js';
import { type Action, type ByUser, type History, type Query, histories } from './support/rights-history.js';
import { type QueryResult } from './support/rights-model-types.js';
import { ServiceDriver } from './support/service-driver.js';
import { type ExpectedStep, expectedStepsOf } from './support/rights-expected-steps.js';
import { ConformanceClient } from '../support/conformance-client.js';

const FULL = { histories: 12, steps: 60 };

/**
 * For longer runs: `RIGHTS_HISTORIES=1000 RIGHTS_SEED=$RANDOM npm test -- test/security/permissions/rights-model`. A
 * failing history is shrunk and printed with its seed, which reproduces it.
 */
const HISTORIES = Number(process.env.RIGHTS_HISTORIES ?? sized(1, FULL.histories));
const STEPS = process.env.RIGHTS_HISTORIES ? FULL.steps : sized(30, FULL.steps);
/** With seed 59, one history of 30 steps detects 17 of the 21 {@link MUTANTS}. */
const SEED = Number(process.env.RIGHTS_SEED ?? 59);
/** The number of attempts to shrink a failing history. */
const SHRINK_RUNS = process.env.RIGHTS_HISTORIES ? 1000 : 50;
/** Enough for the full size and all attempts to shrink. */
const TIME_LIMIT_MS = 1_800_000;
const CONCURRENT_QUERIES = 8;

/** The service or a mutant, which is compared with the model. */
interface Subject {
  perform(action: ByUser<Action>): string | Promise<string>;
  runQuery(query: ByUser<Query>): QueryResult | Promise<QueryResult>;
}

/** Throws at the first difference from the expected steps. */
async function compare(expectedSteps: readonly ExpectedStep[], subject: Subject): Promise<void> {
  for (const { action, outcome, results } of expectedSteps) {
    if (action) expectSame(action, outcome, await subject.perform(action));
    const entries = results.values();
    const runQueries = async () => {
      for (const [query, expected] of entries) expectSame(query, expected, await subject.runQuery(query));
    };
    await Promise.all(Array.from({ length: CONCURRENT_QUERIES }, runQueries));
  }
}

function expectSame(input: object, expected: QueryResult, found: QueryResult): void {
  if (isDeepStrictEqual(expected, found)) return;
  const [right, wrong] = [JSON.stringify(expected), JSON.stringify(found)];
  throw new Error(`${JSON.stringify(input)} gives ${wrong}; the model gives ${right}`);
}

/** The actions that the histories must contain with success. */
const ACTIONS: readonly Action['kind'][] = [
  ...(['CreateFile', 'RenameFile', 'CloseFile', 'ReopenFile', 'DeleteFile'] as const),
  ...(['CreateDocument', 'UpdateDocument', 'FileDocument', 'UnfileDocument'] as const),
  ...(['ArchiveDocument', 'UnarchiveDocument', 'DeleteDocument', 'RestoreDocument'] as const),
  ...(['ChangeConfidentiality', 'AddConfidentialUser', 'RemoveConfidentialUser'] as const),
  ...(['CreateAccessGrant', 'RevokeAccess', 'TimePasses', 'Sweep'] as const),
  ...(['CreateRole', 'UpdateRole', 'DeleteRole'] as const),
  ...(['AddMember', 'ChangeMemberRole', 'RemoveMember'] as const),
];

/** The problems that the histories must contain. */
const REFUSALS = [
  ...['tenant.no-access', 'permission.missing', 'permission.escalation', 'resource.not-found'],
  ...['request.invalid', 'file.closed', 'file.not-empty', 'document.deleted', 'document.archived'],
  ...['document.not-confidential', 'confidentiality.last-user', 'access-grant.ended'],
  ...['role.built-in', 'role.in-use', 'member.exists', 'member.last-administrator'],
];

describe('The rights of users over a random history', () => {
  let service: TestService;
  let second: SecondInstance;
  let instances: ConformanceClient[];
  beforeAll(async () => {
    service = await TestService.start();
    second = await SecondInstance.start(service);
    instances = [service, second].map(
      ({ url, app }) => new ConformanceClient(url, app.getHttpServer(), service.conformance),
    );
  });
  afterAll(async () => {
    for (const client of instances) client.stop();
    await second.stop();
    await service.stop();
  });

  it(
    'equal those of the model after every step, on both instances',
    async () => {
      const counts = { histories: 0, steps: 0, queries: 0 };
      const property = fc.asyncProperty(histories(STEPS), async (history) => {
        if (counts.histories === HISTORIES + SHRINK_RUNS) return;
        counts.histories += 1;
        const subject = await ServiceDriver.prepare(service, instances, history);
        const expectedSteps = expectedStepsOf(history);
        await compare(expectedSteps, subject);
        counts.steps += expectedSteps.filter(({ action }) => action !== null).length;
        counts.queries += expectedSteps.flatMap(({ results }) => results).length;
      });
      await fc.assert(property, { seed: SEED, numRuns: HISTORIES, unbiased: true });
      if (process.env.RIGHTS_HISTORIES) process.stdout.write(`${JSON.stringify(counts)}\n`);
      expect(counts.histories).toBe(HISTORIES);
      expect(counts.queries).toBeGreaterThan(counts.steps);
    },
    TIME_LIMIT_MS,
  );
});

/** These tests use the model only, without the service. */
describe('The random histories', () => {
  const counts: { history: History; expectedSteps: ExpectedStep[] }[] = [];
  beforeAll(() => {
    fc.assert(
      fc.property(
        histories(FULL.steps),
        (history) => void counts.push({ history, expectedSteps: expectedStepsOf(history) }),
      ),
      { seed: 24, numRuns: FULL.histories, unbiased: true },
    );
  });

  it('contain every action with success, and every problem', () => {
    const expectedSteps = counts.flatMap((one) => one.expectedSteps);
    const done = new Set(expectedSteps.map(({ action, outcome }) => `${action?.kind}: ${outcome}`));
    const refused = new Set(expectedSteps.map(({ outcome }) => outcome));
    const undone = ACTIONS.filter((kind) => !done.has(`${kind}: done`));
    const unrefused = REFUSALS.filter((code) => !refused.has(code));
    expect({ undone, unrefused }).toEqual({ undone: [], unrefused: [] });
  });

  it.each(Object.entries(MUTANTS))('detect a faulty model in which %s', async (_, Mutant) => {
    let found = 0;
    for (const { history, expectedSteps } of counts)
      await compare(expectedSteps, new Mutant(history)).catch(() => (found += 1));
    expect(found).toBeGreaterThan(0);
  });
});
