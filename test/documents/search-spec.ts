import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../factories/access-grants.js';
import { buildField, saveDocumentType } from '../factories/document-types.js';
import { createDocument } from '../factories/document-values.js';
import { saveTag } from '../factories/documents.js';
import { saveFile, saveFileType } from '../factories/files.js';
import { saveView } from '../factories/saved-views.js';
import { type Actor } from '../support/actor.js';
import { expectProblem } from '../support/expect-problem.js';
import { TestService } from '../support/service.js';
import { type TestTenant } from '../support/tenant.js';
import { DocumentTexts } from '../../src/documents/texts/document-texts.js';
import { asOwner } from '../factories/document-texts.js';
import { moveInTime } from '../factories/documents.js';
import {
  type CallerModel,
  type ConditionModel,
  type DocumentModel,
  type FilterModel,
  type Kind,
  SearchModel,
  type TypeModel,
  type Value,
} from './search-model.js';
import { BEGINNINGS, type ItemModel, SPELLINGS, type TextsModel, queryOf } from './text-model.js';

const SEED = Number(process.env.SEARCH_SEED ?? 20261120);
const SEARCHES = Number(process.env.SEARCH_COUNT ?? 400);
const DOCUMENTS = 64;

/** The same numbers for the same seed (mulberry32). */
class Dice {
  constructor(private state: number) {}

