import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OpenApiDocument } from '../../../src/platform/documentation/openapi-document.js';
import { sized } from '../../support/exhaustive.js';
import { service } from '../../support/service/shared-service.js';
import { BadInputFixture, TIMEOUT_MS } from './support/bad-input-fixture.js';
import { type Expected, type InputCase, BadInputRunner } from './support/bad-input-runner.js';
import { BAD_NUMBERS, badIds, badSlugs, similarPaths } from './support/bad-paths.js';
import { requestBytes } from './support/malformed-messages.js';
import {
  type DescribedOperation,
  DescribedPaths,
  describedOperations,
  isDecodable,
} from './support/described-operations.js';
import { exchangeBytes } from './support/raw-exchange.js';
import { everyNth } from '../support/case-selection.js';
import { mapConcurrently } from '../support/conformance-client.js';

const NO_ROUTE: Expected = { refused: 'route.not-found' };
const NOT_FOUND: Expected = { refused: 'resource.not-found' };

/** `npm test` sends every 16th value to each operation, starting at another one each time. */
const STEP = 16;
/** Methods that `npm test` always sends; of the others it sends a sample. */
const COMMON_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];

describe('Bad paths', () => {
  let runner: BadInputRunner;
  let fixture: BadInputFixture;
  let operations: DescribedOperation[];
  let paths: DescribedPaths;
  beforeAll(async () => {
    operations = describedOperations(service.app.get(OpenApiDocument).document);
    paths = new DescribedPaths(operations);
    fixture = await BadInputFixture.create(service);
    runner = new BadInputRunner(service);
  });
  afterAll(() => {
    runner.stop();
  });

  /**
   * The expected response for a path; `otherwise` when the path belongs to the operation itself. Null when it belongs to
   * another operation.
   */
  function expectedAt(
    { method, path }: DescribedOperation,
    target: string,
    otherwise: Expected,
  ): Expected | null {
    const found = paths.find(target);
    if (!found || !isDecodable(target)) return NO_ROUTE;
    if (!found.methods.includes(method))
      return { refused: 'route.method-not-allowed', allow: found.methods.join(', ') };
    return found.path === path ? otherwise : null;
  }

  function caseAt(
    operation: DescribedOperation,
    kind: string,
    target: string,
    otherwise: Expected,
  ): InputCase[] {
    const [path = ''] = target.split('?fileId=');
    const expected = expectedAt(operation, path, otherwise);
    if (expected === null) return [];
    const { id, method } = operation;
    return [{ ...fixture.request(operation), kind, operation: id, what: 'path', method, target, expected }];
  }

  const expectNothingWritten = (cases: readonly InputCase[]) =>
    runner.expectNothingWritten(fixture.tenant, cases);

  it(
    'return 404 for invalid and unknown ids',
    async () => {
      const cases = operations.flatMap((operation, turn) =>
        operation.pathParameters
          .filter((name) => name !== 'tenant')
          .flatMap((name) => {
            const bad = name === 'number' ? BAD_NUMBERS : badIds(fixture.ids[name] ?? '');
            return everyNth(bad, turn, STEP, 2)
              .filter((value) => value !== fixture.ids[name])
              .flatMap((value) =>
                caseAt(operation, 'path id', fixture.target(operation, { [name]: value }), NOT_FOUND),
              );
          }),
      );
      expect(cases.length).toBeGreaterThan(sized(300, 2500));
      await expectNothingWritten(cases);
    },
    TIMEOUT_MS,
  );

  it(
    'return 403 for unknown tenants, in every operation',
    async () => {
      const { slug, id } = fixture.tenant;
      const cases = operations
        .filter(({ pathParameters }) => pathParameters.includes('tenant'))
        .flatMap((operation, turn) => {
          const refused = operation.statuses.includes(403) ? 'tenant.no-access' : 'resource.not-found';
          return everyNth(badSlugs(slug, id), turn, STEP, 2).flatMap((value) =>
            caseAt(operation, 'tenant', fixture.target(operation, { tenant: value }), { refused }),
          );
        });
      expect(cases.length).toBeGreaterThan(sized(150, 1200));
      await expectNothingWritten(cases);
    },
    TIMEOUT_MS,
  );

  it(
    'return 404 for paths that resemble an existing one',
    async () => {
      const cases = operations.flatMap((operation, turn) => {
        const target = fixture.target(operation);
        const all = similarPaths(target.replace(/\?.*/, ''), !operation.path.endsWith('}'));
        return everyNth(all, turn, STEP).flatMap((path) => caseAt(operation, 'path', path, NOT_FOUND));
      });
      expect(cases.length).toBeGreaterThan(sized(200, 3000));
      await expectNothingWritten(cases);
    },
    TIMEOUT_MS,
  );

  it(
    'return 405 for other methods, with the allowed methods in Allow',
    async () => {
      const cases = paths.all.flatMap(({ path, methods }, turn) => {
        const target = fixture.target({ path });
        const allow = methods.join(', ');
        const others = METHODS.filter((method) => method !== 'CONNECT' && !methods.includes(method));
        const uncommon = others.filter((method) => !COMMON_METHODS.includes(method));
        const common = others.filter((method) => COMMON_METHODS.includes(method));
        return [...common, ...everyNth(uncommon, turn, STEP)].map((method, index) => ({
          kind: 'method',
          operation: path,
          what: method,
          method,
          target,
          headers: index % 2 ? fixture.authorization : {},
          ...(index % 3 === 0 && { body: '{"broken' }),
          expected: { refused: 'route.method-not-allowed' as const, allow },
        }));
      });
      expect(cases.length).toBeGreaterThan(sized(350, 1500));
      await expectNothingWritten(cases);
    },
    TIMEOUT_MS,
  );

  it(
    'return the methods of each path for OPTIONS, and no body for HEAD',
    async () => {
      const cases = paths.all.flatMap(({ path, methods }): InputCase[] => {
        const one = { kind: 'OPTIONS and HEAD', operation: path, target: fixture.target({ path }) };
        const options = { ...one, what: 'OPTIONS', method: 'OPTIONS', headers: {} };
        const head = { ...one, what: 'HEAD', method: 'HEAD', headers: fixture.authorization };
        const get = operations.find((operation) => operation.path === path && operation.method === 'GET');
        const isPaged = get?.query.some(({ name }) => name === 'limit');
        return [
          { ...options, expected: { accepted: [204], allow: methods.join(', ') } },
          ...(get ? [{ ...head, expected: { accepted: [200] } }] : []),
          ...(get && !get.isPublic
            ? [
                {
                  ...head,
                  headers: { ...head.headers, 'X-HTTP-Method-Override': 'DELETE' },
                  expected: { accepted: [200] },
                },
              ]
            : []),
          ...(isPaged
            ? [
                {
                  ...head,
                  target: `${head.target}?limit=0`,
                  expected: { refused: 'request.invalid' as const },
                },
              ]
            : []),
        ];
      });
      await expectNothingWritten(cases);
      // Read the raw bytes, because the HTTP client of Node ignores a body in the response to HEAD.
      const heads = cases.filter(({ method }) => method === 'HEAD');
      const answers = await mapConcurrently(heads, (one) => exchangeBytes(service.url, requestBytes(one)));
      expect(answers.filter(({ status, text }) => status === 0 || text !== '')).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
