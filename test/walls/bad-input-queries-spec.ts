import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OpenApiDocuments } from '../../src/http/documentation/openapi-documents.js';
import { TestService } from '../support/service.js';
import { type Actor } from '../support/actor.js';
import { BadInputGround, TIMEOUT_MS } from './support/bad-input-ground.js';
import { type Expected, type InputCase, MARK, Trial } from './support/bad-input-trial.js';
import {
  BAD_BOOLEANS,
  BAD_DATE_TIMES,
  BAD_LIMITS,
  BLANK,
  badTexts,
  badUuids,
  badWords,
  tooLong,
} from './support/bad-values.js';
import {
  type DescribedOperation,
  type DescribedParameter,
  describedOperations,
} from './support/described-operations.js';

/** Bytes that are no UTF-8, and halves of surrogate pairs, as they stand in a query. */
const NO_UTF8 = [
  '%FF',
  'a%C3',
  '%C0%80',
  '%C0%AF',
  '%ED%A0%80',
  '%ED%B8%80',
  '%F4%90%80%80',
  '%80',
  '%E2%82',
];

/** Parameters that no operation has. */
const UNKNOWN = [
  ...[
    'unknown=1',
    'limit[]=0',
    'limit%5B%5D=0',
    'limit[0]=0',
    'limit[$gt]=0',
    'LIMIT=0',
    'Limit=x',
    '%20limit=0',
  ],
  ...[
    '__proto__=1',
    '__proto__[polluted]=yes',
    'constructor[prototype][polluted]=yes',
    'toString=1',
    'then=1',
  ],
  ...[
    '%00=1',
    '%FF=%FF',
    '=',
    '==',
    '&&&',
    '%',
    '%ZZ=%ZZ',
    '?',
    '?limit=0',
    'a=1&a=2&a=3',
    ';limit=0',
    'sort=name',
  ],
  ...[
    `${'x=1&'.repeat(1500)}x=2`,
    `${'x'.repeat(7000)}=1`,
    'page=-1',
    'offset=1e9',
    'fields=*',
    '_method=DELETE',
  ],
];

