import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { buildField, saveDocumentType } from '../../../factories/document-types.js';
import { saveTag, setCreatedAt } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { saveView } from '../../../factories/saved-views.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { type PageBody, readAll } from '../../../support/operations/paged-list.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';

const FIELDS = [
  buildField('note'),
  buildField('count', { type: 'Number' }),
  buildField('due', { type: 'Date' }),
  buildField('price', { type: 'Money' }),
  buildField('state', { options: ['open', 'closed', 'archived', 'lost'] }),
  buildField('file', { referenceTarget: 'File' }),
  buildField('gone', { isRemoved: true }),
];

const money = (amount: string, currency: string) => ({ amount, currency });
const LONG = 'x'.repeat(64);

/** The values of each field in ascending order; values in one list are equal. */
const VALUES: Record<string, readonly (readonly unknown[])[]> = {
  note: [['_x'], ['10'], ['2'], ['a'], ['Ab', 'aB'], ['Äx'], ['b'], ['É'], [`${LONG}b`, `${LONG}a`], ['漢']],
  count: [['-1.5'], ['0'], ['2.5', '2.50'], ['10'], ['12345678901234567890.000000000000000001']],
  due: [['1999-12-31'], ['2026-01-01', '2026-01-01'], ['2026-11-20']],
  price: [
    [money('9', 'CHF')],
    [money('-1', 'EUR')],
    [money('2', 'EUR'), money('2.00', 'EUR')],
    [money('10', 'EUR')],
    [money('1', 'JPY')],
  ],
  state: [['open', 'open'], ['closed'], ['lost', 'lost', 'lost']],
};

