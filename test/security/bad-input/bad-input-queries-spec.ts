import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OpenApiDocument } from '../../../src/platform/documentation/openapi-document.js';
import { sized } from '../../support/exhaustive.js';
import { service } from '../../support/service/shared-service.js';
import { type Actor } from '../../support/actor.js';
import { BadInputFixture, TIMEOUT_MS } from './support/bad-input-fixture.js';
import { type Expected, type InputCase, BadInputRunner } from './support/bad-input-runner.js';
import { INVALID_UTF8, UNKNOWN_PARAMETERS, badValues, forgedCursors } from './support/bad-queries.js';
import {
  type DescribedOperation,
  type DescribedParameter,
  describedOperations,
} from './support/described-operations.js';
import { RECORDED_READS, everyNth, isLimitedPerCaller } from '../support/case-selection.js';

/** `npm test` sends every 12th value for each parameter, starting at another one each time. */
const STEP = 12;

describe('Bad queries', () => {
  let runner: BadInputRunner;
  let fixture: BadInputFixture;
  /** Another tenant with the same administrator. */
  let otherFixture: BadInputFixture;
  let operations: DescribedOperation[];
  beforeAll(async () => {
    operations = describedOperations(service.app.get(OpenApiDocument).document);
    fixture = await BadInputFixture.create(service);
    otherFixture = await BadInputFixture.create(service);
    await otherFixture.tenant.addMember(fixture.admin, 'administrator');
    runner = new BadInputRunner(service);
  });
  afterAll(() => {
    runner.stop();
  });

  const caseOf = (
    operation: DescribedOperation,
    kind: string,
    query: string,
    expected: Expected,
    { on = fixture, as = fixture.admin }: { on?: BadInputFixture; as?: Actor } = {},
  ): InputCase => ({
    kind,
    operation: operation.id,
    what: query.slice(0, 60),
    method: operation.method,
    target: on.target(operation, {}, query),
    headers: operation.isPublic ? {} : { Authorization: `Bearer ${as.token}` },
    expected,
  });

  const expectNothingWritten = (cases: readonly InputCase[]) =>
    runner.expectNothingWritten(fixture.tenant, cases);

  it(
    'return 400 with the parameter name when a value violates the schema',
    async () => {
      const parameters = operations.flatMap((operation) =>
        operation.query.map((parameter) => ({ operation, parameter })),
      );
      const cases = parameters.flatMap(({ operation, parameter }, turn) => {
        const { name } = parameter;
        const refused: Expected = { refused: 'request.invalid', at: name };
        const good = goodValue(parameter, fixture);
        const queries = [
          ...badValues(parameter).map((value) => `${name}=${value}`),
          ...INVALID_UTF8.map((bytes) => `${name}=${bytes}`),
          `${name}=${good}&${name}=${good}`,
          `${name}=&${name}=`,
          `${name}=${good}&x=1&${name}=${good}&${name}=${good}`,
          `${name}=${good}&%${name.charCodeAt(0).toString(16)}${name.slice(1)}=${good}`,
          ...(name === 'q' ? [] : [name, `${name}=`]),
        ];
        return everyNth(queries, turn, STEP).map((query) =>
          caseOf(operation, `query: ${name}`, query, refused),
        );
      });
      expect(cases.length).toBeGreaterThan(sized(230, 2500));
      await expectNothingWritten(cases);
    },
    TIMEOUT_MS,
  );

  it('return 400 for parameters that contradict each other or stored data', async () => {
    const refused = (id: string, query: string, at: string): InputCase[] =>
      operations
        .filter((operation) => operation.id === id)
        .map((operation) => caseOf(operation, 'together', query, { refused: 'request.invalid', at }));
    const moment = (day: number) => `2026-11-${day}T00:00:00Z`;
    await expectNothingWritten([
      ...refused('ListAuditEntries', `from=${moment(21)}&to=${moment(20)}`, 'to'),
      ...refused('ListAuditEntries', `from=9999-12-31T23:59:59Z&to=0001-01-01T00:00:00Z`, 'to'),
      ...refused('ListEvents', 'after=0&cursor=abc', 'after'),
      ...refused('ListEvents', 'after=1000', 'after'),
      ...refused('ListDocuments', `createdFrom=${moment(21)}&createdTo=${moment(20)}`, 'createdTo'),
      ...refused('ListDocuments', 'order=newest&sort=title', 'sort'),
      ...refused('ListDocuments', 'order=relevance&q=a&sort=title', 'sort'),
      ...refused('ListDocuments', 'order=relevance', 'order'),
      ...refused('ListDocuments', 'order=relevance&q=', 'order'),
      ...refused('ListDocuments', 'order=relevance&q=%20', 'order'),
      ...refused('ListDocuments', `q=${'a+'.repeat(21)}`, 'q'),
      ...refused('ListDocuments', `savedViewId=${randomUUID()}`, 'savedViewId'),
      ...refused('ListDocuments', `savedViewId=${otherFixture.ids.savedViewId}`, 'savedViewId'),
    ]);
  });

  it(
    'with unknown parameters are accepted in every read operation',
    async () => {
      const reading = operations.filter(
        ({ method, id }) => method === 'GET' && !isLimitedPerCaller(id) && !RECORDED_READS.has(id),
      );
      const cases = reading.flatMap((operation, turn) => [
        ...everyNth(UNKNOWN_PARAMETERS, turn, STEP).map((query) =>
          caseOf(operation, 'unknown parameter', query, { accepted: [200, 204] }),
        ),
        ...operation.query.map((parameter) =>
          caseOf(operation, 'valid', `${parameter.name}=${goodValue(parameter, fixture)}`, {
            // A made-up cursor is invalid.
            accepted: parameter.name === 'cursor' ? [400] : [200],
          }),
        ),
      ]);
      await expectNothingWritten(cases);
      expect('polluted' in {}).toBe(false);
    },
    TIMEOUT_MS,
  );

  it(
    'return 400 for a cursor of another caller, list, filter or tenant, and for a forged one',
    async () => {
      const lists = operations.filter(({ query }) => query.some(({ name }) => name === 'cursor'));
      const at: Expected = { refused: 'request.invalid', at: 'cursor' };
      const cursors = new Map<DescribedOperation, string>();
      for (const operation of lists) {
        const { text } = await runner.send(caseOf(operation, 'cursor', 'limit=1', { accepted: [200] }));
        const { nextCursor } = JSON.parse(text) as { nextCursor: string | null };
        expect([operation.id, typeof nextCursor]).toEqual([operation.id, 'string']);
        cursors.set(operation, nextCursor ?? '');
      }
      const cases = [...cursors].flatMap(([operation, cursor], turn) => {
        const others = [...cursors].filter(([other]) => other !== operation);
        const bad = [...forgedCursors(cursor), ...INVALID_UTF8.map((bytes) => `${cursor}${bytes}`)];
        const filters = operation.query.filter(
          ({ name }) => !['after', 'cursor', 'limit', 'order'].includes(name),
        );
        const elsewhere = Object.fromEntries(
          operation.pathParameters
            .filter((name) => name !== 'tenant')
            .map((name) => [name, fixture.others[name] ?? '']),
        );
        const moved = {
          ...caseOf(operation, 'foreign cursor', 'of another resource', at),
          target: fixture.target(operation, elsewhere, `cursor=${cursor}`),
        };
        return [
          caseOf(operation, 'valid', `limit=1&cursor=${cursor}`, { accepted: [200] }),
          ...everyNth(bad, turn, STEP).map((query) =>
            caseOf(operation, 'forged cursor', `cursor=${query}`, at),
          ),
          ...everyNth(others, turn, STEP).map(([other, foreign]) =>
            caseOf(operation, 'foreign cursor', `cursor=${foreign}&limit=${other.id.length}`, at),
          ),
          caseOf(operation, 'foreign cursor', `cursor=${cursor}`, at, { as: fixture.other }),
          ...(operation.pathParameters.includes('tenant')
            ? [caseOf(operation, 'foreign cursor', `cursor=${cursor}`, at, { on: otherFixture })]
            : []),
          ...(operation.pathParameters.length > 1 ? [moved] : []),
          ...filters.map((filter) =>
            caseOf(
              operation,
              'foreign cursor',
              `cursor=${cursor}&${filter.name}=${goodValue(filter, fixture)}`,
              at,
            ),
          ),
        ];
      });
      expect(cases.length).toBeGreaterThan(sized(150, 1200));
      await expectNothingWritten(cases);
    },
    TIMEOUT_MS,
  );
});

function goodValue(
  { name, shape: { enum: words, format, types } }: DescribedParameter,
  fixture: BadInputFixture,
): string {
  if (format === 'uuid') return fixture.ids[name] ?? fixture.admin.userId;
  if (name === 'tagIds') return fixture.ids.tagId ?? '';
  if (name === 'ids') return fixture.admin.userId;
  if (format === 'date-time') return '2026-11-20T08:15:30Z';
  if (name === 'order') return 'newest';
  if (name === 'after') return '0';
  // Sizes of the tree of the audit log, which has at least one entry.
  if (['from', 'to', 'size', 'fromSize'].includes(name)) return '1';
  if (name === 'types') return 'TagCreated';
  if (name === 'include') return 'counts';
  if (name === 'sort') return 'updatedAt';
  if (words) return String(words[0]);
  if (types.includes('integer')) return '10';
  return types.includes('boolean') ? 'true' : 'abc';
}
