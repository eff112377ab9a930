import { expect, it } from '@jest/globals';
import { type Test } from 'supertest';
import { buildField, buildOption } from '../../factories/document-types.js';
import { expectProblem } from '../../support/expect-problem.js';
import { type TestTenant } from '../../support/tenant.js';
import { ABSENT, bodyWith } from '../../support/operations/text-rules.js';

export interface FieldsUnderTest {
  readonly tenant: () => TestTenant;
  /** Sends the request with these fields, for a type without fields. */
  readonly send: (fields: unknown) => Test;
  readonly success: number;
}

const text = () => ({ ...buildField('note') }) as Record<string, unknown>;
const enumeration = () =>
  ({ ...buildField('state', { options: ['open', 'paid'] }) }) as Record<string, unknown>;
const reference = () => ({ ...buildField('file', { referenceTarget: 'File' }) }) as Record<string, unknown>;

const options = (count: number) => Array.from({ length: count }, (_, n) => buildOption(`o${n}`));

/** Invalid fields, with the paths of the errors. */
const INVALID_FIELDS: readonly (readonly [fields: unknown, paths: readonly string[]])[] = [
  ...['text', {}, 5, true, Array.from({ length: 101 }, (_, n) => buildField(`f${n}`))].map(
    (fields) => [fields, ['fields']] as const,
  ),
  [
    [null, 'text', [], 5, text()],
    ['fields[0]', 'fields[1]', 'fields[2]', 'fields[3]'],
  ],
  ...[ABSENT, null, 5, '', 'A', '1a', '_a', 'a-b', 'a b', 'a.b', 'ä', `a${'b'.repeat(50)}`, 'a\u0000'].map(
    (key) => [[bodyWith(text(), 'key', key)], ['fields[0].key']] as const,
  ),
  ...[ABSENT, null, 5, '', 'a b', 'a.b', 'ä', 'x'.repeat(51)].map((key) => {
    const sent = [buildOption('a'), bodyWith(buildOption('b'), 'key', key)];
    return [[{ ...enumeration(), options: sent }], ['fields[0].options[1].key']] as const;
  }),
  ...[ABSENT, null, 5, '', ' ', 'x'.repeat(201), 'a\nb', 'a\ud800'].flatMap((label) =>
    ['labelDe', 'labelEn'].flatMap((member) => {
      const option = bodyWith(buildOption('a'), member, label);
      return [
        [[text(), bodyWith(enumeration(), member, label)], [`fields[1].${member}`]] as const,
        [[{ ...enumeration(), options: [option] }], [`fields[0].options[0].${member}`]] as const,
      ];
    }),
  ),
  ...[ABSENT, null, 'text', 'TEXT', '', 5, ['Text'], 'Texts'].map(
    (type) => [[bodyWith(text(), 'type', type)], ['fields[0].type']] as const,
  ),
  ...[ABSENT, null, 'true', 0].map(
    (required) => [[bodyWith(text(), 'required', required)], ['fields[0].required']] as const,
  ),
  ...[null, 'true', 0].map((isRemoved) => [[{ ...text(), isRemoved }], ['fields[0].isRemoved']] as const),
  ...[ABSENT, null, [], 'open', { a: 1 }, 5, options(501)].map(
    (sent) => [[bodyWith(enumeration(), 'options', sent)], ['fields[0].options']] as const,
  ),
  [
    [{ ...enumeration(), options: ['open', null, [], buildOption('a')] }],
    ['fields[0].options[0]', 'fields[0].options[1]', 'fields[0].options[2]'],
  ],
  // Options of a field of another type, even an empty list
  ...['Text', 'Number', 'Date', 'Money', 'Reference'].flatMap((type) =>
    [[], [buildOption('a')]].map((sent) => {
      const field = { ...(type === 'Reference' ? reference() : text()), type };
      return [[{ ...field, options: sent }], ['fields[0].options']] as const;
    }),
  ),
  ...[ABSENT, null, '', 'file', 'Folder', 5, ['File']].map(
    (target) => [[bodyWith(reference(), 'referenceTarget', target)], ['fields[0].referenceTarget']] as const,
  ),
  ...['Text', 'Number', 'Date', 'Money', 'Enumeration'].map((type) => {
    const field = { ...(type === 'Enumeration' ? enumeration() : text()), type };
    return [[{ ...field, referenceTarget: 'File' }], ['fields[0].referenceTarget']] as const;
  }),
  // Repeated keys, at the later one
  [
    [
      text(),
      { ...enumeration(), options: [buildOption('a'), buildOption('b'), buildOption('a')] },
      { ...text(), type: 'Number' },
      { ...enumeration(), key: 'state' },
    ],
    ['fields[1].options[2].key', 'fields[2].key', 'fields[3].key'],
  ],
  // All errors together
  [
    [{ ...text(), key: 'A', labelDe: '' }, { key: 'b', type: 'Enumeration', options: [{}] }, reference()],
    [
      ...['fields[0].key', 'fields[0].labelDe', 'fields[1].labelDe', 'fields[1].labelEn'],
      ...['key', 'labelDe', 'labelEn'].map((member) => `fields[1].options[0].${member}`),
      'fields[1].required',
    ],
  ],
];

