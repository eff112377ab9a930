import { randomUUID } from 'node:crypto';
import { buildField } from '../../../factories/document-types.js';
import { words } from './bad-values.js';
import { RawJson, type BodyRules, type Mutation } from './body-mutations.js';
import { type DescribedOperation } from './described-operations.js';

const FILTER_VALUE = 'filter.metadataConditions[].value';

export function bodyRulesOf({ id }: DescribedOperation, body: Record<string, unknown>): BodyRules {
  return {
    requiredHere: {
      [FILTER_VALUE]: 'filter.metadataConditions[0].value',
      'fields[].options': 'fields[0].options',
      ...(id.endsWith('Document') && { documentTypeId: 'fields.note' }),
      ...(id === 'CreateExport' && { all: 'fileIds' }),
      ...(body.action === 'Tag' && { tagIds: 'tagIds' }),
      ...(body.action === 'File' && { fileIds: 'fileIds' }),
      ...(body.action === 'Move' && { fromFileId: 'fromFileId', toFileId: 'toFileId' }),
      ...(body.decision === 'Transferred' && { reference: 'reference' }),
    },
    multiline: [FILTER_VALUE, 'message'],
    formatted: ['cursor', 'email', 'issuer', 'secret', 'url'],
  };
}

/** Invalid bodies by rules that are not in the schema, or that depend on stored data. */
export function operationSpecificMutations(
  { id }: DescribedOperation,
  body: Record<string, unknown>,
): Mutation[] {
  switch (id) {
    case 'CreateDocument':
    case 'UpdateDocument':
      return DOCUMENT_VALUES.map(([values, at]) =>
        mutation('document value', { ...body, fields: values }, at),
      );
    case 'CreateDocumentType':
    case 'UpdateDocumentType':
      return [
        ...FIELDS.map(([field, at]) => mutation('field', { ...body, fields: [field] }, `fields[0].${at}`)),
        mutation(
          'too many',
          { ...body, fields: Array.from({ length: 101 }, (_, i) => buildField(`f${i}`)) },
          'fields',
        ),
        id === 'CreateDocumentType'
          ? mutation(
              'field',
              { ...body, fields: [{ ...buildField('a'), isRemoved: true }] },
              'fields[0].isRemoved',
            )
          : mutation(
              'field',
              { ...body, fields: [buildField('note', { type: 'Number' })] },
              'fields[0].type',
            ),
      ];
    case 'CreateSavedView':
    case 'UpdateSavedView':
    case 'SearchDocuments':
      return [
        ...CONDITIONS.map(([condition, member]) => {
          const filter = { ...(body.filter as object), metadataConditions: [condition] };
          return mutation('condition', { ...body, filter }, `filter.metadataConditions[0].${member}`);
        }),
        ...(id === 'SearchDocuments' ? searches(body) : []),
      ];
    default:
      return [];
  }
}

function searches(body: Record<string, unknown>): Mutation[] {
  return [
    mutation('search', { ...body, q: null, order: 'relevance' }, 'order'),
    mutation('search', { ...body, q: '', order: 'relevance' }, 'order'),
    mutation('search', { ...body, q: ' \t', order: 'relevance' }, 'order'),
    mutation('search', { ...body, order: 'newest', sort: 'title' }, 'sort'),
    mutation(
      'search',
      { ...body, createdFrom: '2026-11-21T00:00:00Z', createdTo: '2026-11-20T23:59:59Z' },
      'createdTo',
    ),
    mutation('search', { ...body, q: 'a '.repeat(21) }, 'q'),
    mutation('search', { ...body, savedViewId: randomUUID() }, 'savedViewId'),
    ...['A'.repeat(40), 'x', `${'A'.repeat(2001)}`, 'eyJhbGciOiJub25lIn0.e30.', '__proto__'].map((cursor) =>
      mutation('forged cursor', { ...body, cursor }, 'cursor'),
    ),
  ];
}

function mutation(kind: string, body: unknown, at: string): Mutation {
  return { kind, member: at, what: JSON.stringify(body).slice(0, 300), body, at };
}