describe('Bad queries', () => {
  let service: TestService;
  let trial: Trial;
  let ground: BadInputGround;
  /** Another tenant, of which the same administrator is one. */
  let abroad: BadInputGround;
  let operations: DescribedOperation[];
  beforeAll(async () => {
    service = await TestService.start();
    operations = describedOperations(service.app.get(OpenApiDocuments).document('3.1.0'));
    ground = await BadInputGround.make(service);
    abroad = await BadInputGround.make(service);
    await abroad.tenant.admit(ground.admin, 'administrator');
    trial = new Trial(service);
  });
  afterAll(async () => {
    trial.stop();
    await service.stop();
  });

  const caseOf = (
    operation: DescribedOperation,
    kind: string,
    query: string,
    expected: Expected,
    { on = ground, as = ground.admin }: { on?: BadInputGround; as?: Actor } = {},
  ): InputCase => ({
    kind,
    operation: operation.id,
    what: query.slice(0, 60),
    method: operation.method,
    target: `${on.target(operation)}?${query}`,
    headers: operation.isPublic ? {} : { Authorization: `Bearer ${as.token}` },
    expected,
  });

  async function unwritten(cases: readonly InputCase[]): Promise<void> {
    const before = await ground.tenant.fingerprint();
    expect(await trial.faults(cases)).toEqual([]);
    expect(await ground.tenant.fingerprint()).toEqual(before);
  }

  /** What stands after the `=`, each wrong for the parameter. */
  function badValues({ name, shape }: DescribedParameter): string[] {
    const { enum: words, format, types, bounds } = shape;
    const { maxLength } = bounds as { maxLength?: number };
    const encoded = (values: readonly (readonly [string, string])[]) =>
      values.map(([, value]) => encode(value));
    // The plus of an offset is a blank in a query.
    if (format === 'date-time') return [...encoded(BAD_DATE_TIMES), '2026-11-20T08:15:30+01:00'];
    if (format === 'uuid') return encoded(badUuids(randomUUID()));
    if (words) return encoded(badWords(words));
    if (types.includes('integer')) return encoded(BAD_LIMITS);
    if (types.includes('boolean')) return encoded(BAD_BOOLEANS);
    if (name === 'cursor') return forged(randomUUID().replaceAll('-', ''));
    if (name === 'tagIds')
      return [...encoded(badUuids(randomUUID())).filter((v) => !v.includes('%2C')), ...badLists()];
    // Of a URL not much more than 16 KiB is read.
    const texts = encoded(badTexts(false)).map((value) => value.slice(0, 3000));
    return [
      ...texts,
      ...(name === 'q' ? [] : encoded(BLANK.slice(0, 1))),
      ...(maxLength === undefined ? [] : encoded(tooLong(maxLength))),
    ];
  }

  it(
    '400: for every parameter that is not what the document says, and names it',
    async () => {
      const cases = operations.flatMap((operation) =>
        operation.query.flatMap((parameter) => {
          const { name } = parameter;
          const refused: Expected = { refused: 'request.invalid', at: name };
          const good = goodValue(parameter, ground);
          const queries = [
            ...badValues(parameter).map((value) => `${name}=${value}`),
            ...NO_UTF8.map((bytes) => `${name}=${bytes}`),
            `${name}=${good}&${name}=${good}`,
            `${name}=&${name}=`,
            `${name}=${good}&x=1&${name}=${good}&${name}=${good}`,
            `${name}=${good}&%${name.charCodeAt(0).toString(16)}${name.slice(1)}=${good}`,
            ...(name === 'q' ? [] : [name, `${name}=`]),
          ];
          return queries.map((query) => caseOf(operation, `query: ${name}`, query, refused));
        }),
      );
      expect(cases.length).toBeGreaterThan(2000);
      await unwritten(cases);
    },
    TIMEOUT_MS,
  );

  it('400: for parameters that do not go together, or that only what is stored tells', async () => {
    const refused = (id: string, query: string, at: string): InputCase[] =>
      operations
        .filter((operation) => operation.id === id)
        .map((operation) => caseOf(operation, 'together', query, { refused: 'request.invalid', at }));
    const moment = (day: number) => `2026-11-${day}T00:00:00Z`;
    await unwritten([
      ...refused('ListAuditEntries', `from=${moment(21)}&to=${moment(20)}`, 'to'),
      ...refused('ListAuditEntries', `from=9999-12-31T23:59:59Z&to=0001-01-01T00:00:00Z`, 'to'),
      ...refused('ListDocuments', 'order=relevance', 'order'),
      ...refused('ListDocuments', 'order=relevance&q=', 'order'),
      ...refused('ListDocuments', 'order=relevance&q=%20', 'order'),
      ...refused('ListDocuments', `q=${'a+'.repeat(21)}`, 'q'),
      ...refused('ListDocuments', `savedViewId=${randomUUID()}`, 'savedViewId'),
      ...refused('ListDocuments', `savedViewId=${abroad.ids.savedViewId}`, 'savedViewId'),
    ]);
  });

  it(
    'ignores what no operation has, in every operation that reads',
    async () => {
      const reading = operations.filter(({ method, id }) => method === 'GET' && !/Content$/.test(id));
      const cases = reading.flatMap((operation) => [
        ...UNKNOWN.map((query) => caseOf(operation, 'unknown parameter', query, { accepted: [200, 204] })),
        ...operation.query.map((parameter) =>
          caseOf(operation, 'fine', `${parameter.name}=${goodValue(parameter, ground)}`, {
            // A cursor of its own is another matter.
            accepted: parameter.name === 'cursor' ? [400] : [200],
          }),
        ),
      ]);
      await unwritten(cases);
      expect('polluted' in {}).toBe(false);
    },
    TIMEOUT_MS,
  );

  it(
    '400: for every cursor that the list did not give to this caller for this very question',
    async () => {
      const lists = operations.filter(({ query }) => query.some(({ name }) => name === 'cursor'));
      const at: Expected = { refused: 'request.invalid', at: 'cursor' };
      const cursors = new Map<DescribedOperation, string>();
      for (const operation of lists) {
        const { text } = await trial.send(caseOf(operation, 'cursor', 'limit=1', { accepted: [200] }));
        const { nextCursor } = JSON.parse(text) as { nextCursor: string | null };
        expect([operation.id, typeof nextCursor]).toEqual([operation.id, 'string']);
        cursors.set(operation, nextCursor ?? '');
      }
      const cases = [...cursors].flatMap(([operation, cursor]) => {
        const others = [...cursors].filter(([other]) => other !== operation);
        const filters = operation.query.filter(({ name }) => !['cursor', 'limit', 'order'].includes(name));
        const elsewhere = Object.fromEntries(
          operation.pathParameters
            .filter((name) => name !== 'tenant')
            .map((name) => [name, ground.others[name] ?? '']),
        );
        const moved = {
          ...caseOf(operation, 'foreign cursor', 'of another thing', at),
          target: `${ground.target(operation, elsewhere)}?cursor=${cursor}`,
        };
        return [
          caseOf(operation, 'fine', `limit=1&cursor=${cursor}`, { accepted: [200] }),
          ...forged(cursor).map((query) => caseOf(operation, 'forged cursor', `cursor=${query}`, at)),
          ...NO_UTF8.map((bytes) => caseOf(operation, 'forged cursor', `cursor=${cursor}${bytes}`, at)),
          ...others.map(([other, foreign]) =>
            caseOf(operation, 'foreign cursor', `cursor=${foreign}&limit=${other.id.length}`, at),
          ),
          caseOf(operation, 'foreign cursor', `cursor=${cursor}`, at, { as: ground.other }),
          caseOf(operation, 'foreign cursor', `cursor=${cursor}`, at, { on: abroad }),
          ...(operation.pathParameters.length > 1 ? [moved] : []),
          ...filters.map((filter) =>
            caseOf(
              operation,
              'foreign cursor',
              `cursor=${cursor}&${filter.name}=${goodValue(filter, ground)}`,
              at,
            ),
          ),
        ];
      });
      expect(cases.length).toBeGreaterThan(800);
      await unwritten(cases);
    },
    TIMEOUT_MS,
  );
});

