import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MetadataCondition } from '../../src/metadata-conditions/metadata-conditions.reader.js';
import { buildField, saveDocumentType } from '../factories/document-types.js';
import { createDocument } from '../factories/document-values.js';
import { saveDocument } from '../factories/documents.js';
import { saveFile } from '../factories/files.js';
import { type Actor } from '../support/actor.js';
import { TestService } from '../support/service.js';
import { type TestTenant } from '../support/tenant.js';
import { SOURCES, search } from './search.js';

type Operator = MetadataCondition['operator'];

describe('Metadata conditions', () => {
  let service: TestService;
  let tenant: TestTenant;
  let editor: Actor;
  let invoice: string;
  let letter: string;
  let file: string;

  /** Five of one type, oldest first, and two of another that has some of the keys with other types. */
  beforeAll(async () => {
    service = await TestService.start();
    tenant = await service.tenant();
    editor = await tenant.as('editor');
    file = (await saveFile(tenant, editor)).id;
    invoice = (
      await saveDocumentType(tenant, {
        fields: [
          buildField('note'),
          buildField('count', { type: 'Number' }),
          buildField('due', { type: 'Date' }),
          buildField('money', { type: 'Money' }),
          buildField('state', { options: ['open', 'paid'] }),
          buildField('file', { referenceTarget: 'File' }),
          buildField('gone', { isRemoved: true }),
        ],
      })
    ).id;
    letter = (
      await saveDocumentType(tenant, {
        fields: [buildField('note'), buildField('count'), buildField('kind', { options: ['in'] })],
      })
    ).id;
    const money = (amount: string, currency: string) => ({ amount, currency });
    const documents: [string, string | null, Record<string, unknown>][] = [
      [
        'a',
        invoice,
        {
          note: 'Straße 50%',
          count: '-1',
          due: '2026-01-31',
          money: money('10.00', 'EUR'),
          state: 'open',
          file,
        },
      ],
      [
        'b',
        invoice,
        { note: 'STRASSE', count: '2', due: '2026-02-28', money: money('10.00', 'USD'), state: 'paid' },
      ],
      ['c', invoice, { note: 'x_y\\z', count: '10', due: '0001-01-01', money: money('9.99', 'EUR') }],
      ['d', invoice, { count: '10.000000000000000000000000000000000001', money: money('1234', 'JPY') }],
      ['e', invoice, {}],
      ['f', letter, { note: 'strasse 50', count: '10', kind: 'in' }],
      ['g', letter, {}],
    ];
    for (const [title, type, fields] of documents) await createDocument(editor, type, fields, { title });
    await saveDocument(tenant, editor, { title: 'untyped' });
    const other = await service.tenant();
    const stranger = await other.as('editor');
    const foreign = await saveDocumentType(other, { fields: [buildField('note')] });
    await createDocument(stranger, foreign.id, { note: 'strasse' });
  });
  afterAll(() => service.stop());

  const sorted = (titles: unknown) =>
    Array.isArray(titles) ? [...(titles as string[])].sort().join('') : titles;

  async function find(condition: [string, Operator, string | null][], type: string | null): Promise<unknown> {
    const found = await Promise.all(
      Object.values(SOURCES).map((source) => search(tenant, condition, type, { source })),
    );
    // Wherever the search begins, it finds the same in the same order.
    expect(found).toEqual([found[0], found[0], found[0]]);
    return sorted(found[0]);
  }

  describe('of one type', () => {
    it.each<[string, Operator, string | null, string]>([
      ['note', 'EqualTo', 'strasse', 'b'],
      ['note', 'EqualTo', ' Straße ', 'b'],
      ['note', 'EqualTo', 'x_y\\z', 'c'],
      ['note', 'EqualTo', 'x', ''],
      ['note', 'NotEqualTo', 'strasse', 'acde'],
      ['note', 'Contains', 'TRASS', 'ab'],
      ['note', 'Contains', 'ß', 'ab'],
      ['note', 'Contains', '%', 'a'],
      ['note', 'Contains', '_', 'c'],
      ['note', 'Contains', '\\', 'c'],
      ['note', 'Contains', 'none', ''],
      ['note', 'IsEmpty', null, 'de'],
      ['note', 'IsNotEmpty', null, 'abc'],
      ['count', 'EqualTo', '10.0', 'c'],
      ['count', 'EqualTo', '-01', 'a'],
      ['count', 'NotEqualTo', '10', 'abde'],
      ['count', 'GreaterThan', '10', 'd'],
      ['count', 'GreaterThanOrEqual', '10', 'cd'],
      ['count', 'LessThan', '2', 'a'],
      ['count', 'LessThanOrEqual', '2', 'ab'],
      ['count', 'GreaterThan', '9', 'cd'],
      ['count', 'IsEmpty', null, 'e'],
      ['count', 'IsNotEmpty', null, 'abcd'],
      ['due', 'EqualTo', '2026-02-28', 'b'],
      ['due', 'NotEqualTo', '2026-02-28', 'acde'],
      ['due', 'GreaterThan', '2026-01-31', 'b'],
      ['due', 'GreaterThanOrEqual', '2026-01-31', 'ab'],
      ['due', 'LessThan', '2026-01-31', 'c'],
      ['due', 'LessThanOrEqual', '9999-12-31', 'abc'],
      ['due', 'IsEmpty', null, 'de'],
      ['due', 'IsNotEmpty', null, 'abc'],
      ['money', 'EqualTo', '10', 'ab'],
      ['money', 'EqualTo', '10.00 EUR', 'a'],
      ['money', 'EqualTo', '10.000 USD', 'b'],
      ['money', 'NotEqualTo', '10', 'cde'],
      ['money', 'NotEqualTo', '10 EUR', 'bcde'],
      ['money', 'GreaterThan', '9.99', 'abd'],
      ['money', 'GreaterThan', '9.99 EUR', 'a'],
      ['money', 'GreaterThanOrEqual', '9.99 EUR', 'ac'],
      ['money', 'LessThan', '10', 'c'],
      ['money', 'LessThanOrEqual', '10 USD', 'b'],
      ['money', 'IsEmpty', null, 'e'],
      ['money', 'IsNotEmpty', null, 'abcd'],
      ['state', 'EqualTo', 'paid', 'b'],
      ['state', 'EqualTo', 'no option', ''],
      ['state', 'EqualTo', '', ''],
      ['state', 'NotEqualTo', 'paid', 'acde'],
      ['state', 'NotEqualTo', 'no option', 'abcde'],
      ['state', 'IsEmpty', null, 'cde'],
      ['state', 'IsNotEmpty', null, 'ab'],
      ['file', 'IsEmpty', null, 'bcde'],
      ['file', 'IsNotEmpty', null, 'a'],
    ])('%s %s %j finds %j', async (key, operator, value, expected) => {
      expect(await find([[key, operator, value]], invoice)).toBe(expected);
    });

    it('file EqualTo and NotEqualTo an id, in whatever letters', async () => {
      expect(await find([['file', 'EqualTo', file.toUpperCase()]], invoice)).toBe('a');
      expect(await find([['file', 'NotEqualTo', file]], invoice)).toBe('bcde');
      expect(await find([['file', 'EqualTo', randomUUID()]], invoice)).toBe('');
    });

    it('several combine with AND', async () => {
      expect(
        await find(
          [
            ['count', 'GreaterThan', '0'],
            ['count', 'LessThan', '10'],
          ],
          invoice,
        ),
      ).toBe('b');
      expect(
        await find(
          [
            ['state', 'EqualTo', 'open'],
            ['note', 'Contains', 'str'],
            ['due', 'IsNotEmpty', null],
          ],
          invoice,
        ),
      ).toBe('a');
      expect(
        await find(
          [
            ['state', 'EqualTo', 'open'],
            ['state', 'EqualTo', 'paid'],
          ],
          invoice,
        ),
      ).toBe('');
      expect(
        await find(
          [
            ['state', 'IsEmpty', null],
            ['money', 'NotEqualTo', '9.99'],
          ],
          invoice,
        ),
      ).toBe('de');
    });

    it.each<[Operator, string | null, string, string]>([
      ['Contains', '1', 'count', 'operator'],
      ['GreaterThan', 'a', 'note', 'operator'],
      ['LessThan', 'open', 'state', 'operator'],
      ['Contains', 'open', 'state', 'operator'],
      ['GreaterThanOrEqual', 'x', 'file', 'operator'],
      ['EqualTo', null, 'note', 'value'],
      ['IsEmpty', '', 'note', 'value'],
      ['IsNotEmpty', 'x', 'note', 'value'],
      ['EqualTo', '', 'note', 'value'],
      ['Contains', ' ', 'note', 'value'],
      ['Contains', 'a\u0000', 'note', 'value'],
      ['EqualTo', '\ud800', 'state', 'value'],
      ['EqualTo', '1e3', 'count', 'value'],
      ['EqualTo', '1'.repeat(39), 'count', 'value'],
      ['EqualTo', '2026-02-29', 'due', 'value'],
      ['EqualTo', '10 eur', 'money', 'value'],
      ['EqualTo', '10 EUR EUR', 'money', 'value'],
      ['EqualTo', 'EUR 10', 'money', 'value'],
      ['EqualTo', 'x', 'file', 'value'],
      ['EqualTo', 'x', 'gone', 'fieldKey'],
      ['IsEmpty', null, 'unknown', 'fieldKey'],
      ['IsEmpty', null, 'kind', 'fieldKey'],
      ['IsEmpty', null, 'constructor', 'fieldKey'],
    ])('%s %j of %s is a fault of its %s', async (operator, value, key, member) => {
      const found = await search(
        tenant,
        [
          ['note', 'IsEmpty', null],
          [key, operator, value],
        ],
        invoice,
      );
      expect(Object.keys(found)).toEqual([`conditions[1].${member}`]);
    });
  });

  describe('of every type', () => {
    it.each<[string, Operator, string | null, string]>([
      ['note', 'Contains', 'strasse', 'abf'],
      ['note', 'NotEqualTo', 'strasse', 'acdefg'],
      ['note', 'IsEmpty', null, 'deg'],
      ['note', 'IsNotEmpty', null, 'abcf'],
      // A Number there and a Text here: the operator and the value say which is meant, or both are.
      ['count', 'EqualTo', '10', 'cf'],
      ['count', 'EqualTo', '10.0', 'c'],
      ['count', 'EqualTo', 'ten', ''],
      ['count', 'NotEqualTo', '10', 'abdeg'],
      ['count', 'NotEqualTo', 'ten', 'fg'],
      ['count', 'GreaterThan', '9', 'cd'],
      ['count', 'Contains', '1', 'f'],
      ['count', 'IsEmpty', null, 'eg'],
      ['kind', 'EqualTo', 'in', 'f'],
      ['kind', 'NotEqualTo', 'in', 'g'],
    ])('%s %s %j finds %j', async (key, operator, value, expected) => {
      expect(await find([[key, operator, value]], null)).toBe(expected);
    });

    it.each<[string, Operator, string | null, string]>([
      ['unknown', 'IsEmpty', null, 'fieldKey'],
      ['gone', 'IsEmpty', null, 'fieldKey'],
      ['kind', 'Contains', 'i', 'operator'],
      ['kind', 'LessThan', 'i', 'operator'],
      ['count', 'GreaterThan', 'nine', 'value'],
      ['count', 'EqualTo', '', 'value'],
    ])('%s %s %j is a fault of its %s', async (key, operator, value, member) => {
      expect(Object.keys(await search(tenant, [[key, operator, value]], null))).toEqual([
        `conditions[0].${member}`,
      ]);
    });

    it('a document has the values of its own type only, whatever it had before', async () => {
      const { id } = await createDocument(
        editor,
        invoice,
        { state: 'paid', note: 'Wechsel' },
        { title: 'h' },
      );
      await editor.put(`/documents/${id}`, {
        title: 'h',
        documentTypeId: letter,
        fields: { note: 'wechsel' },
      });
      expect(await find([['note', 'EqualTo', 'WECHSEL']], null)).toBe('h');
      expect(await find([['state', 'EqualTo', 'paid']], null)).toBe('b');
      expect(await find([['note', 'EqualTo', 'wechsel']], invoice)).toBe('');
      await editor.put(`/documents/${id}`, { title: 'h' });
      expect(await find([['note', 'EqualTo', 'wechsel']], null)).toBe('');
      expect(await find([['note', 'IsEmpty', null]], null)).toBe('deg');
    });
  });

  it('long texts that are alike at their beginning are told apart', async () => {
    const type = await saveDocumentType(tenant, { fields: [buildField('long')] });
    const alike = 'ä'.repeat(200);
    await createDocument(editor, type.id, { long: `${alike}1` }, { title: '1' });
    await createDocument(editor, type.id, { long: `${alike}2` }, { title: '2' });
    expect(await find([['long', 'EqualTo', `${alike}2`.toUpperCase()]], type.id)).toBe('2');
    expect(await find([['long', 'NotEqualTo', `${alike}2`]], type.id)).toBe('1');
    expect(await find([['long', 'EqualTo', alike]], type.id)).toBe('');
  });

  it('newest first, page by page, wherever the search begins', async () => {
    const type = await saveDocumentType(tenant, { fields: [buildField('state', { options: ['a', 'b'] })] });
    const titles: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      await createDocument(editor, type.id, { state: 'a' }, { title: `p${n}` });
      titles.unshift(`p${n}`);
    }
    // Of the same moment, so that the id decides.
    await service.query(
      `WITH moved AS (UPDATE documents SET created_at = '2026-01-01Z' WHERE document_type_id = $1 AND title < 'p5')
       UPDATE document_values v SET created_at = '2026-01-01Z' FROM documents d
        WHERE d.tenant_id = v.tenant_id AND d.id = v.document_id AND d.document_type_id = $1 AND d.title < 'p5'`,
      [type.id],
    );
    const positions = await service.query<{ title: string; at: string; id: string }>(
      'SELECT title, created_at::text AS at, id FROM documents WHERE document_type_id = $1',
      [type.id],
    );
    for (const source of Object.values(SOURCES)) {
      const found: string[] = [];
      for (let after: [string, string] | null = null; ;) {
        const page = (await search(tenant, [['state', 'EqualTo', 'a']], type.id, {
          source,
          limit: 2,
          after,
        })) as string[];
        found.push(...page);
        const last = positions.find(({ title }) => title === page.at(-1));
        if (!last || page.length < 2) break;
        after = [last.at, last.id];
      }
      expect(found).toEqual(titles);
    }
  });
});