  number(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(count: number): number {
    return Math.floor(this.number() * count);
  }

  chance(probability: number): boolean {
    return this.number() < probability;
  }

  one<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  some<T>(items: readonly T[], most: number): T[] {
    const chosen = new Set<T>();
    for (let n = this.below(most + 1); n > 0; n -= 1) chosen.add(this.one(items));
    return [...chosen];
  }
}

const TEXTS = [
  'Straße',
  'STRASSE 12',
  'Nord',
  'nord-süd',
  'Σοφός',
  '50%',
  'a_b\\c',
  'Zeile\nzwei',
  '12.5',
  '10',
];
/** Alike as far as an index looks. */
const LONG = [`${'lang '.repeat(20)}genug`, `${'lang '.repeat(20)}bis hier`];
const NUMBERS = [
  '-12.5',
  '0',
  '10',
  '10.000000000000000000001',
  '12.5',
  '99999999999999999999999999999999999999',
];
const DATES = ['0001-01-01', '2024-02-29', '2026-01-01', '2026-11-20', '9999-12-31'];
const MONEY = [
  { amount: '10.00', currency: 'EUR' },
  { amount: '12.50', currency: 'EUR' },
  { amount: '10', currency: 'JPY' },
  { amount: '12.500', currency: 'KWD' },
  { amount: '-0.01', currency: 'CHF' },
];
const OPTIONS = ['open', 'paid', 'void'];
const OPERATORS = [
  ...[
    'EqualTo',
    'NotEqualTo',
    'Contains',
    'GreaterThan',
    'GreaterThanOrEqual',
    'LessThan',
    'LessThanOrEqual',
  ],
  ...['IsEmpty', 'IsNotEmpty'],
];

/** Fields of the types; some keys are in several of them, with the same type or another. */
const SCHEMAS: Record<string, Record<string, Kind>> = {
  invoice: {
    note: 'Text',
    count: 'Number',
    due: 'Date',
    money: 'Money',
    state: 'Enumeration',
    file: 'Reference',
    twin: 'Text',
    removed: 'Text',
  },
  letter: { note: 'Text', count: 'Text', state: 'Enumeration', money: 'Number', due: 'Date' },
  record: { state: 'Text', twin: 'Text', file: 'Reference', removed: 'Text' },
};

describe('Searching for documents', () => {
  const dice = new Dice(SEED);
  let service: TestService;
  let tenant: TestTenant;
  let model: SearchModel;
  let types: TypeModel[];
  let files: string[];
  let tags: string[];
  let callers: { actor: Actor; caller: CallerModel }[];

  beforeAll(async () => {
    service = await TestService.start();
    tenant = await service.tenant();
    const admin = await tenant.as('administrator');
    const viewer = await tenant.as('viewer');
    const [guest, author, stranger] = [
      await tenant.as('guest'),
      await tenant.with('documents.read', 'documents.create', 'documents.delete'),
      await tenant.as('guest'),
    ];
    const [common, special] = [(await saveFileType(tenant)).id, (await saveFileType(tenant)).id];
    files = [];
    for (const fileTypeId of [common, common, special, special])
      files.push((await saveFile(tenant, admin, { fileTypeId })).id);
    const [first = '', , third = '', fourth = ''] = files;
    await saveAccessGrant(tenant, guest, { file: first });
    await saveAccessGrant(tenant, guest, { file: first }, { toRole: true });
    await saveAccessGrant(tenant, guest, { fileType: special });
    await saveAccessGrant(tenant, author, { file: third });
    await saveAccessGrant(tenant, author, { file: fourth }, { revoked: true });
    const seen = { guest: [first, third, fourth], author: [third], stranger: [first] };
    callers = [
      { actor: admin, caller: { userId: admin.userId, fileIds: null, seesBin: true } },
      { actor: viewer, caller: { userId: viewer.userId, fileIds: null, seesBin: false } },
      { actor: guest, caller: { userId: guest.userId, fileIds: seen.guest, seesBin: false } },
      { actor: author, caller: { userId: author.userId, fileIds: seen.author, seesBin: true } },
      { actor: stranger, caller: { userId: stranger.userId, fileIds: seen.stranger, seesBin: false } },
    ];
    tags = [];
    for (let n = 0; n < 4; n += 1) tags.push((await saveTag(tenant)).id);
    const typeIds = await makeTypes();
    const documents = await makeDocuments(typeIds, [admin, viewer, author]);
    // A field is removed once there are values of it; those stay where they are, and are found no more.
    for (const key of ['invoice', 'record']) {
      await service.query(
        `UPDATE document_type_fields SET is_removed = true
          WHERE tenant_id = $1 AND document_type_id = $2 AND key = 'removed'`,
        [tenant.id, typeIds[key]],
      );
    }
    types = Object.entries(SCHEMAS).map(([key, { removed: _, ...fields }]) => ({
      id: typeIds[key] ?? '',
      fields,
    }));
    model = new SearchModel(types, documents);
  }, 120_000);
  afterAll(() => service.stop());

  async function makeTypes(): Promise<Record<string, string>> {
    const ids: Record<string, string> = {};
    for (const [key, schema] of Object.entries(SCHEMAS)) {
      const fields = Object.entries(schema).map(([name, type]) =>
        buildField(name, {
          type,
          ...(type === 'Enumeration' && { options: OPTIONS }),
          ...(type === 'Reference' && { referenceTarget: 'File' }),
        }),
      );
      ids[key] = (await saveDocumentType(tenant, { fields })).id;
    }
    return ids;
  }

  function anyValue(kind: Kind): Value {
    switch (kind) {
      case 'Text':
        return dice.one([...TEXTS, ...LONG, ...LONG]);
      case 'Number':
        return dice.one(NUMBERS);
      case 'Date':
        return dice.one(DATES);
      case 'Money':
        return dice.one(MONEY);
      case 'Enumeration':
        return dice.one(OPTIONS);
      case 'Reference':
        return dice.one(files);
    }
  }

  async function makeDocuments(
    typeIds: Record<string, string>,
    creators: readonly Actor[],
  ): Promise<DocumentModel[]> {
    const documents: DocumentModel[] = [];
    for (let n = 0; n < DOCUMENTS; n += 1) {
      const key = dice.one(['invoice', 'invoice', 'invoice', 'letter', 'letter', 'record', '']);
      const typeId = typeIds[key] ?? null;
      const entries = Object.entries(SCHEMAS[key] ?? {})
        .filter(() => dice.chance(0.7))
        .map(([name, kind]) => [name, anyValue(kind)] as const);
      const values = Object.fromEntries(entries);
      const creator = dice.one(creators);
      const [admin = creator] = creators;
      const [tagIds, fileIds] = [dice.some(tags, 3), dice.some(files, 4)];
      const { id } = await createDocument(admin, typeId, values, { tagIds, fileIds });
      const status = dice.one(['Active', 'Active', 'Active', 'Active', 'Archived', 'Processing', 'Deleted']);
      const listed = dice.chance(0.15) ? dice.some(callers, 3).map(({ actor }) => actor.userId) : null;
      // Few moments, so that ids have to decide.
      const createdAt = `2026-01-0${1 + dice.below(9)}T00:00:00.00${dice.below(2)}Z`;
      await moveInTime(tenant, id, createdAt);
      await service.query(
        `UPDATE documents SET created_by = $3, is_confidential = $4, status = $5,
                status_before_deletion = CASE WHEN $5 = 'Deleted' THEN 'Active' END,
                deleted_at = CASE WHEN $5 = 'Deleted' THEN now() END
          WHERE tenant_id = $1 AND id = $2`,
        [tenant.id, id, creator.userId, listed !== null, status],
      );
      for (const userId of listed ?? []) {
        await service.query(
          'INSERT INTO document_confidential_users (tenant_id, document_id, user_id) VALUES ($1, $2, $3)',
          [tenant.id, id, userId],
        );
      }
      const createdBy = creator.userId;
      const texts = [['Dokument'], ...anyTexts()];
      await service.app.get(DocumentTexts).replaceText(asOwner(tenant), id, texts.slice(1).flat().join(' '));
      documents.push({ id, typeId, status, values, tagIds, fileIds, listed, createdBy, createdAt, texts });
    }
    return documents;
  }

  /** The text of a content, or none; a long one has its words in several parts. */
  function anyTexts(): TextsModel {
    if (dice.chance(0.2)) return [];
    const words = Array.from({ length: 1 + dice.below(12) }, () => dice.one(SPELLINGS));
    if (dice.chance(0.2)) words.splice(dice.below(words.length), 0, ...Array<string>(700).fill('dokument'));
    return [words];
  }

  function anyWords(): ItemModel[] {
    const items = Array.from({ length: 1 + dice.below(3) }, (): ItemModel => {
      const isUnwanted = dice.chance(0.25);
      if (dice.chance(0.6)) return { words: [dice.one(SPELLINGS)], kind: 'word', isUnwanted };
      const [text = SPELLINGS] = dice.chance(0.7) ? anyTexts() : [];
      const first = dice.below(text.length);
      return { words: text.slice(first, first + 1 + dice.below(3)), kind: 'phrase', isUnwanted };
    });
    if (dice.chance(0.3)) items.push({ words: [dice.one(BEGINNINGS)], kind: 'beginning', isUnwanted: false });
    return items;
  }

  function anyOperand(kind: Kind): string {
    if (dice.chance(0.05)) return dice.one(['nonsense', '12', '2026-01-02', randomUUID()]);
    const value = anyValue(kind);
    if (typeof value !== 'string')
      return dice.chance(0.5) ? value.amount : `${value.amount} ${value.currency}`;
    if (kind !== 'Text') return value;
    if (dice.chance(0.1)) return dice.one(['%', '_', '\\', '\\c', '0%']);
    const text = dice.chance(0.5) ? value.toUpperCase() : value.toLowerCase();
    return dice.chance(0.7) ? text : text.slice(1 + dice.below(2)).trim() || 'x';
  }

  function anyCondition(documentTypeId: string | null): ConditionModel {
    const schemas = types.filter(({ id }) => documentTypeId === null || id === documentTypeId);
    const [fieldKey, kind] = dice.chance(0.95)
      ? dice.one(schemas.flatMap(({ fields }) => Object.entries(fields)))
      : ([dice.one(['removed', 'nowhere', 'note', 'twin']), 'Text'] as const);
    const fitting = OPERATORS.filter((operator) => {
      if (operator === 'Contains') return kind === 'Text';
      return !/Than/.test(operator) || ['Number', 'Date', 'Money'].includes(kind);
    });
    const operator = dice.one(dice.chance(0.95) ? fitting : OPERATORS);
    return { fieldKey, operator, value: /Empty/.test(operator) ? null : anyOperand(kind) };
  }

  /** @param most conditions at most */
  function anyFilter(most: number): FilterModel {
    const documentTypeId = dice.chance(0.5) ? dice.one(types).id : null;
    const unknown = dice.chance(0.03) ? randomUUID() : null;
    return {
      documentTypeId: unknown ?? documentTypeId,
      fileId: dice.chance(0.2) ? dice.one([...files, randomUUID()]) : null,
      tagIds: dice.chance(0.3) ? dice.some(tags, 3) : [],
      metadataConditions: Array.from({ length: dice.below(most + 1) }, () => anyCondition(documentTypeId)),
    };
  }

  /** All pages of a search. */
  async function found(
    actor: Actor,
    search: object,
    limit: number,
  ): Promise<string[] | { faults: string[] }> {
    const ids: string[] = [];
    for (let cursor: string | null = null; ;) {
      const response = await actor.post('/documents/search', { ...search, limit, cursor });
      if (response.status === 400) {
        const { errors } = response.body as { errors: Record<string, string[]> };
        expectProblem(response, 'request.invalid');
        return { faults: Object.keys(errors).map((path) => path.replace(/^filter\./, '')) };
      }
      expect(response.status).toBe(200);
      const page = response.body as { items: { id: string }[]; nextCursor: string | null };
      ids.push(...page.items.map(({ id }) => id));
      if (page.nextCursor === null) return ids;
      expect(page.items).toHaveLength(limit);
      cursor = page.nextCursor;
    }
  }

  it(`finds what looking at every document finds, in ${SEARCHES} searches from seed ${SEED}`, async () => {
    const outcomes = { some: 0, none: 0, faults: 0 };
    for (let n = 0; n < SEARCHES; n += 1) {
      const { actor, caller } = dice.one(callers);
      const filter = anyFilter(dice.chance(0.1) ? 7 : 2);
      const view = dice.chance(0.2) ? anyFilter(1) : null;
      const status = dice.chance(0.25) ? dice.one(['Active', 'Archived', 'Processing', 'Deleted']) : null;
      const limit = dice.chance(0.5) ? 1 + dice.below(7) : 200;
      const savedViewId =
        view && (await saveView(tenant, actor, { name: `View ${n}`, filter: copyOf(view) })).id;
      const expected = model.search(caller, filter, view, status);
      const actual = await found(actor, { filter, savedViewId, status }, limit);
      // All of the search, so that a failure says what it is about.
      const what = { n, caller, filter, view, status, limit };
      expect({ what, found: actual }).toEqual({
        what,
        found: 'ids' in expected ? expected.ids : { faults: expected.faults },
      });
      if ('faults' in expected) outcomes.faults += 1;
      else outcomes[expected.ids.length > 0 ? 'some' : 'none'] += 1;
    }
    // A test of searches that find nothing would prove little.
    expect(outcomes.some).toBeGreaterThan(SEARCHES / 3);
    expect(outcomes.faults).toBeGreaterThan(0);
  }, 240_000);

  // Which rows are looked at first depends on how many PostgreSQL thinks there are.
  it.each([
    ['few', 1000],
    ['many', 1e9],
  ])(
    'finds by words what looking at every document finds, in either order, were they %s',
    async (_, rows) => {
      await service.query(
        `UPDATE pg_class SET reltuples = $1, relpages = 1 WHERE oid = 'document_texts'::regclass`,
        [rows],
      );
      let some = 0;
      for (let n = 0; n < SEARCHES / 2; n += 1) {
        const { actor, caller } = dice.one(callers);
        const filter = dice.chance(0.7) ? anyFilter(0) : anyFilter(2);
        const status = dice.chance(0.1) ? dice.one(['Active', 'Deleted']) : null;
        const words = anyWords();
        const order = dice.one(['newest', 'relevance']);
        const limit = dice.chance(0.5) ? 1 + dice.below(7) : 200;
        const q = queryOf(words);
        const expected = model.search(caller, filter, null, status, words);
        const actual = await found(actor, { filter, status, q, order }, limit);
        const inOrder = (ids: string[]) => (order === 'newest' ? ids : [...ids].sort());
        const what = { n, q, order, caller, filter, status, limit };
        expect({ what, found: Array.isArray(actual) ? inOrder(actual) : actual }).toEqual({
          what,
          found: 'ids' in expected ? inOrder(expected.ids) : { faults: expected.faults },
        });
        if ('ids' in expected && expected.ids.length > 0) some += 1;
      }
      expect(some).toBeGreaterThan(SEARCHES / 10);
    },
    240_000,
  );

  it('lists what looking at every document finds, without conditions', async () => {
    for (let n = 0; n < SEARCHES / 10; n += 1) {
      const { actor, caller } = dice.one(callers);
      const { documentTypeId, fileId, tagIds } = anyFilter(0);
      const query = new URLSearchParams({
        limit: '200',
        ...(documentTypeId && { documentTypeId }),
        ...(fileId && { fileId }),
        ...(tagIds.length > 0 && { tagIds: tagIds.join(',') }),
      });
      const response = await actor.get(`/documents?${query.toString()}`);
      const filter = { documentTypeId, fileId, tagIds, metadataConditions: [] };
      expect((response.body as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual(
        (model.search(caller, filter, null, null) as { ids: string[] }).ids,
      );
    }
  }, 60_000);
});

function copyOf({ tagIds, metadataConditions, ...rest }: FilterModel) {
  return { ...rest, tagIds: [...tagIds], metadataConditions: [...metadataConditions] };
}
