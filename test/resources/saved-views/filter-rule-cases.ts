import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type Test } from 'supertest';
import { type ConditionBody, saveTypeWithAllFieldTypes } from '../../factories/saved-views.js';
import { saveDocumentType, buildField } from '../../factories/document-types.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { type TestTenant } from '../../support/tenant.js';

export interface FilterUnderTest {
  readonly tenant: () => TestTenant;
  /** Sends the operation with this `filter` as a permitted caller. */
  readonly send: (filter: unknown) => Test;
  readonly success: 200 | 201;
}

const ID = randomUUID();

/** Filters that are invalid whatever is stored, with the paths of the errors. */
const INVALID_FILTERS: [string, unknown, string[]][] = [
  ['not an object', 'x', ['filter']],
  ['a list', [], ['filter']],
  ['a documentTypeId that is not a UUID', { documentTypeId: 'x' }, ['filter.documentTypeId']],
  ['a documentTypeId without hyphens', { documentTypeId: ID.replaceAll('-', '') }, ['filter.documentTypeId']],
  ['a fileId that is a number', { fileId: 1 }, ['filter.fileId']],
  ['tagIds that are null', { tagIds: null }, ['filter.tagIds']],
  ['tagIds that are not a list', { tagIds: ID }, ['filter.tagIds']],
  ['a tag id that is not a UUID', { tagIds: [ID, 'x', null] }, ['filter.tagIds[1]', 'filter.tagIds[2]']],
  ['a tag id twice, ignoring case', { tagIds: [ID, ID.toUpperCase()] }, ['filter.tagIds[1]']],
  ['21 tag ids', { tagIds: Array.from({ length: 21 }, () => randomUUID()) }, ['filter.tagIds']],
  ['conditions that are null', { metadataConditions: null }, ['filter.metadataConditions']],
  ['conditions that are not a list', { metadataConditions: {} }, ['filter.metadataConditions']],
  [
    '21 conditions',
    { metadataConditions: Array.from({ length: 21 }, () => ({ fieldKey: 'note', operator: 'IsEmpty' })) },
    ['filter.metadataConditions'],
  ],
  ['a condition that is not an object', { metadataConditions: [null] }, ['filter.metadataConditions[0]']],
  [
    'a condition without members',
    { metadataConditions: [{}] },
    ['filter.metadataConditions[0].fieldKey', 'filter.metadataConditions[0].operator'],
  ],
  ...(
    [
      ['an invalid key', { fieldKey: 'Not a key', operator: 'IsEmpty' }, 'fieldKey'],
      ['a key that is a number', { fieldKey: 1, operator: 'IsEmpty' }, 'fieldKey'],
      ['an unknown operator', { fieldKey: 'note', operator: 'equalTo', value: 'x' }, 'operator'],
      ['a value for an operator without one', { fieldKey: 'note', operator: 'IsEmpty', value: '' }, 'value'],
      ['no value for an operator with one', { fieldKey: 'note', operator: 'EqualTo' }, 'value'],
      ['a value that is null', { fieldKey: 'note', operator: 'Contains', value: null }, 'value'],
      ['a value that is a number', { fieldKey: 'count', operator: 'EqualTo', value: 1 }, 'value'],
      ['an empty value', { fieldKey: 'note', operator: 'Contains', value: ' ' }, 'value'],
      ['a value with NUL', { fieldKey: 'note', operator: 'EqualTo', value: 'a\u0000b' }, 'value'],
      [
        'a value with half a surrogate pair',
        { fieldKey: 'note', operator: 'EqualTo', value: '\ud83d' },
        'value',
      ],
      [
        'a value that is too long',
        { fieldKey: 'note', operator: 'EqualTo', value: 'x'.repeat(10_001) },
        'value',
      ],
    ] as const
  ).map(([what, condition, member]): [string, unknown, string[]] => [
    what,
    { metadataConditions: [condition] },
    [`filter.metadataConditions[0].${member}`],
  ]),
  [
    'several errors',
    { documentTypeId: 1, tagIds: ['x'], metadataConditions: [{ fieldKey: 'note', operator: 'EqualTo' }, 5] },
    [
      ...['filter.documentTypeId', 'filter.metadataConditions[0].value'],
      ...['filter.metadataConditions[1]', 'filter.tagIds[0]'],
    ],
  ],
];

/** Valid conditions for the fields of saveTypeWithAllFieldTypes, as they are sent. */
const VALID_CONDITIONS: readonly (readonly [string, string, (string | null)?])[] = [
  ...['note', 'count', 'due', 'money', 'state', 'file'].flatMap(
    (key) =>
      [
        [key, 'IsEmpty', null],
        [key, 'IsNotEmpty'],
      ] as const,
  ),
  ...(['EqualTo', 'NotEqualTo'] as const).flatMap(
    (operator) =>
      [
        ['note', operator, 'Straße\nund\tHof'],
        ['count', operator, '-0012.500'],
        ['due', operator, '2024-02-29'],
        ['money', operator, '12.5'],
        ['money', operator, '12.50 EUR'],
        ['state', operator, 'no-such-option'],
        ['file', operator, ID.toUpperCase()],
      ] as const,
  ),
  ...(['GreaterThan', 'GreaterThanOrEqual', 'LessThan', 'LessThanOrEqual'] as const).flatMap(
    (operator) =>
      [
        ['count', operator, `${'9'.repeat(38)}`],
        ['due', operator, '0001-01-01'],
        ['money', operator, '-1 JPY'],
      ] as const,
  ),
  ['note', 'Contains', '%_\\'],
];

