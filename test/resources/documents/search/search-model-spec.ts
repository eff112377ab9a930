import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { LAST_ID } from '../../../../src/common/identifier.js';
import { DocumentTextsRepository } from '../../../../src/resources/documents/contents/document-texts.repository.js';
import { ValueIndexing } from '../../../../src/resources/documents/indexing/value-indexing.js';
import { SearchSharesReader } from '../../../../src/resources/documents/search/search-shares.reader.js';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { ownerTransaction } from '../../../factories/document-texts.js';
import { buildField, saveDocumentType } from '../../../factories/document-types.js';
import { createDocument } from '../../../factories/document-values.js';
import { addToList, setCreatedAt, saveTag } from '../../../factories/documents.js';
import { saveFile, saveFileType } from '../../../factories/files.js';
import { updateLexicon } from '../../../factories/lexicons.js';
import { saveView } from '../../../factories/saved-views.js';
import { type Actor } from '../../../support/actor.js';
import { sized } from '../../../support/exhaustive.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { searchDocumentIds } from './search-document-ids.js';
import { RandomNumbers, OPTIONS, RandomSearchData } from './random-search-data.js';
import {
  type CallerModel,
  type DocumentModel,
  type FilterModel,
  type FieldType,
  SearchModel,
  TITLES,
} from './search-model.js';
import { queryText } from './text-model.js';

const SEED = Number(process.env.SEARCH_SEED ?? 20261120);
const SEARCHES = Number(process.env.SEARCH_COUNT ?? sized(60, 400));
const DOCUMENTS = 64;
/** Time limit of hundreds of searches while other specs run. */
const TIMEOUT_MS = 600_000;

/** Fields by document type; some keys are in several types, with the same field type or another. */
const SCHEMAS: Record<string, Record<string, FieldType>> = {
  invoice: {
    note: 'Text',
    count: 'Number',
    due: 'Date',
    money: 'Money',
    state: 'Enumeration',
    file: 'Reference',
    common: 'Text',
    removed: 'Text',
  },
  letter: { note: 'Text', count: 'Text', state: 'Enumeration', money: 'Number', due: 'Date' },
  record: { state: 'Text', common: 'Text', file: 'Reference', removed: 'Text' },
};

/** The words by which values are found, in the order of the fields. */
function valueWords(schema: Readonly<Record<string, FieldType>>, values: Record<string, unknown>): string[] {
  const texts = Object.entries(schema).map(([name, type]) => {
    const value = values[name] as string | object | undefined;
    if (name === 'removed' || type === 'Reference' || value === undefined) return '';
    if (typeof value === 'object') return Object.values(value).join(' ');
    if (type === 'Enumeration') return `${value} auf Deutsch ${value} in English ${value}`;
    if (type === 'Date') return `${value} ${value.split('-').reverse().join(' ')}`;
    return value;
  });
  return texts.join(' ').match(/[\p{L}\p{N}]+/gu) ?? [];
}

