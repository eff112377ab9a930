import { beforeEach, describe, expect, it } from '@jest/globals';
import { ValueIndexing } from '../../../../src/resources/documents/indexing/value-indexing.js';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { buildField, saveDocumentType } from '../../../factories/document-types.js';
import { createDocument } from '../../../factories/document-values.js';
import { saveDocumentWithText } from '../../../factories/document-texts.js';
import { saveFile } from '../../../factories/files.js';
import { updateLexicon } from '../../../factories/lexicons.js';
import { type Actor } from '../../../support/actor.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';

interface Found {
  readonly id: string;
  readonly title: string;
  readonly excerpt: { segments: { text: string; isMatch: boolean }[] } | null;
}

describe('SearchDocuments', () => {
  let tenant: TestTenant;
  let editor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
  });

  const search = async (q: string, body: object = {}, actor = editor) => {
    const response = await actor.post('/documents/search', { q, ...body });
    expect([response.status, response.body]).toMatchObject([200, {}]);
    return (response.body as { items: Found[] }).items;
  };
  const found = async (queries: readonly string[], body: object = {}, actor = editor) => {
    const result: Record<string, string[]> = {};
    for (const q of queries) result[q] = (await search(q, body, actor)).map(({ title }) => title).sort();
    return result;
  };
  const same = (queries: readonly string[], titles: readonly string[]) =>
    Object.fromEntries(queries.map((q) => [q, titles]));

  describe('by values', () => {
    const FIELDS = [
      buildField('customer'),
      buildField('count', { type: 'Number' }),
      buildField('due', { type: 'Date' }),
      buildField('amount', { type: 'Money' }),
      buildField('state', { options: [{ key: 'paid', labelDe: 'Beglichen', labelEn: 'Settled' }] }),
      buildField('target', { referenceTarget: 'File' }),
    ];
    const WORDS = [
      ...['Gewerbeverein ', 'gewerbe', 'Verein ', '"Nord e.V."', 'Nord Beglichen '],
      ...['4711,5 ', '4.711,5 ', '1234,56 ', '1.234,56 ', '2026-11-20 ', '20.11.2026 ', 'EUR '],
      ...['beglichen ', 'settled ', 'paid '],
    ];
    const VALUES = {
      customer: 'Gewerbeverein Nord e.V.',
      count: '4711.50',
      due: '2026-11-20',
      amount: { amount: '1234.56', currency: 'EUR' },
      state: 'paid',
    };

    it('returns 200 with documents whose values have the words, until they change', async () => {
      const type = await saveDocumentType(tenant, { fields: FIELDS });
      const file = await saveFile(tenant, editor, { name: 'Gewerbeverein' });
      const { id } = await createDocument(editor, type.id, { ...VALUES, target: file.id });
      await updateLexicon(tenant);
      for (const order of ['newest', 'relevance'])
        expect(await found(WORDS, { order })).toEqual(same(WORDS, ['Dokument']));
      const [first] = await search('Nord ');
      expect(first?.excerpt?.segments).toEqual([
        { text: 'Gewerbeverein ', isMatch: false },
        { text: 'Nord', isMatch: true },
        {
          text: ' e.V. · 4711.5 · 2026-11-20 · 20.11.2026 · 1234.56 EUR · Beglichen · Settled · paid',
          isMatch: false,
        },
      ]);
      const fields = { customer: 'Sportclub' };
      await editor.put(`/documents/${id}`, { title: 'Neu', documentTypeId: type.id, fields }).expect(200);
      expect(await found(WORDS)).toEqual(same(WORDS, []));
      expect(await found(['Sportclub '])).toEqual({ 'Sportclub ': ['Neu'] });
      await editor.put(`/documents/${id}`, { title: 'Neu', documentTypeId: null, fields: {} }).expect(200);
      expect(await found(['Sportclub '])).toEqual({ 'Sportclub ': [] });
    });

    it('returns 200 with documents of former releases after a task has indexed their values', async () => {
      const type = await saveDocumentType(tenant, { fields: FIELDS });
      const count = 27;
      await Promise.all(Array.from({ length: count }, () => createDocument(editor, type.id, VALUES)));
      await saveDocumentWithText(tenant, editor, { title: 'Other', text: 'Gewerbeverein' });
      await service.query('DELETE FROM document_texts WHERE tenant_id = $1 AND part < 0', [tenant.id]);
      await service.query(
        `UPDATE document_types SET index_before = 'ffffffff-ffff-ffff-ffff-ffffffffffff' WHERE tenant_id = $1`,
        [tenant.id],
      );
      expect(await search('Beglichen ')).toEqual([]);
      await service.app.get(ValueIndexing).indexAll();
      expect(await search('Beglichen ', { limit: 100 })).toHaveLength(count);
      expect(await search('Gewerbeverein ', { limit: 100 })).toHaveLength(count + 1);
      expect(
        await service.query('SELECT FROM document_types WHERE tenant_id = $1 AND index_before IS NOT NULL', [
          tenant.id,
        ]),
      ).toEqual([]);
    });

    it('returns 200 by changed labels and without removed fields after a task has indexed the values', async () => {
      const manager = await tenant.as('records_manager');
      const type = await saveDocumentType(tenant, { fields: FIELDS });
      await createDocument(editor, type.id, VALUES);
      const [customer, , , , state, ...others] = FIELDS;
      const change = async (fields: readonly object[]) => {
        const { nameDe, nameEn } = type;
        await manager.put(`/document-types/${type.id}`, { nameDe, nameEn, fields }).expect(200);
        await service.app.get(ValueIndexing).indexAll();
      };
      const renamed = { ...state, options: [{ key: 'paid', labelDe: 'Bezahlt', labelEn: 'Settled' }] };
      await change([renamed, ...others]);
      expect(await found(['Bezahlt ', 'Beglichen ', 'Gewerbeverein '])).toEqual({
        'Bezahlt ': ['Dokument'],
        'Beglichen ': [],
        'Gewerbeverein ': [],
      });
      await change([customer ?? {}, renamed, ...others]);
      expect(await found(['Gewerbeverein '])).toEqual({ 'Gewerbeverein ': ['Dokument'] });
    });

    it('returns 200 by the first 14,000 words of values', async () => {
      const keys = Array.from({ length: 20 }, (_, index) => `f${index}`);
      const type = await saveDocumentType(tenant, { fields: keys.map((key) => buildField(key)) });
      const words = (key: string) => Array.from({ length: 900 }, (_, n) => `${key}w${n}`).join(' ');
      await createDocument(editor, type.id, Object.fromEntries(keys.map((key) => [key, words(key)])));
      expect(await found(['f0w0 ', '"f14w899 · f15w0" ', 'f19w899 '])).toEqual({
        'f0w0 ': ['Dokument'],
        '"f14w899 · f15w0" ': ['Dokument'],
        'f19w899 ': [],
      });
    });
  });

  describe('by the number of a file', () => {
    const NUMBER = 'III A 3 – 12/2026';
    let guest: Actor;
    let fileId: string;
    beforeEach(async () => {
      guest = await tenant.as('guest');
      const file = await saveFile(tenant, editor, { number: NUMBER });
      const other = await saveFile(tenant, editor, { number: 'XY' });
      fileId = file.id;
      await saveAccessGrant(tenant, guest, { file: other.id });
      const both = { fileIds: [file.id, other.id] };
      await saveDocumentWithText(tenant, editor, { title: 'filed', text: 'Bescheid', ...both });
      await saveDocumentWithText(tenant, editor, { title: 'also filed', text: 'Antrag', ...both });
      await saveDocumentWithText(tenant, editor, { title: 'mentioned', text: `Siehe ${NUMBER}: Bescheid` });
      await saveDocumentWithText(tenant, editor, { title: 'no', text: 'III A 3, Bescheid XY' });
    });

    it.each(['newest', 'relevance'])('returns 200 with the documents in the file (%s)', async (order) => {
      expect(
        await found([NUMBER, 'iii a 3 – 12/2026 ', `"${NUMBER}"`, `${NUMBER} Bescheid `, 'Bescheid xy '], {
          order,
        }),
      ).toEqual({
        [NUMBER]: ['also filed', 'filed', 'mentioned'],
        'iii a 3 – 12/2026 ': ['also filed', 'filed', 'mentioned'],
        [`"${NUMBER}"`]: ['also filed', 'filed', 'mentioned'],
        [`${NUMBER} Bescheid `]: ['filed', 'mentioned'],
        'Bescheid xy ': ['filed', 'no'],
      });
      expect(await found(['III A 3 – 12 ', `-"${NUMBER}" Bescheid `], { order })).toEqual({
        'III A 3 – 12 ': ['mentioned'],
        [`-"${NUMBER}" Bescheid `]: ['filed', 'no'],
      });
    });

    it('returns 200 with each document once on the pages', async () => {
      const seen: string[] = [];
      for (let cursor: string | null = null, pages = 0; pages < 4; pages += 1) {
        const response = await editor.post('/documents/search', { q: NUMBER, limit: 1, cursor });
        const { items, nextCursor } = response.body as { items: Found[]; nextCursor: string | null };
        seen.push(...items.map(({ title }) => title));
        cursor = nextCursor;
        if (cursor === null) break;
      }
      expect(seen.sort()).toEqual(['also filed', 'filed', 'mentioned']);
    });

    it('returns 200 without documents in a file that is not visible to the caller', async () => {
      expect(await found([NUMBER, 'xy '], {}, guest)).toEqual({
        [NUMBER]: [],
        'xy ': ['also filed', 'filed'],
      });
      await saveAccessGrant(tenant, guest, { file: fileId });
      expect(await found([NUMBER], {}, guest)).toEqual({ [NUMBER]: ['also filed', 'filed'] });
    });
  });
});