/** Invalid values for the document type with a field of each type. */
const DOCUMENT_VALUES: readonly (readonly [values: object, at: string])[] = [
  ...valuesOf('count', words(`0x10 1e1 NaN Infinity - 1,5 .5 +1 १ ${'9'.repeat(39)}`)),
  ...valuesOf('count', ['1 000', true, false, [], ['1'], ...['1e400', '12345678901234567'].map(rawJson)]),
  ...valuesOf(
    'due',
    words(`
      2026-02-30 2027-02-29 infinity -infinity today epoch 2026-1-1 20261120
      2026-11-20T00:00:00Z 0000-01-01 10000-01-01 2026-13-01 2026-11-20\u0000
    `),
  ),
  ...valuesOf('due', [5, true, []]),
  ...valuesOf('state', [...words('OPEN nosuch open,paid __proto__ constructor'), 5, true, ['open']]),
  ...valuesOf('file', words(`x 1 ${randomUUID().replaceAll('-', '')} {${randomUUID()}} ${randomUUID()}`)),
  ...valuesOf('file', [5, true, []]),
  ...valuesOf('money', ['1 EUR', 5, true, []]),
  ...valuesOf('note', [5, true, [], 'a\u0000', 'a\ud83d', '\ude00', 'a\u0085', 'x'.repeat(10_001)]),
  ...(
    [
      ['amount', { amount: '1e1', currency: 'EUR' }],
      ['amount', { amount: '0x10', currency: 'EUR' }],
      ['amount', { amount: '1.234', currency: 'EUR' }],
      ['amount', { amount: '1.5', currency: 'JPY' }],
      ['amount', { amount: '9'.repeat(39), currency: 'EUR' }],
      ['amount', { amount: '', currency: 'EUR' }],
      ['amount', { amount: 5, currency: 'EUR' }],
      ['amount', { amount: null, currency: 'EUR' }],
      ['amount', { currency: 'EUR' }],
      ['currency', { amount: '1', currency: 'eur' }],
      ['currency', { amount: '1', currency: 'XYZ' }],
      ['currency', { amount: '1', currency: '__proto__' }],
      ['currency', { amount: '1', currency: '' }],
      ['currency', { amount: '1', currency: 978 }],
      ['currency', { amount: '1' }],
    ] as const
  ).map(([part, money]) => [{ money }, `fields.money.${part}`] as const),
  ...['nosuch', 'gone', 'Note', 'constructor', 'toString', 'hasOwnProperty'].map(
    (key) => [{ [key]: 'x' }, `fields.${key}`] as const,
  ),
  [{ 'a b': 'x' }, 'fields["a b"]'],
  [{ '': 'x' }, 'fields[""]'],
  [{ 'note\u0000': 'x' }, 'fields["note\\u0000"]'],
  [Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`f${index}`, 'x'])), 'fields'],
];

function rawJson(text: string): RawJson {
  return new RawJson(text);
}

function valuesOf(key: string, values: readonly unknown[]): (readonly [object, string])[] {
  return values.map((value) => [{ [key]: value }, `fields.${key}`] as const);
}

const FIELDS: readonly (readonly [field: object, at: string])[] = [
  [{ ...buildField('a'), options: [{ key: 'a', labelDe: 'a', labelEn: 'a' }] }, 'options'],
  [{ ...buildField('a', { options: ['x'] }), options: [] }, 'options'],
  [{ ...buildField('a', { options: ['x'] }), referenceTarget: 'File' }, 'referenceTarget'],
  [{ ...buildField('a', { referenceTarget: 'File' }), referenceTarget: null }, 'referenceTarget'],
  [{ ...buildField('a', { referenceTarget: 'File' }), referenceTarget: 'Tag' }, 'referenceTarget'],
  [{ ...buildField('a', { referenceTarget: 'File' }), options: [] }, 'options'],
];

const CONDITIONS: readonly (readonly [condition: object, member: string])[] = [
  ...['0x10', '1e1', 'NaN', 'Infinity', '+1', '1,5', '9'.repeat(39)].map((value) =>
    condition('count', value),
  ),
  ...['2026-02-30', 'infinity', 'today', '2026-11-20T00:00:00Z', '0000-01-01'].map((value) =>
    condition('due', value),
  ),
  ...['1 eur', '1 XYZ', 'EUR 1', '1e1 EUR'].map((value) => condition('money', value)),
  ...['x', '1', randomUUID().replaceAll('-', '')].map((value) => condition('file', value)),
  ...[0, 1].map(
    (index) =>
      [{ fieldKey: 'note', operator: index ? 'IsEmpty' : 'IsNotEmpty', value: 'x' }, 'value'] as const,
  ),
  [{ fieldKey: 'nosuch', operator: 'IsEmpty' }, 'fieldKey'],
  [{ fieldKey: 'gone', operator: 'IsEmpty' }, 'fieldKey'],
  [{ fieldKey: 'note', operator: 'LessThan', value: 'x' }, 'operator'],
  [{ fieldKey: 'count', operator: 'Contains', value: '1' }, 'operator'],
];

function condition(fieldKey: string, value: string): readonly [object, string] {
  return [{ fieldKey, operator: 'EqualTo', value }, 'value'];
}
