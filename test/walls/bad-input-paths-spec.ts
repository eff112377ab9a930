import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OpenApiDocuments } from '../../src/http/documentation/openapi-documents.js';
import { TestService } from '../support/service.js';
import { BadInputGround, TIMEOUT_MS } from './support/bad-input-ground.js';
import { type Expected, type InputCase, Trial } from './support/bad-input-trial.js';
import { BAD_NUMBERS, badIds, badSlugs, inTurn, neighbours } from './support/bad-paths.js';
import {
  type DescribedOperation,
  DescribedPaths,
  describedOperations,
  isDecodable,
} from './support/described-operations.js';

const NOWHERE: Expected = { refused: 'route.not-found' };
const NOTHING: Expected = { refused: 'resource.not-found' };

describe('Bad paths', () => {
  let service: TestService;
  let trial: Trial;
  let ground: BadInputGround;
  let operations: DescribedOperation[];
  let paths: DescribedPaths;
  beforeAll(async () => {
    service = await TestService.start();
    operations = describedOperations(service.app.get(OpenApiDocuments).document('3.1.0'));
    paths = new DescribedPaths(operations);
    ground = await BadInputGround.make(service);
    trial = new Trial(service);
  });
  afterAll(async () => {
    trial.stop();
    await service.stop();
  });

  /** What a path leads to; the operation itself is asked for with something wrong in a parameter. */
  function expectedAt(
    { method, path }: DescribedOperation,
    target: string,
    otherwise: Expected,
  ): Expected | null {
    const found = paths.find(target);
    if (!found || !isDecodable(target)) return NOWHERE;
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
    const expected = expectedAt(operation, target, otherwise);
    if (expected === null) return [];
    const [body] = operation.body ? ground.bodies(operation) : [];
    const isContent = operation.mediaTypes.length > 0 && !operation.body;
    const headers = { ...ground.headers(operation), ...(isContent && { 'Content-Type': 'text/plain' }) };
    const sent = isContent ? 'content' : body && JSON.stringify(body);
    const { id, method } = operation;
    return [
      { kind, operation: id, what: 'path', method, target, headers, expected, ...(sent && { body: sent }) },
    ];
  }

  async function unwritten(cases: readonly InputCase[]): Promise<void> {
    const before = await ground.tenant.fingerprint();
    const { total } = trial;
    expect(await trial.faults(cases)).toEqual([]);
    expect(await ground.tenant.fingerprint()).toEqual(before);
    expect(trial.total - total).toBe(cases.length);
  }

  it(
    '404: for every id of a path that is none, or that nothing has',
    async () => {
      const cases = operations.flatMap((operation, turn) =>
        operation.pathParameters
          .filter((name) => name !== 'tenant')
          .flatMap((name) => {
            const bad = name === 'number' ? BAD_NUMBERS : badIds(ground.ids[name] ?? '');
            return inTurn(bad, turn)
              .filter((value) => value !== ground.ids[name])
              .flatMap((value) =>
                caseAt(operation, 'path id', ground.target(operation, { [name]: value }), NOTHING),
              );
          }),
      );
      expect(cases.length).toBeGreaterThan(2000);
      await unwritten(cases);
    },
    TIMEOUT_MS,
  );

  it(
    '403: for every tenant that there is not, on every operation',
    async () => {
      const { slug, id } = ground.tenant;
      const cases = operations
        .filter(({ pathParameters }) => pathParameters.includes('tenant'))
        .flatMap((operation, turn) => {
          const refused = operation.statuses.includes(403) ? 'tenant.no-access' : 'resource.not-found';
          return inTurn(badSlugs(slug, id), turn).flatMap((value) =>
            caseAt(operation, 'tenant', ground.target(operation, { tenant: value }), { refused }),
          );
        });
      expect(cases.length).toBeGreaterThan(1000);
      await unwritten(cases);
    },
    TIMEOUT_MS,
  );

  it(
    '404: for every path that is nearly one',
    async () => {
      const cases = operations.flatMap((operation) => {
        const target = ground.target(operation);
        return neighbours(target, !operation.path.endsWith('}')).flatMap((path) =>
          caseAt(operation, 'path', path, NOTHING),
        );
      });
      expect(cases.length).toBeGreaterThan(2000);
      await unwritten(cases);
    },
    TIMEOUT_MS,
  );

  it(
    '405: for every method that a path does not take, with those that it takes',
    async () => {
      const cases = paths.all.flatMap(({ path, methods }) => {
        const target = ground.target({ path });
        const allow = methods.join(', ');
        return METHODS.filter((method) => method !== 'CONNECT' && !methods.includes(method)).map(
          (method, index) => ({
            kind: 'method',
            operation: path,
            what: method,
            method,
            target,
            // Whoever asks, and whatever they send.
            headers: index % 2 ? ground.authorization : {},
            ...(index % 3 === 0 && { body: '{"broken' }),
            expected: { refused: 'route.method-not-allowed' as const, allow },
          }),
        );
      });
      expect(cases.length).toBeGreaterThan(1000);
      await unwritten(cases);
    },
    TIMEOUT_MS,
  );

  it(
    'answers OPTIONS with the methods of every path, and HEAD as GET, without a body',
    async () => {
      const cases = paths.all.flatMap(({ path, methods }): InputCase[] => {
        const one = { kind: 'OPTIONS and HEAD', operation: path, target: ground.target({ path }) };
        const options = { ...one, what: 'OPTIONS', method: 'OPTIONS', headers: {} };
        const head = { ...one, what: 'HEAD', method: 'HEAD', headers: ground.authorization };
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
      await unwritten(cases);
      for (const one of cases.filter(({ method }) => method === 'HEAD'))
        expect((await trial.send(one)).text).toBe('');
    },
    TIMEOUT_MS,
  );
});