/** Invalid conditions for the fields of saveTypeWithAllFieldTypes, with the invalid member. */
const INVALID_CONDITIONS: readonly (readonly [string, string, string | null, keyof ConditionBody])[] = [
  ['nosuchfield', 'IsEmpty', null, 'fieldKey'],
  ['gone', 'IsEmpty', null, 'fieldKey'],
  ['Note', 'IsEmpty', null, 'fieldKey'],
  ...['count', 'due', 'money', 'state', 'file'].map((key) => [key, 'Contains', '1', 'operator'] as const),
  ...['note', 'state', 'file'].flatMap((key) =>
    ['GreaterThan', 'GreaterThanOrEqual', 'LessThan', 'LessThanOrEqual'].map(
      (operator) => [key, operator, '1', 'operator'] as const,
    ),
  ),
  ['count', 'EqualTo', 'x', 'value'],
  ['due', 'LessThan', '2026-02-30', 'value'],
  ['money', 'NotEqualTo', '1 EUR EUR', 'value'],
  ['file', 'EqualTo', ID.replaceAll('-', ''), 'value'],
];

/** Cases for valid and invalid filters that CreateSavedView and UpdateSavedView share. */
export function filterRuleCases({ tenant, send, success }: FilterUnderTest): void {
  const expectInvalid = (filter: unknown, paths: string[]) =>
    expectRefused(tenant(), send(filter), 'request.invalid', paths);
  const condition = (fieldKey: string, operator: string, value?: string | null) => ({
    fieldKey,
    operator,
    ...(value !== undefined && { value }),
  });

  describe('with a filter', () => {
    it('returns 400 for an invalid filter, with the paths of all errors', async () => {
      const before = await tenant().fingerprint();
      for (const [what, filter, paths] of INVALID_FILTERS) {
        const response = await send(filter);
        expect({ what, status: response.status }).toEqual({ what, status: 400 });
        expectProblem(response, 'request.invalid', paths);
      }
      expect(await tenant().fingerprint()).toEqual(before);
    });

    it(`returns ${success} for every valid condition, with and without a document type`, async () => {
      const { id: documentTypeId } = await saveTypeWithAllFieldTypes(tenant());
      for (const typeId of [documentTypeId, null]) {
        for (const start of [0, 20]) {
          const metadataConditions = VALID_CONDITIONS.slice(start, start + 20).map(([key, operator, value]) =>
            condition(key, operator, value),
          );
          expect((await send({ documentTypeId: typeId, metadataConditions })).status).toBe(success);
        }
      }
    });

    it('returns 400 for an invalid condition, with and without a document type', async () => {
      const { id: documentTypeId } = await saveTypeWithAllFieldTypes(tenant());
      const before = await tenant().fingerprint();
      for (const [key, operator, value, member] of INVALID_CONDITIONS) {
        const metadataConditions = [condition('note', 'IsNotEmpty'), condition(key, operator, value)];
        for (const typeId of [documentTypeId, null]) {
          const response = await send({ documentTypeId: typeId, metadataConditions });
          const sent = `${key} ${operator} ${value}`;
          expect({ sent, status: response.status }).toEqual({ sent, status: 400 });
          expectProblem(response, 'request.invalid', [`filter.metadataConditions[1].${member}`]);
        }
      }
      expect(await tenant().fingerprint()).toEqual(before);
    });

    it('returns 400 for a field of another document type, or one that no type has', async () => {
      await saveTypeWithAllFieldTypes(tenant());
      const { id: documentTypeId } = await saveDocumentType(tenant(), { fields: [buildField('other')] });
      const metadataConditions = [condition('note', 'IsEmpty')];
      await expectInvalid({ documentTypeId, metadataConditions }, ['filter.metadataConditions[0].fieldKey']);
      expect((await send({ metadataConditions })).status).toBe(success);
      const elsewhere = await saveDocumentType(await tenant().service.tenant(), {
        fields: [buildField('there')],
      });
      expect(elsewhere.fields).toHaveLength(1);
      await expectInvalid({ metadataConditions: [condition('there', 'IsEmpty')] }, [
        'filter.metadataConditions[0].fieldKey',
      ]);
    });

    it(`returns ${success} without a type for conditions that fit a field with the key, 400 for others`, async () => {
      await saveDocumentType(tenant(), { fields: [buildField('ref'), buildField('date')] });
      await saveDocumentType(tenant(), {
        fields: [buildField('ref', { type: 'Number' }), buildField('date', { type: 'Date' })],
      });
      for (const fine of [
        condition('ref', 'Contains', 'x'),
        condition('ref', 'EqualTo', 'x'),
        condition('ref', 'LessThan', '5'),
        condition('date', 'GreaterThan', '2026-01-01'),
      ])
        expect((await send({ metadataConditions: [fine] })).status).toBe(success);
      await expectInvalid({ metadataConditions: [condition('date', 'GreaterThan', 'x')] }, [
        'filter.metadataConditions[0].value',
      ]);
      await saveDocumentType(tenant(), { fields: [buildField('only', { options: ['a'] })] });
      await saveDocumentType(tenant(), { fields: [buildField('only')] });
      await expectInvalid({ metadataConditions: [condition('only', 'LessThan', 'x')] }, [
        'filter.metadataConditions[0].operator',
      ]);
    });
  });
}