function goodValue(
  { name, shape: { enum: words, format, types } }: DescribedParameter,
  ground: BadInputGround,
): string {
  if (format === 'uuid') return ground.ids[name] ?? ground.admin.userId;
  if (name === 'tagIds') return ground.ids.tagId ?? '';
  if (format === 'date-time') return '2026-11-20T08:15:30Z';
  if (name === 'order') return 'newest';
  if (words) return String(words[0]);
  if (types.includes('integer')) return '10';
  return types.includes('boolean') ? 'true' : 'abc';
}

/** Lists of ids that are none. */
function badLists(): string[] {
  const [one, other] = [randomUUID(), randomUUID()];
  return [
    ...[`${one},${one}`, `${one},${one.toUpperCase()}`, `${one},`, `,${one}`, `${one},,${other}`, ',', ',,'],
    ...[
      `${one};${other}`,
      `${one}+${other}`,
      `${one},+${other}`,
      `[${one}]`,
      `["${one}"]`,
      `${one},${MARK}`,
      `${one}%00`,
    ],
    Array.from({ length: 21 }, () => randomUUID()).join(','),
  ];
}

/** Cursors that are nearly the one given. */
function forged(cursor: string): string[] {
  const flipped = [0, 1, 5, 10, 15, 20, 21, 22, 25, cursor.length - 2, cursor.length - 1]
    .filter((index) => index < cursor.length)
    .map(
      (index) => `${cursor.slice(0, index)}${cursor[index] === 'A' ? 'B' : 'A'}${cursor.slice(index + 1)}`,
    );
  const cut = [1, 2, 4, 10, 20, 21, 22, 23, cursor.length - 1, cursor.length - 4].map((length) =>
    cursor.slice(0, length),
  );
  const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return [
    ...flipped.filter((value) => value !== cursor),
    ...cut.filter((value) => value !== cursor && value !== ''),
    ...[
      `${cursor}A`,
      `${cursor}AAAA`,
      `A${cursor}`,
      `${cursor}%3D`,
      `${cursor}%3D%3D`,
      `${cursor}=`,
      `${cursor}%20`,
    ],
    ...[
      `%20${cursor}`,
      `${cursor}%00`,
      `${cursor}%0A`,
      `"${cursor}"`,
      `${cursor}.`,
      `${cursor}${cursor}`,
      `${cursor},`,
    ],
    ...[cursor.slice(22), [...cursor].reverse().join(''), `${cursor.slice(0, 10)}-${cursor.slice(10)}`],
    ...[
      '',
      'x',
      'null',
      'undefined',
      '0',
      '1',
      '-1',
      '[]',
      '{}',
      '__proto__',
      'A'.repeat(64),
      'A'.repeat(5000),
      MARK,
    ],
    ...[
      json([]),
      json(null),
      json(['2999-01-01', randomUUID()]),
      json({ id: 1 }),
      'eyJhbGciOiJub25lIn0.e30.',
      '%F0%9F%98%80',
    ],
  ];
}

/** As a query has it; halves of surrogate pairs as the bytes that they would be. */
function encode(text: string): string {
  return [...text]
    .map((character) => {
      if (character.isWellFormed()) return encodeURIComponent(character);
      const unit = character.charCodeAt(0);
      const bytes = [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
      return bytes.map((byte) => `%${byte.toString(16)}`).join('');
    })
    .join('');
}
