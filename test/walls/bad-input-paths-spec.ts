import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OpenApiDocuments } from '../../src/http/documentation/openapi-documents.js';
import { TestService } from '../support/service.js';
import { BadInputGround, PATIENCE, TIMEOUT_MS } from './support/bad-input-ground.js';
import { type Expected, type InputCase, MARK, Trial } from './support/bad-input-trial.js';
import {
  type DescribedOperation,
  DescribedPaths,
  describedOperations,
  isDecodable,
} from './support/described-operations.js';

const NOWHERE: Expected = { refused: 'route.not-found' };
const NOTHING: Expected = { refused: 'resource.not-found' };

/** As they stand in a path, with what is good and what is another good one. */
function badIds(good: string): string[] {
  return [
    ...[
      '1',
      '0',
      '-1',
      'x',
      MARK,
      'null',
      'undefined',
      'NaN',
      'true',
      '*',
      '**',
      '.',
      '..',
      '...',
      '~',
      '@me',
      'me',
    ],
    ...[
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'then',
      ':fileId',
      '{fileId}',
      '$1',
      '%24%7B1%7D',
    ],
    ...[
      '%00',
      '%2F',
      '%2f',
      '%5C',
      '%2e',
      '%2e%2e',
      '%2e%2e%2f%2e%2e',
      '..%2f..%2fetc%2fpasswd',
      '%252F',
      '%2500',
    ],
    ...[
      '%20',
      '%0A',
      '%0D%0AX:1',
      '%09',
      '%27',
      '%22',
      '%3Cscript%3E',
      '%F0%9F%98%80',
      '%C3%A4',
      '%EF%BB%BF',
      '+',
    ],
    ...[
      "'",
      "'--",
      '%27%20OR%201=1--',
      '1;DROP',
      '%25',
      '%2525',
      '[]',
      '[0]',
      '{}',
      '()',
      'a=b',
      'a&b',
      'a,b',
      ';',
    ],
    ...[good.replaceAll('-', ''), `%7B${good}%7D`, `urn:uuid:${good}`, `urn%3Auuid%3A${good}`, `"${good}"`],
    ...[
      `${good}0`,
      good.slice(1),
      `${good}%00`,
      `%00${good}`,
      `${good}%20`,
      `%20${good}`,
      `${good}%0A`,
      `${good}+`,
    ],
    ...[`${good}.json`, `${good};x=1`, `${good},${good}`, `${good}%2F`, `${good}%2F${good}`, `${good}%3Fa=b`],
    ...[
      `${good}'`,
      `${good}%27--`,
      `g${good.slice(1)}`,
      `%EF%BC%91${good.slice(1)}`,
      `${good}:1`,
      `${good}~`,
    ],
    ...[
      randomUUID(),
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      'x'.repeat(8000),
    ],
    ...[
      '%ZZ',
      '%',
      '%C3',
      '%FF',
      '%ED%A0%80',
      '%C0%80',
      `${good}%`,
      `${good}%FF`,
      'search',
      'bulk',
      'accept',
      'read-all',
    ],
  ];
}

const BAD_NUMBERS = [
  ...[
    '0',
    '-1',
    '+1',
    '1.0',
    '1e0',
    '0x1',
    '01',
    '%201',
    '1%20',
    '1%00',
    '%D9%A1',
    '99999999999',
    '9'.repeat(400),
  ],
  ...['2147483648', '18446744073709551617', 'NaN', 'x', '1;', '1,2', '3', '1%0A', 'Infinity', '%EF%BC%91'],
];

/** A slug is never decoded to more than it says. */
function badSlugs(good: string, id: string): string[] {
  return [
    ...[
      'no-such-tenant',
      'x',
      'null',
      'undefined',
      '__proto__',
      'constructor',
      'toString',
      '.',
      '..',
      '%2e%2e',
      '*',
    ],
    ...[
      '%00',
      `${good}%00`,
      `%00${good}`,
      `${good}%20`,
      `%20${good}`,
      `${good}%0A`,
      `${good}.json`,
      `${good};x=1`,
    ],
    ...[
      good.toUpperCase(),
      `${good}%2F`,
      `${good}%2F..%2F${good}`,
      `${good}'--`,
      `${good}%27%20OR%20%271%27=%271`,
    ],
    ...[
      id,
      `%F0%9F%98%80`,
      '%C3%A4',
      'x'.repeat(8000),
      `${good},${good}`,
      `${good}%3F`,
      `${good}%23`,
      '%',
      '%ZZ',
      '%FF',
    ],
  ];
}

/** A path that is nearly the one of the operation. An id in capitals, or with a digit encoded, is that id. */
function neighbours(target: string, endsWithWord: boolean): string[] {
  const segments = target.split('/');
  const last = segments.at(-1) ?? '';
  const before = segments.slice(0, -1).join('/');
  return [
    ...[
      '/',
      '//',
      '/.',
      '/..',
      '/x',
      '/%00',
      '/%20',
      '.json',
      '.',
      ';x=1',
      '%00',
      '%20',
      '%0A',
      '%2F',
      '%2Fx',
      '%3Fa=1',
    ],
    ...["'", '~', ',', ':', '\\', '|', '%5C', '%ZZ', '%FF'],
  ]
    .map((suffix) => `${target}${suffix}`)
    .concat([
      `${before}//${last}`,
      `${before}/./${last}`,
      `${before}/x/../${last}`,
      `${before}/%2e/${last}`,
      `${before}/%20${last}`,
      `${before}%2F${last}`,
      `/${target}`,
      `/.${target}`,
      `/x/..${target}`,
      target.replace('/api/', '/API/'),
      target.replace('/v1/', '/v2/'),
      target.replace('/v1/', '/V1/'),
      target.replace('/v1', ''),
      target.replace('/t/', '/T/'),
      target.replace('/t/', '/tenants/'),
      target.replace('/t/', '/t//'),
      ...(endsWithWord ? [`${before}/${last.toUpperCase()}`, target.toUpperCase()] : []),
    ])
    .filter((path) => path !== target && path.startsWith('/'));
}

/** Half of the values for one operation, the other half for the next. */
function inTurn(values: readonly string[], turn: number): string[] {
  return values.filter((_, index) => (index + turn) % 2 === 0);
}

describe('Bad paths', () => {
  let service: TestService;
  let trial: Trial;
  let ground: BadInputGround;
  let operations: DescribedOperation[];
  let paths: DescribedPaths;
  beforeAll(async () => {
    service = await TestService.start(PATIENCE);
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