describe('ListDocuments by the values of a field', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let documentTypeId: string;
  let created: number;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Emma');
    documentTypeId = (await saveDocumentType(tenant, { fields: FIELDS })).id;
    created = 0;
  });

  /** Each document is created after the one before. */
  async function make(fields: object, more: object = {}): Promise<string> {
    const response = await editor.post('/documents', { title: 'Brücke', documentTypeId, fields, ...more });
    expect(response.status).toBe(201);
    const { id } = response.body as { id: string };
    created += 1;
    await setCreatedAt(tenant, id, `2026-01-01T00:00:${String(created).padStart(2, '0')}Z`);
    return id;
  }

  const path = (sort: string, more = '') => `/documents?documentTypeId=${documentTypeId}&sort=${sort}${more}`;
  const idsOf = (body: unknown) => (body as PageBody).items.map(({ id }) => id);
  const ids = async (sort: string, more = '', actor = editor) => {
    const response = await actor.get(path(sort, more));
    expect(response.status).toBe(200);
    return idsOf(response.body);
  };

  it.each(Object.keys(VALUES))(
    'returns 200 by %s in both directions, without values last, on pages of any size',
    async (key) => {
      const without: string[] = [];
      const groups: string[][] = [];
      // Neither creation nor its reverse is the order of the values.
      for (const [n, values] of [...(VALUES[key] ?? []).entries()].toSorted(
        ([a], [b]) => (a % 3) - (b % 3) || b - a,
      )) {
        groups[n] = [];
        for (const value of values) groups[n].push(await make({ [key]: value }));
        if (n < 3) without.unshift(await make(key === 'note' ? { count: '1' } : { note: 'x' }));
      }
      const ascending = groups.flat();
      for (const [sort, order] of [
        [`fields.${key}`, ascending],
        [`-fields.${key}`, ascending.toReversed()],
      ] as const) {
        const all = [...order, ...without];
        expect(await ids(sort)).toEqual(all);
        for (const limit of [1, 3])
          expect((await readAll(editor, path(sort), limit)).map(({ id }) => id)).toEqual(all);
        const body = { filter: { documentTypeId }, sort, limit: 200 };
        expect(idsOf((await editor.post('/documents/search', body)).body)).toEqual(all);
      }
    },
  );

  it('returns 200 with words, a tag, conditions and a status', async () => {
    const { id: tagId } = await saveTag(tenant);
    const made: string[] = [];
    for (const count of ['3', '1', null, '2'])
      made.push(
        await make({ count, state: count === null ? null : 'closed', note: 'Weg' }, { tagIds: [tagId] }),
      );
    await make({ count: '2' }, { title: 'Tunnel' });
    const [three, one, none, two] = made;
    const wanted = [one, two, three, none];
    const view = await saveView(tenant, editor, { filter: { documentTypeId, tagIds: [tagId] } });
    for (const more of ['&q=br%C3%BCcke', `&tagIds=${tagId}`, `&q=br%C3%BCcke&tagIds=${tagId}&status=Active`])
      for (const limit of [1, 50])
        expect((await readAll(editor, path('fields.count', more), limit)).map(({ id }) => id)).toEqual(
          wanted,
        );
    expect(idsOf((await editor.get(`/documents?savedViewId=${view.id}&sort=fields.count`)).body)).toEqual(
      wanted,
    );
    const conditions = [
      { fieldKey: 'note', operator: 'EqualTo', value: 'weg' },
      { fieldKey: 'count', operator: 'LessThan', value: '3' },
    ];
    for (const sort of ['-fields.count', '-fields.state']) {
      const body = { filter: { documentTypeId, metadataConditions: conditions }, q: 'brücke', sort };
      expect(idsOf((await editor.post('/documents/search', body)).body)).toEqual([two, one]);
    }
  });

  it.each(['fields.count', 'fields.state'])('returns 200 with what a guest can see: %s', async (sort) => {
    const file = await saveFile(tenant, editor);
    const guest = await tenant.as('guest');
    await saveAccessGrant(tenant, guest, { file: file.id });
    const filed = { fileIds: [file.id] };
    const last = await make({ count: '3', state: 'closed' }, filed);
    const none = await make({}, filed);
    const first = await make({ count: '1', state: 'open' }, filed);
    await make({ count: '2', state: 'open' });
    await make({ count: '2', state: 'open' }, { ...filed, isConfidential: true });
    for (const limit of [1, 2, 50])
      expect((await readAll(guest, path(sort), limit)).map(({ id }) => id)).toEqual([first, last, none]);
  });

  it('returns 200 on the next page after values have changed', async () => {
    const made: string[] = [];
    for (const count of ['1', '2', '3', '4', '5']) made.push(await make({ count }));
    const page = (await editor.get(path('fields.count', '&limit=2'))).body as PageBody;
    const change = (index: number, count: string | null) =>
      editor.put(`/documents/${made[index]}`, { title: 'x', documentTypeId, fields: { count } }).expect(200);
    // Documents before the position, the one at it, and one after it.
    await change(0, '9');
    await change(1, null);
    await change(3, null);
    expect(await ids('fields.count', `&cursor=${page.nextCursor}`)).toEqual(
      [2, 4, 0, 3, 1].map((n) => made[n]),
    );
  });

  it('returns 200 with an empty page for an unknown type and one of another tenant', async () => {
    const other = await service.tenant();
    const foreign = await saveDocumentType(other, { fields: FIELDS });
    for (const id of [randomUUID(), foreign.id])
      expect((await editor.get(`/documents?documentTypeId=${id}&sort=fields.note`)).body).toEqual({
        items: [],
        nextCursor: null,
      });
  });

  it('returns 400 for a cursor of another field, or of another order of options', async () => {
    for (const state of ['open', 'open', 'closed']) await make({ state, count: '1' });
    const { nextCursor } = (await editor.get(path('fields.state', '&limit=1'))).body as PageBody;
    const refused = async (sort: string) =>
      expectProblem(await editor.get(path(sort, `&cursor=${nextCursor}`)), 'request.invalid', ['cursor']);
    await refused('fields.count');
    await refused('-fields.state');
    const administrator = await tenant.as('administrator');
    const { nameDe, nameEn, fields } = (await administrator.get(`/document-types/${documentTypeId}`))
      .body as {
      nameDe: string;
      nameEn: string;
      fields: { options: object[] | null }[];
    };
    const reversed = fields.map((field) => ({ ...field, options: field.options?.toReversed() ?? null }));
    const body = { nameDe, nameEn, fields: reversed };
    expect((await administrator.put(`/document-types/${documentTypeId}`, body)).status).toBe(200);
    await refused('fields.state');
  });

  it.each(['fields.other', 'fields.file', 'fields.gone', '-fields.Note', 'fields.', 'fields', '-fields.a.b'])(
    'returns 400 for sort=%s',
    async (sort) => expectProblem(await editor.get(path(sort)), 'request.invalid', ['sort']),
  );

  it('returns 400 without a document type', async () => {
    expectProblem(await editor.get('/documents?sort=fields.note'), 'request.invalid', ['sort']);
    expectProblem(await editor.post('/documents/search', { sort: '-fields.note' }), 'request.invalid', [
      'sort',
    ]);
  });
});