describe('Document search compared with the reference model', () => {
  const random = new RandomNumbers(SEED);
  const data = new RandomSearchData(random);
  const { files, tags, types } = data;
  let tenant: TestTenant;
  let model: SearchModel;
  let callers: { actor: Actor; caller: CallerModel }[];

  beforeAll(async () => {
    // Every second search looks up words and texts only.
    let searches = 0;
    jest
      .spyOn(service.app.get(SearchSharesReader), 'areMost')
      .mockImplementation(() => (searches += 1) % 2 === 0);
    tenant = await service.tenant();
    const admin = await tenant.as('administrator');
    const viewer = await tenant.as('viewer');
    const [guest, author, stranger] = [
      await tenant.as('guest'),
      await tenant.with('documents.read', 'documents.create', 'documents.delete'),
      await tenant.as('guest'),
    ];
    const [common, special] = [(await saveFileType(tenant)).id, (await saveFileType(tenant)).id];
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
    for (let n = 0; n < 4; n += 1) tags.push((await saveTag(tenant)).id);
    const typeIds = await makeTypes();
    const documents = await makeDocuments(typeIds, [admin, viewer, author]);
    // Fields are removed after documents have values of them; the search no longer finds these values.
    for (const key of ['invoice', 'record']) {
      await service.query(
        `UPDATE document_type_fields SET is_removed = true
          WHERE tenant_id = $1 AND document_type_id = $2 AND key = 'removed'`,
        [tenant.id, typeIds[key]],
      );
    }
    await service.query('UPDATE document_types SET index_before = $2 WHERE tenant_id = $1', [
      tenant.id,
      LAST_ID,
    ]);
    await service.app.get(ValueIndexing).indexAll();
    await updateLexicon(tenant);
    for (const [key, { removed: _, ...fields }] of Object.entries(SCHEMAS))
      types.push({ id: typeIds[key] ?? '', fields });
    model = new SearchModel(types, documents);
  }, TIMEOUT_MS);

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

  async function makeDocuments(
    typeIds: Record<string, string>,
    creators: readonly Actor[],
  ): Promise<DocumentModel[]> {
    const documents: DocumentModel[] = [];
    for (let n = 0; n < DOCUMENTS; n += 1) {
      const key = random.oneOf(['invoice', 'invoice', 'invoice', 'letter', 'letter', 'record', '']);
      const typeId = typeIds[key] ?? null;
      const entries = Object.entries(SCHEMAS[key] ?? {})
        .filter(() => random.chance(0.7))
        .map(([name, kind]) => [name, data.randomValue(kind)] as const);
      const values = Object.fromEntries(entries);
      const creator = random.oneOf(creators);
      const [admin = creator] = creators;
      const [tagIds, fileIds] = [random.someOf(tags, 3), random.someOf(files, 4)];
      const { id, fields } = await createDocument(admin, typeId, values, { tagIds, fileIds });
      const status = random.oneOf([
        'Active',
        'Active',
        'Active',
        'Active',
        'Archived',
        'Processing',
        'Deleted',
      ]);
      const listed = random.chance(0.15) ? random.someOf(callers, 3).map(({ actor }) => actor.userId) : null;
      // Few different times, so that the id often decides.
      const createdAt = `2026-01-0${1 + random.below(9)}T00:00:00.00${random.below(2)}Z`;
      await setCreatedAt(tenant, id, createdAt);
      await service.query(
        `UPDATE documents SET created_by = $3, is_confidential = $4, status = $5,
                status_before_deletion = CASE WHEN $5 = 'Deleted' THEN 'Active' END,
                deleted_at = ${status === 'Deleted' ? 'now()' : 'NULL'}
          WHERE tenant_id = $1 AND id = $2`,
        [tenant.id, id, creator.userId, listed !== null, status],
      );
      await addToList(tenant, id, ...(listed ?? []).map((userId) => ({ userId })));
      const [title, updatedAt] = [random.oneOf(TITLES), `2026-02-0${1 + random.below(9)}T00:00:00.000Z`];
      await service.query(
        'UPDATE documents SET title = $3, updated_at = $4 WHERE tenant_id = $1 AND id = $2',
        [tenant.id, id, title, updatedAt],
      );
      const createdBy = creator.userId;
      const contents = data.randomTexts();
      await service.app
        .get(DocumentTextsRepository)
        .replaceText(ownerTransaction(tenant), id, contents.flat().join(' '));
      const texts = [['Dokument'], ...contents, valueWords(SCHEMAS[key] ?? {}, fields)];
      const times = { createdAt, updatedAt };
      documents.push({
        id,
        typeId,
        status,
        values,
        tagIds,
        fileIds,
        listed,
        createdBy,
        ...times,
        title,
        texts,
      });
    }
    return documents;
  }

  it(
    `finds the same documents in ${SEARCHES} searches from seed ${SEED}`,
    async () => {
      const outcomes = { some: 0, none: 0, invalid: 0 };
      for (let n = 0; n < SEARCHES; n += 1) {
        const { actor, caller } = random.oneOf(callers);
        const filter = data.randomFilter(random.chance(0.1) ? 7 : 2);
        const view = random.chance(0.2) ? data.randomFilter(1) : null;
        const status = random.chance(0.25)
          ? random.oneOf(['Active', 'Archived', 'Processing', 'Deleted'])
          : null;
        const limit = random.chance(0.5) ? 1 + random.below(7) : 200;
        const savedViewId =
          view && (await saveView(tenant, actor, { name: `View ${n}`, filter: copyOf(view) })).id;
        const list = data.randomList();
        const expected = model.search(caller, filter, view, status, [], list);
        const actual = await searchDocumentIds(actor, { filter, savedViewId, status, ...list }, limit);
        // Part of the comparison, so that a failure shows the search.
        const what = { n, caller, filter, view, status, list, limit };
        expect({ what, found: actual }).toEqual({
          what,
          found: 'ids' in expected ? expected.ids : { errorPaths: expected.errorPaths },
        });
        if ('errorPaths' in expected) outcomes.invalid += 1;
        else outcomes[expected.ids.length > 0 ? 'some' : 'none'] += 1;
      }
      // Enough searches must find documents, and some must be invalid.
      expect(outcomes.some).toBeGreaterThan(SEARCHES / 3);
      expect(outcomes.invalid).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  // The test changes PostgreSQL's row estimate, on which the query plan depends; restore it for other specs.
  afterAll(async () => {
    jest.restoreAllMocks();
    await service.query('ANALYZE document_texts');
  });
  it.each([
    ['few', 1000],
    ['many', 1e8],
  ])(
    'finds the same documents by words, in any order, with %s estimated rows',
    async (_, rows) => {
      // With the real number of pages: PostgreSQL multiplies the rows by the growth of the table since then, and the
      // price of a search depends on them.
      await service.query(
        `UPDATE pg_class SET reltuples = $1, relpages = greatest(1, pg_relation_size(oid) / 8192)
          WHERE oid = 'document_texts'::regclass`,
        [rows],
      );
      let some = 0;
      for (let n = 0; n < SEARCHES / 2; n += 1) {
        const { actor, caller } = random.oneOf(callers);
        const filter = random.chance(0.7) ? data.randomFilter(0) : data.randomFilter(2);
        const status = random.chance(0.1) ? random.oneOf(['Active', 'Deleted']) : null;
        const words = data.randomWords();
        const order = random.oneOf(['newest', 'relevance', null]);
        const { sort, ...range } = data.randomList();
        // `sort` and `order` exclude each other.
        const list = order === null ? { ...range, sort } : range;
        const limit = random.chance(0.5) ? 1 + random.below(7) : 200;
        const q = queryText(words);
        const expected = model.search(caller, filter, null, status, words, list);
        const actual = await searchDocumentIds(actor, { filter, status, q, order, ...list }, limit);
        const inOrder = (ids: string[]) => (order === 'relevance' ? [...ids].sort() : ids);
        const what = { n, q, order, list, caller, filter, status, limit };
        expect({ what, found: Array.isArray(actual) ? inOrder(actual) : actual }).toEqual({
          what,
          found: 'ids' in expected ? inOrder(expected.ids) : { errorPaths: expected.errorPaths },
        });
        if ('ids' in expected && expected.ids.length > 0) some += 1;
      }
      expect(some).toBeGreaterThan(SEARCHES / 10);
    },
    TIMEOUT_MS,
  );

  it('lists the same documents without conditions', async () => {
    for (let n = 0; n < SEARCHES / 10; n += 1) {
      const { actor, caller } = random.oneOf(callers);
      const { documentTypeId, fileId, tagIds } = data.randomFilter(0);
      const list = data.randomList();
      const query = new URLSearchParams({
        limit: '200',
        ...list,
        ...(documentTypeId && { documentTypeId }),
        ...(fileId && { fileId }),
        ...(tagIds.length > 0 && { tagIds: tagIds.join(',') }),
      });
      const response = await actor.get(`/documents?${query.toString()}`);
      const filter = { documentTypeId, fileId, tagIds, metadataConditions: [] };
      expect((response.body as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual(
        (model.search(caller, filter, null, null, [], list) as { ids: string[] }).ids,
      );
    }
  });
});

function copyOf({ tagIds, metadataConditions, ...rest }: FilterModel) {
  return { ...rest, tagIds: [...tagIds], metadataConditions: [...metadataConditions] };
}
