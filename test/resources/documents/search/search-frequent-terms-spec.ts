import { beforeAll, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { buildField, saveDocumentType } from '../../../factories/document-types.js';
import { saveTag } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { searchDocumentIds } from './search-document-ids.js';
import {
  type CallerModel,
  type ConditionModel,
  type DocumentModel,
  type FilterModel,
  SearchModel,
  TITLES,
} from './search-model.js';
import { type QueryItem, queryText } from './text-model.js';

/** More than the newest documents that a search reads first (`NEWEST_LIMIT` in search-statement.ts). */
const DOCUMENTS = 21_600;
/** More than the limit from which a term is frequent (`FEW_ROWS` in search-terms.ts). */
const OLDEST = 1500;

/** Whether a document has the tag, by its number from the oldest on. */
const TAGS = {
  common: () => true,
  oldest: (n: number) => n <= OLDEST,
  newest: (n: number) => n > DOCUMENTS - OLDEST,
  fifth: (n: number) => n % 5 === 0,
  twentieth: (n: number) => n % 20 === 0,
  seventh: (n: number) => n % 7 === 0,
};
type Tag = keyof typeof TAGS;
/** Words of the title and of the text. Each is in more documents than can lead a search (`MAX_LEAD_ROWS`). */
const textsOf = (n: number): readonly [title: readonly string[], text: readonly string[]] => {
  const words = n % 2 === 0 ? ['run', 'haus'] : ['run', 'frist'];
  return [n > OLDEST ? ['cafe'] : ['lodz'], n <= OLDEST ? words.reverse() : words];
};
const isFiled = (n: number) => n % 9 === 0;
/** The value of the field "count", null for none. */
const countOf = (n: number) => (n % 6 === 0 ? String((n / 6) % 2) : null);

/** When all terms of a search are frequent, it reads the newest documents first and the others only if needed. */
describe('Document search with frequent terms', () => {
  let tenant: TestTenant;
  let model: SearchModel;
  let tags: Record<Tag, string>;
  let fileId: string;
  let typeId: string;
  let callers: { actor: Actor; caller: CallerModel }[];

  beforeAll(async () => {
    tenant = await service.tenant();
    const [viewer, guest] = [await tenant.as('viewer'), await tenant.as('guest')];
    // With more documents in reach than a guest's search reads first.
    const author = await tenant.as('guest');
    fileId = (await saveFile(tenant, viewer)).id;
    await saveAccessGrant(tenant, guest, { file: fileId });
    callers = [
      { actor: viewer, caller: { userId: viewer.userId, fileIds: null, seesBin: false } },
      { actor: guest, caller: { userId: guest.userId, fileIds: [fileId], seesBin: false } },
      { actor: author, caller: { userId: author.userId, fileIds: [], seesBin: false } },
    ];
    const type = await saveDocumentType(tenant, { fields: [buildField('count', { type: 'Number' })] });
    typeId = type.id;
    const ids: [string, string][] = [];
    for (const name of Object.keys(TAGS)) ids.push([name, (await saveTag(tenant)).id]);
    tags = Object.fromEntries(ids) as Record<Tag, string>;
    const documents = await makeDocuments(author, type.id);
    model = new SearchModel([{ id: type.id, fields: { count: 'Number' } }], documents);
  });

  /** Inserts documents, three at each time, so that the id decides between them. */
  async function makeDocuments({ userId }: Actor, typeId: string): Promise<DocumentModel[]> {
    const rows = await service.query<{ id: string; title: string; at: string; updatedAt: string }>(
      `INSERT INTO documents (tenant_id, id, title, status, document_type_id, fields, created_by, created_at, updated_at)
       SELECT $1, gen_random_uuid(), ($5::text[])[1 + n * 7 % cardinality($5::text[])], 'Active', $3,
              CASE WHEN n % 6 = 0 THEN jsonb_build_object('count', (n / 6 % 2)::text) ELSE '{}' END, $4,
              timestamptz '2026-01-01Z' + n / 3 * interval '1 second',
              timestamptz '2026-02-01Z' + n * 7 % 1000 * interval '1 second' FROM generate_series(1, $2::int) n
       RETURNING id, title, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at,
                 to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt"`,
      [tenant.id, DOCUMENTS, typeId, userId, TITLES],
    );
    const documents = rows.map(({ id, title, at, updatedAt }, index): DocumentModel => {
      const n = index + 1;
      const count = countOf(n);
      return {
        id,
        typeId,
        status: 'Active',
        values: count === null ? {} : { count },
        tagIds: (Object.keys(TAGS) as Tag[]).filter((tag) => TAGS[tag](n)).map((tag) => tags[tag]),
        fileIds: isFiled(n) ? [fileId] : [],
        listed: null,
        createdBy: userId,
        createdAt: at,
        updatedAt,
        title,
        texts: textsOf(n),
      };
    });
    for (const tagId of Object.values(tags)) {
      await service.query(
        `INSERT INTO document_tags (tenant_id, document_id, tag_id, created_at)
         SELECT $1, id, $2, created_at FROM documents WHERE id = ANY ($3)`,
        [tenant.id, tagId, documents.filter(({ tagIds }) => tagIds.includes(tagId)).map(({ id }) => id)],
      );
    }
    await service.query(
      `INSERT INTO document_files (tenant_id, document_id, file_id, filed_at, created_at, file_type_id)
       SELECT d.tenant_id, d.id, f.id, now(), d.created_at, f.file_type_id
         FROM documents d JOIN files f ON f.tenant_id = d.tenant_id
        WHERE d.tenant_id = $1 AND f.id = $2 AND d.id = ANY ($3)`,
      [tenant.id, fileId, documents.filter(({ fileIds }) => fileIds.length > 0).map(({ id }) => id)],
    );
    await service.query(
      `INSERT INTO document_values (tenant_id, document_id, field_id, created_at, number_value)
       SELECT d.tenant_id, d.id, f.id, d.created_at, (d.fields ->> 'count')::numeric
         FROM documents d
         JOIN document_type_fields f ON f.tenant_id = d.tenant_id AND f.document_type_id = d.document_type_id
        WHERE d.tenant_id = $1 AND d.fields ? 'count'`,
      [tenant.id],
    );
    const vector = (words: readonly string[]) =>
      words.map((word, index) => `${word}:${index + 1}A`).join(' ');
    for (const part of [0, 1] as const)
      await service.query(
        `INSERT INTO document_texts (tenant_id, document_id, part, created_at, text, vector)
         SELECT d.tenant_id, d.id, $2::int, d.created_at, '', t.vector::tsvector
           FROM documents d JOIN unnest($3::uuid[], $4::text[]) AS t (id, vector) ON t.id = d.id WHERE d.tenant_id = $1`,
        [
          tenant.id,
          part,
          documents.map(({ id }) => id),
          documents.map(({ texts }) => vector(texts[part] ?? [])),
        ],
      );
    await service.query('ANALYZE documents, document_tags, document_files, document_values, document_texts');
    return documents;
  }

  const count = (operator: string, value: string | null = null): ConditionModel => ({
    fieldKey: 'count',
    operator,
    value,
  });

  it.each<[string, Tag[], boolean, ConditionModel[], number]>([
    ['two tags in many common documents', ['common', 'twentieth'], false, [], 1080],
    ['two tags in few common documents', ['fifth', 'seventh'], false, [], 617],
    ['a tag of the oldest documents only', ['common', 'oldest'], false, [], 1500],
    ['tags of some of the oldest documents', ['common', 'oldest', 'seventh'], false, [], 214],
    ['two tags without a common document', ['oldest', 'newest'], false, [], 0],
    ['a file and a value', [], true, [count('IsNotEmpty')], 1200],
    ['a file, a tag and a value', ['seventh'], true, [count('EqualTo', '1')], 86],
    ['a range of values', [], false, [count('GreaterThan', '0'), count('LessThanOrEqual', '1')], 1800],
    ['a range of values and a tag', ['fifth'], false, [count('GreaterThanOrEqual', '1')], 360],
  ])(
    'finds the same documents as the reference model: %s',
    async (_, names, inFile, metadataConditions, documents) => {
      const filter: FilterModel = {
        documentTypeId: null,
        fileId: inFile ? fileId : null,
        tagIds: names.map((name) => tags[name]),
        metadataConditions,
      };
      for (const { actor, caller } of callers) {
        const expected = model.search(caller, filter, null, null) as { ids: string[] };
        if (caller.fileIds === null) expect(expected.ids).toHaveLength(documents);
        expect(await searchDocumentIds(actor, { filter }, 200)).toEqual(expected.ids);
        for (const sort of ['createdAt', 'title', '-updatedAt']) {
          const { ids } = model.search(caller, filter, null, null, [], { sort }) as { ids: string[] };
          expect(await searchDocumentIds(actor, { filter, sort }, 50, 2)).toEqual(ids.slice(0, 100));
        }
      }
    },
  );

  const word = (text: string, isExcluded = false): QueryItem => ({ words: [text], kind: 'word', isExcluded });
  const phrase = (...words: string[]): QueryItem => ({ words, kind: 'phrase', isExcluded: false });

  it.each<[string, QueryItem[], Tag[], number]>([
    ['two words in the same documents', [word('run'), word('haus')], [], 10_800],
    ['words of title and text', [word('cafe'), word('frist')], [], 10_050],
    ['words without a common document', [word('haus'), word('frist')], [], 0],
    ['a phrase of the oldest documents', [phrase('haus', 'run')], [], 750],
    ['a phrase and a word', [phrase('haus', 'run'), word('run')], [], 750],
    ['a phrase and a word without a common document', [phrase('haus', 'run'), word('cafe')], [], 0],
    ['a word and an excluded word', [word('run'), word('cafe', true)], [], 1500],
    ['a word that the excluded word accompanies', [word('haus'), word('run', true)], [], 0],
    [
      'a word and an excluded phrase',
      [word('haus'), { ...phrase('run', 'haus'), isExcluded: true }],
      [],
      750,
    ],
    ['only an excluded word', [word('cafe', true)], [], 1500],
    ['a tag and an excluded word', [word('cafe', true)], ['fifth'], 300],
    ['a word and a tag', [word('haus')], ['oldest'], 750],
    ['a word and tags without a common document', [word('run')], ['oldest', 'newest'], 0],
  ])('finds the same words as the reference model: %s', async (_, items, names, documents) => {
    const tagIds = names.map((name) => tags[name]);
    const filter = { documentTypeId: null, fileId: null, tagIds, metadataConditions: [] };
    const ofType = { ...filter, documentTypeId: typeId };
    const q = queryText(items);
    for (const { actor, caller } of callers) {
      const expected = (sort: string) =>
        (model.search(caller, ofType, null, null, items, { sort }) as { ids: string[] }).ids;
      const newest = expected('-createdAt');
      if (caller.fileIds === null) expect(newest).toHaveLength(documents);
      expect(await searchDocumentIds(actor, { filter, q }, 200, 10)).toEqual(newest.slice(0, 2000));
      for (const sort of ['createdAt', 'title', '-updatedAt'])
        expect(await searchDocumentIds(actor, { filter, q, sort }, 50, 2)).toEqual(
          expected(sort).slice(0, 100),
        );
      for (const sort of ['fields.count', '-fields.count'])
        expect(await searchDocumentIds(actor, { filter: ofType, q, sort }, 200, 10)).toEqual(
          expected(sort).slice(0, 2000),
        );
      const ranked = await searchDocumentIds(actor, { filter, q, order: 'relevance' }, 200, 10);
      if (newest.length <= 1000) expect(new Set(ranked as string[])).toEqual(new Set(newest));
    }
  });

  // The values of few documents are looked up; with more, the first values are compared, and the others only if needed.
  it.each<[string, Tag[], ConditionModel[]]>([
    ['no condition', [], []],
    ['a tag of all documents', ['common'], []],
    ['a tag of many documents', ['fifth'], []],
    ['a tag of some documents', ['seventh'], []],
    ['a tag of few documents', ['twentieth'], []],
    ['a tag of the oldest documents only', ['oldest'], []],
    ['tags of many documents', ['fifth', 'seventh'], []],
    ['two tags without a common document', ['oldest', 'newest'], []],
    ['a value and a tag', ['fifth'], [count('GreaterThanOrEqual', '1')]],
    ['a value', [], [count('EqualTo', '1')]],
  ])('lists the same documents by the values of a field: %s', async (_, names, metadataConditions) => {
    const filter: FilterModel = {
      documentTypeId: typeId,
      fileId: null,
      tagIds: names.map((name) => tags[name]),
      metadataConditions,
    };
    for (const { actor, caller } of callers)
      for (const sort of ['fields.count', '-fields.count']) {
        const { ids } = model.search(caller, filter, null, null, [], { sort }) as { ids: string[] };
        expect(await searchDocumentIds(actor, { filter, sort }, 200, 20)).toEqual(ids.slice(0, 4000));
      }
  });
});
