import { describe, expect, it } from '@jest/globals';
import { type FieldErrors } from '../../../src/common/problem.js';
import { type FieldInput } from '../../../src/resources/document-types/field-rules.js';
import {
  type FieldView,
  changeSchema,
  describeChange,
} from '../../../src/resources/document-types/schema-change.js';
import { buildField } from '../../factories/document-types.js';

const input = (key: string, overrides: Parameters<typeof buildField>[1] = {}) =>
  ({ isRemoved: false, ...buildField(key, overrides) }) as FieldInput;
const stored = (key: string, overrides: Parameters<typeof buildField>[1] = {}): FieldView => ({
  ...input(key, overrides),
  id: `id of ${key}`,
});

function change(before: FieldView[], given: FieldInput[]) {
  const errors: FieldErrors = {};
  return { ...changeSchema(before, given, errors), errors };
}

describe('changeSchema', () => {
  it('keeps the id of a field that is removed and restored, and gives a new field its own id', () => {
    const before = [stored('a'), stored('b', { isRemoved: true })];
    const { fields, isChange } = change(before, [input('c'), input('b')]);
    expect(fields.map(({ key, isRemoved }) => [key, isRemoved])).toEqual([
      ['c', false],
      ['b', false],
      ['a', true],
    ]);
    expect(fields.map(({ id }) => id).slice(1)).toEqual(['id of b', 'id of a']);
    expect(fields[0]?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(isChange).toBe(true);
  });

  it('reports no change when the fields are the same', () => {
    const before = [stored('a'), stored('b', { options: ['x', 'y'] }), stored('c', { isRemoved: true })];
    for (const given of [
      [input('a'), input('b', { options: ['x', 'y'] })],
      [input('c', { isRemoved: true }), input('a'), input('b', { options: ['x', 'y'] })],
    ]) {
      expect(change(before, given)).toEqual({
        fields: before,
        breakingChanges: [],
        isChange: false,
        errors: {},
      });
    }
  });

  it('lists removed options and targets by the position of the field in the request', () => {
    const before = [
      stored('a', { options: ['x', 'y', 'z'] }),
      stored('b', { referenceTarget: 'File' }),
      stored('c', { options: ['x'], isRemoved: true }),
      stored('d', { options: ['x'] }),
    ];
    const given = [
      input('new'),
      input('c', { options: ['y'] }),
      input('b', { referenceTarget: 'User' }),
      input('a', { options: ['w', 'y'] }),
    ];
    expect(change(before, given).breakingChanges).toEqual([
      { path: 'fields[1].options', fieldId: 'id of c', optionKey: 'x' },
      { path: 'fields[2].referenceTarget', fieldId: 'id of b', optionKey: null },
      { path: 'fields[3].options', fieldId: 'id of a', optionKey: 'x' },
      { path: 'fields[3].options', fieldId: 'id of a', optionKey: 'z' },
    ]);
  });

  it('rejects another field type without also listing breaking changes', () => {
    const { errors, breakingChanges } = change(
      [stored('a', { options: ['x'] }), stored('b')],
      [input('b', { type: 'Number' }), input('a')],
    );
    expect(Object.keys(errors)).toEqual(['fields[0].type', 'fields[1].type']);
    expect(breakingChanges).toEqual([]);
  });
});

describe('describeChange', () => {
  const [a, b, c] = [stored('a'), stored('b'), stored('c')];

  it.each<[string, FieldView[], FieldView[]]>([
    ['', [a, b], [a, b]],
    ['fields in another order', [a, b], [b, a]],
    ['fields + b', [a], [a, b]],
    ['fields − b', [a, b], [a, { ...b, isRemoved: true }]],
    ['fields ↺ b', [a, { ...b, isRemoved: true }], [a, b]],
    ['fields ~ a, + c, − b', [a, b], [{ ...a, required: true }, c, { ...b, isRemoved: true }]],
  ])('returns %j', (summary, before, after) => expect(describeChange(before, after)).toBe(summary));

  it('names the first 20 fields and counts the others', () => {
    const many = Array.from({ length: 100 }, (_, n) => stored(`f${n}`));
    const summary = describeChange([], many);
    expect(summary).toMatch(/^fields \+ f0, \+ f1, .*, \+ f19 and 80 more$/);
  });
});