/** Cases for the rules on fields that need no stored data, for every operation that takes fields. */
export function fieldRuleCases({ tenant, send, success }: FieldsUnderTest): void {
  const expectAccepted = async (fields: unknown) => {
    const response = await send(fields);
    expect(response.status).toBe(success);
    return (response.body as { fields: object[] }).fields;
  };

  it('returns 400 for invalid fields, with the paths of all errors', async () => {
    const before = await tenant().fingerprint();
    for (const [fields, paths] of INVALID_FIELDS) {
      const response = await send(fields);
      expect({ fields, status: response.status }).toEqual({ fields, status: 400 });
      expectProblem(response, 'request.invalid', [...paths]);
    }
    expect(await tenant().fingerprint()).toEqual(before);
  });

  it(`returns ${success} for fields with all forms of keys, and trims them`, async () => {
    const keys = ['a', 'aZ09_', `a${'b'.repeat(49)}`, 'constructor', 'toString', 'valueOf', ' trimmed '];
    const fields = (names: string[]) => names.map((key) => ({ ...text(), key }));
    expect(await expectAccepted(fields(keys))).toEqual(fields(keys.map((key) => key.trim())));
  });

  it(`returns ${success} for options with all forms of keys`, async () => {
    const keys = ['0', '-', '_', 'A-z_9', 'x'.repeat(50), 'constructor'];
    const field = { ...enumeration(), options: keys.map((key) => buildOption(key)) };
    expect(await expectAccepted([field])).toEqual([field]);
  });

  it(`returns ${success} with trimmed labels in NFC, and ignores unknown members`, async () => {
    const labels = { labelDe: ' A\u0308\n', labelEn: '😀'.repeat(200) };
    const option = { key: 'a', ...labels, unknown: 1 };
    const sent = { ...enumeration(), ...labels, options: [option], position: 7, id: 'x' };
    const read = { labelDe: 'Ä', labelEn: '😀'.repeat(200) };
    expect(await expectAccepted([sent])).toEqual([
      { ...enumeration(), ...read, options: [{ key: 'a', ...read }] },
    ]);
  });

  it(`returns ${success} for every type and target, and treats an absent member as null`, async () => {
    const fields = [
      ...(['Text', 'Number', 'Date', 'Money'] as const).map((type, n) => buildField(`f${n}`, { type })),
      buildField('state', { options: ['open', 'paid'], required: true }),
      ...['File', 'Document', 'User'].map((referenceTarget) =>
        buildField(`r${referenceTarget}`, { referenceTarget }),
      ),
    ];
    const sent = fields.map((field) =>
      Object.fromEntries(Object.entries(field).filter(([, value]) => value !== null)),
    );
    expect(await expectAccepted(sent)).toEqual(fields);
  });

  it(`returns ${success} for keys that differ only in case`, async () => {
    const fields = [
      { ...text(), key: 'aB' },
      { ...enumeration(), key: 'ab', options: [buildOption('a'), buildOption('A')] },
    ];
    expect(await expectAccepted(fields)).toEqual(fields);
  });

  it(`returns ${success} for 100 fields and 500 options`, async () => {
    const fields = Array.from({ length: 100 }, (_, n) =>
      buildField(`f${n}`, n === 99 ? { options: options(500) } : {}),
    );
    expect(await expectAccepted(fields)).toEqual(fields);
  });
}
