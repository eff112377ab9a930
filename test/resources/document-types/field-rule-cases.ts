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

/** Cases for the rules on fields that need no stored data, for every operation that takes fields. */
export function fieldRuleCases({ tenant, send, success }: FieldsUnderTest): void {
  const expectRefused = async (fields: unknown, paths: string[]) => {
    const before = await tenant().fingerprint();
    expectProblem(await send(fields), 'request.invalid', paths);
    expect(await tenant().fingerprint()).toEqual(before);
  };
  const expectAccepted = async (fields: unknown) => {
    const response = await send(fields);
    expect(response.status).toBe(success);
    return (response.body as { fields: object[] }).fields;
  };

  it.each(['a', 'aZ09_', `a${'b'.repeat(49)}`, 'constructor', 'toString', 'valueOf', ' trimmed '])(
    `returns ${success} for a field with the key %j`,
    async (key) =>
      expect(await expectAccepted([{ ...text(), key }])).toEqual([{ ...text(), key: key.trim() }]),
  );

  it.each([ABSENT, null, 5, '', 'A', '1a', '_a', 'a-b', 'a b', 'a.b', 'ä', `a${'b'.repeat(50)}`, 'a\u0000'])(
    'returns 400 for a field with the key %j',
    (key) => expectRefused([bodyWith(text(), 'key', key)], ['fields[0].key']),
  );

  it.each(['0', '-', '_', 'A-z_9', 'x'.repeat(50), 'constructor'])(
    `returns ${success} for an option with the key %j`,
    async (key) =>
      expect(await expectAccepted([{ ...enumeration(), options: [buildOption(key)] }])).toMatchObject([
        { options: [{ key }] },
      ]),
  );

  it.each([ABSENT, null, 5, '', 'a b', 'a.b', 'ä', 'x'.repeat(51)])(
    'returns 400 for an option with the key %j',
    (key) =>
      expectRefused(
        [{ ...enumeration(), options: [buildOption('a'), bodyWith(buildOption('b'), 'key', key)] }],
        ['fields[0].options[1].key'],
      ),
  );

  it.each([ABSENT, null, 5, '', ' ', 'x'.repeat(201), 'a\nb', 'a\ud800'])(
    'returns 400 for the label %j',
    async (label) => {
      for (const member of ['labelDe', 'labelEn']) {
        await expectRefused([text(), bodyWith(enumeration(), member, label)], [`fields[1].${member}`]);
        await expectRefused(
          [{ ...enumeration(), options: [bodyWith(buildOption('a'), member, label)] }],
          [`fields[0].options[0].${member}`],
        );
      }
    },
  );

  it(`returns ${success} with trimmed labels in NFC, and ignores unknown members`, async () => {
    const labels = { labelDe: ' A\u0308\n', labelEn: '😀'.repeat(200) };
    const option = { key: 'a', ...labels, unknown: 1 };
    const sent = { ...enumeration(), ...labels, options: [option], position: 7, id: 'x' };
    const read = { labelDe: 'Ä', labelEn: '😀'.repeat(200) };
    expect(await expectAccepted([sent])).toEqual([
      { ...enumeration(), ...read, options: [{ key: 'a', ...read }] },
    ]);
  });

  it.each([ABSENT, null, 'text', 'TEXT', '', 5, ['Text'], 'Texts'])(
    'returns 400 for a field with the type %j',
    (type) => expectRefused([bodyWith(text(), 'type', type)], ['fields[0].type']),
  );

  it.each([ABSENT, null, 'true', 0])('returns 400 when required is %j', (required) =>
    expectRefused([bodyWith(text(), 'required', required)], ['fields[0].required']),
  );

  it.each([null, 'true', 0])('returns 400 when isRemoved is %j', (isRemoved) =>
    expectRefused([{ ...text(), isRemoved }], ['fields[0].isRemoved']),
  );

  it.each([ABSENT, null, [], 'open', { a: 1 }, 5])(
    'returns 400 for an Enumeration with the options %j',
    (options) => expectRefused([bodyWith(enumeration(), 'options', options)], ['fields[0].options']),
  );

  it('returns 400 for 501 options', () =>
    expectRefused(
      [{ ...enumeration(), options: Array.from({ length: 501 }, (_, n) => buildOption(`o${n}`)) }],
      ['fields[0].options'],
    ));

  it('returns 400 for options that are not objects', () =>
    expectRefused(
      [{ ...enumeration(), options: ['open', null, [], buildOption('a')] }],
      ['fields[0].options[0]', 'fields[0].options[1]', 'fields[0].options[2]'],
    ));

  it.each(['Text', 'Number', 'Date', 'Money', 'Reference'])(
    'returns 400 for options of a field of the type %s, even an empty list',
    async (type) => {
      const field = { ...(type === 'Reference' ? reference() : text()), type };
      await expectRefused([{ ...field, options: [] }], ['fields[0].options']);
      await expectRefused([{ ...field, options: [buildOption('a')] }], ['fields[0].options']);
    },
  );

  it.each([ABSENT, null, '', 'file', 'Folder', 5, ['File']])(
    'returns 400 for a Reference with the target %j',
    (target) =>
      expectRefused([bodyWith(reference(), 'referenceTarget', target)], ['fields[0].referenceTarget']),
  );

  it.each(['Text', 'Number', 'Date', 'Money', 'Enumeration'])(
    'returns 400 for a referenceTarget of a field of the type %s',
    (type) => {
      const field = { ...(type === 'Enumeration' ? enumeration() : text()), type };
      return expectRefused([{ ...field, referenceTarget: 'File' }], ['fields[0].referenceTarget']);
    },
  );

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

  it('returns 400 for a repeated key of a field or option, at the later one', () =>
    expectRefused(
      [
        text(),
        { ...enumeration(), options: [buildOption('a'), buildOption('b'), buildOption('a')] },
        { ...text(), type: 'Number' },
        { ...enumeration(), key: 'state' },
      ],
      ['fields[1].options[2].key', 'fields[2].key', 'fields[3].key'],
    ));

  it(`returns ${success} for keys that differ only in case`, async () => {
    const fields = [
      { ...text(), key: 'aB' },
      { ...enumeration(), key: 'ab', options: [buildOption('a'), buildOption('A')] },
    ];
    expect(await expectAccepted(fields)).toEqual(fields);
  });

  it(`returns ${success} for 100 fields and 500 options`, async () => {
    const options = Array.from({ length: 500 }, (_, n) => buildOption(`o${n}`));
    const fields = Array.from({ length: 100 }, (_, n) => buildField(`f${n}`, n === 99 ? { options } : {}));
    expect(await expectAccepted(fields)).toEqual(fields);
  });

  it.each(['text', {}, 5, true])('returns 400 when fields is %j', (fields) =>
    expectRefused(fields, ['fields']),
  );

  it('returns 400 for 101 fields', () =>
    expectRefused(
      Array.from({ length: 101 }, (_, n) => buildField(`f${n}`)),
      ['fields'],
    ));

  it('returns 400 for fields that are not objects, each listed', () =>
    expectRefused([null, 'text', [], 5, text()], ['fields[0]', 'fields[1]', 'fields[2]', 'fields[3]']));

  it('returns 400 and lists all errors together', () =>
    expectRefused(
      [{ ...text(), key: 'A', labelDe: '' }, { key: 'b', type: 'Enumeration', options: [{}] }, reference()],
      [
        'fields[0].key',
        'fields[0].labelDe',
        'fields[1].labelDe',
        'fields[1].labelEn',
        'fields[1].options[0].key',
        'fields[1].options[0].labelDe',
        'fields[1].options[0].labelEn',
        'fields[1].required',
      ],
    ));
}
