import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '../../../../src/common/identifier.js';
import { type Statement } from '../../../../src/platform/database/transactions/tenant-batch.js';
import { SearchSharesReader } from '../../../../src/resources/documents/search/search-shares.reader.js';
import { buildField, saveDocumentType } from '../../../factories/document-types.js';
import { saveFileType } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { priceOf } from '../../../support/price.js';
import { type TestTenant } from '../../../support/tenant.js';
import { QueryPlans, blocksOf, nodesOf, statementsOf } from './query-plans.js';

/** More than the documents in reach that are all searched at once (`NEWEST_LIMIT` in search-terms.ts). */
const DOCUMENTS = 24_000;
const FEWER = 5000;
const GRANTS = 1000;

const condition = (fieldKey: string, operator: string, value?: string) => ({ fieldKey, operator, value });
const CONDITIONS = Array.from({ length: 20 }, (_, n) => condition('count', 'GreaterThan', String(-1 - n)));

/** `links` and `rechts` are never in the same document; `akte` is in all of them. */
const WORDS = `'akte:1A wort' || left(md5(id::text), 1) || ':2A selten' || left(md5(id::text), 3) || ':3A '
  || CASE WHEN get_byte(decode(md5(id::text), 'hex'), 0) % 2 = 0 THEN 'links' ELSE 'rechts' END || ':4A'`;

describe('The search of a member, and of a guest with a thousand grants', () => {
  const plans = new QueryPlans();
  let tenant: TestTenant;
  let member: Actor;
  /** Who see all documents, and the newest ones. */
  let guests: Record<'many' | 'fewer', Actor>;
  let shares: SearchSharesReader;
  beforeAll(async () => {
    tenant = await plans.service.tenant();
    // The bucket does not refill during a test.
    await tenant.limitRequests(1, 10_000);
    const editor = await tenant.as('editor');
    member = await tenant.as('viewer');
    guests = { many: await tenant.as('guest'), fewer: await tenant.as('guest') };
    const documentType = await saveDocumentType(tenant, {
      fields: [buildField('count', { type: 'Number' }), buildField('subject'), buildField('letter')],
    });
    const { id: fileTypeId } = await saveFileType(tenant);
    await plans.service.query(
      `INSERT INTO documents (tenant_id, id, title, status, document_type_id, fields, created_by, created_at)
       SELECT $1, md5('document ' || n)::uuid, 'Document ' || md5(n::text), 'Active', $3, '{"count": "1"}', $4,
              timestamptz '2026-01-01Z' - n * interval '1 second' FROM generate_series(1, $2::int) n`,
      [tenant.id, DOCUMENTS, documentType.id, editor.userId],
    );
    await plans.service.query(
      `INSERT INTO document_values (tenant_id, document_id, field_id, created_at, number_value, text_key)
       SELECT d.tenant_id, d.id, f.id, d.created_at, CASE f.key WHEN 'count' THEN 1 END,
              CASE f.key WHEN 'letter' THEN 'schreiben ' || right(d.title, 4) END
         FROM documents d JOIN document_type_fields f USING (tenant_id, document_type_id)
        WHERE d.tenant_id = $1 AND f.key <> 'subject'`,
      [tenant.id],
    );
    await plans.service.query(
      `INSERT INTO document_texts (tenant_id, document_id, part, created_at, text, vector)
       SELECT tenant_id, id, 0, created_at, 'Akte', (${WORDS})::tsvector
         FROM documents WHERE tenant_id = $1`,
      [tenant.id],
    );
    for (const [name, documents] of [
      ['many', DOCUMENTS],
      ['fewer', FEWER],
    ] as const)
      await plans.service.query(
        `WITH numbered AS (
           INSERT INTO files (tenant_id, id, file_type_id, number, number_key, name, search_text, search_starts, created_by)
           SELECT $1, gen_random_uuid(), $2, $6::text || n, $6::text || n, 'File', '', '{}', $3
             FROM generate_series(0, ${GRANTS} - 1) n RETURNING id, created_at, substr(number, length($6) + 1)::int AS n),
         granted AS (
           INSERT INTO access_grants (tenant_id, id, subject_type, subject_id, target_type, target_id, target_created_at,
                                      level, created_by)
           SELECT $1, gen_random_uuid(), 'User', $4::uuid, 'File', id, created_at, 'Read', $3 FROM numbered)
         INSERT INTO document_files (tenant_id, document_id, file_id, filed_at, created_at, file_type_id)
         SELECT $1, d.id, numbered.id, now(), d.created_at, $2
           FROM (SELECT *, row_number() OVER (ORDER BY created_at DESC) AS n FROM documents WHERE tenant_id = $1) d
           JOIN numbered ON numbered.n = d.n % ${GRANTS} WHERE d.n <= $5`,
        [tenant.id, fileTypeId, editor.userId, guests[name].userId, documents, name],
      );
    await tenant.increaseAccessVersion();
    await plans.service.query('VACUUM ANALYZE');
    shares = plans.service.app.get(SearchSharesReader);
    await shares.read();
  }, 600_000);

  /** With the maximum number of blocks. A page of each grant would read up to 3,000,000. */
  it.each<[string, object, number]>([
    ['a frequent word', { q: 'akte' }, 30_000],
    ['a frequent beginning', { q: 'akt*' }, 30_000],
    ['a rare word', { q: 'selten0ab' }, 10_000],
    ['several words', { q: 'akte wort7' }, 30_000],
    ['one condition', { filter: { metadataConditions: CONDITIONS.slice(0, 1) } }, 30_000],
    ['many conditions', { filter: { metadataConditions: CONDITIONS } }, 80_000],
    [
      'a frequent word and many conditions',
      { q: 'akte', filter: { metadataConditions: CONDITIONS } },
      80_000,
    ],
    ['a word and many conditions', { q: 'wort7', filter: { metadataConditions: CONDITIONS } }, 80_000],
    ['a missing value', { filter: { metadataConditions: [condition('subject', 'IsEmpty')] } }, 30_000],
    [
      'a value and a missing one',
      { filter: { metadataConditions: [CONDITIONS[0], condition('subject', 'IsEmpty')] } },
      30_000,
    ],
    ['another value', { filter: { metadataConditions: [condition('count', 'NotEqualTo', '2')] } }, 30_000],
    [
      'a part of all texts',
      { filter: { metadataConditions: [condition('letter', 'Contains', 'schreiben')] } },
      30_000,
    ],
    ['one document', { q: 'akte', filter: { metadataConditions: CONDITIONS }, limit: 1 }, 20_000],
    ['by title', { q: 'akte', filter: { metadataConditions: CONDITIONS }, sort: 'title' }, 120_000],
    ['by relevance', { q: 'akte', filter: { metadataConditions: CONDITIONS }, order: 'relevance' }, 300_000],
  ])('reads a limited number of blocks: %s', async (_, search, blocks) => {
    for (const guest of Object.values(guests))
      expect(await blocksOfAll(await statementsFor(guest, { limit: 200, ...search }, true))).toBeLessThan(
        blocks,
      );
  });

  describe('as long as the tenant and its fields have most of the texts', () => {
    afterEach(() => void jest.restoreAllMocks());

    it.each<[string, object, string]>([
      ['a word', { q: 'selten0ab ' }, 'tenant_id'],
      [
        'a part of a text',
        { filter: { metadataConditions: [condition('letter', 'Contains', 'ben 849b')] } },
        'field_id',
      ],
    ])('looks up only %s', async (_, search, column) => {
      const lookedUp = async () => {
        const statement = (await statementsFor(member, search, true)).at(-1) as Statement;
        const nodes = nodesOf(await plans.explain(tenant.id, statement, 'these values'));
        return nodes.find((node) => node['Node Type'] === 'Bitmap Index Scan')?.['Index Cond'];
      };
      expect(await lookedUp()).not.toContain(column);
      jest.spyOn(shares, 'areMost').mockReturnValue(false);
      expect(await lookedUp()).toContain(column);
    });

    it('knows that from a sample', async () => {
      expect(shares.areMost([tenant.id])).toBe(true);
      expect(shares.areMost([newId()])).toBe(false);
    });
  });

  /** The trigrams of the text would need 202 blocks. */
  it('finds an equal text by its beginning', async () => {
    const filter = { metadataConditions: [condition('letter', 'EqualTo', 'Schreiben 849B')] };
    expect(await blocksOfAll(await statementsFor(member, { filter }, true))).toBeLessThan(100);
  });

  it.each([
    ['schreiben', true],
    ['ben 849b', false],
  ])(
    'searches the newest documents for a part of a text only if it is frequent: %s',
    async (part, isFrequent) => {
      const filter = { metadataConditions: [condition('letter', 'Contains', part)] };
      const statements = await statementsFor(member, { filter }, true);
      expect(statements.some(({ text }) => text.includes('LIMIT 20000'))).toBe(isFrequent);
      expect(await blocksOfAll(statements)).toBeLessThan(1000);
    },
  );

  /** Each document of the first word would need eight blocks. */
  it.each<[string, object]>([
    ['words', { q: 'links rechts ' }],
    ['words, by title', { q: 'links rechts ', sort: 'title' }],
    ['words in quotes', { q: '"links" "rechts"' }],
    ['beginnings', { q: 'link* recht* ' }],
    ['a phrase', { q: '"links akte"' }],
    ['a word and a status', { q: 'akte ', status: 'Archived' }],
    ['an excluded word of all documents', { q: 'links -akte ' }],
    ['only an excluded word', { q: '-akte ' }],
  ])('reads the rows of frequent words once if no document matches: %s', async (_, search) => {
    for (const actor of [member, guests.many]) {
      const statements = await statementsFor(actor, search, false);
      const ofAll = statements.filter(({ text }) => !text.includes('LIMIT 20000'));
      expect(ofAll.length).toBeLessThan(statements.length);
      expect(await blocksOfAll(ofAll)).toBeLessThan(10_000);
    }
  });

  it('checks each document in reach at most twice if none has a missing value', async () => {
    for (const metadataConditions of [
      [condition('count', 'IsEmpty')],
      [condition('count', 'NotEqualTo', '1')],
    ])
      for (const guest of Object.values(guests)) {
        const statements = await statementsFor(guest, { filter: { metadataConditions } }, false);
        expect(await blocksOfAll(statements)).toBeLessThan(200_000);
      }
  });

  it('costs one more request for each 50,000 rows of frequent words', async () => {
    const search = (q: string) => priceOf(member, () => member.post('/documents/search', { q }).expect(200));
    expect(await search('links rechts ')).toBe(1);
    expect(await search('akte links rechts wort* ')).toBe(2);
  });

  it('refuses to read the texts of more than 200,000 documents', async () => {
    const large = await plans.service.tenant();
    const { userId } = await large.as('editor');
    const viewer = await large.as('viewer');
    await plans.service.query(
      `INSERT INTO documents (tenant_id, id, title, status, created_by, created_at)
       SELECT $1, gen_random_uuid(), 'Document', 'Active', $2, timestamptz '2026-01-01Z' - n * interval '1 second'
         FROM generate_series(1, 200001) n`,
      [large.id, userId],
    );
    await plans.service.query(
      `INSERT INTO document_texts (tenant_id, document_id, part, created_at, text, vector)
       SELECT tenant_id, id, 0, created_at, '', 'links:1A akte:3A'::tsvector FROM documents WHERE tenant_id = $1`,
      [large.id],
    );
    await plans.service.query('ANALYZE documents, document_texts');
    const q = '"links akte" links ';
    const refused = await viewer.post('/documents/search', { q });
    expectProblem(refused, 'request.invalid');
    expect(Object.keys((refused.body as { errors: object }).errors)).toEqual(['q']);
    const createdTo = '2026-01-01T00:00:00Z';
    const limited = { q, createdFrom: '2025-12-31T00:00:00Z', createdTo };
    expect((await viewer.post('/documents/search', limited).expect(200)).body).toMatchObject({ items: [] });
    expect((await viewer.post('/documents/search', { q: '"links akte" ' }).expect(200)).body).toMatchObject({
      items: [],
    });
  });

  /** The statements of a search, which finds documents or none. */
  const statementsFor = (actor: Actor, body: object, finds: boolean) =>
    statementsOf(async () => {
      const response = await actor.post('/documents/search', body).expect(200);
      expect((response.body as { items: unknown[] }).items.length > 0).toBe(finds);
    });

  async function blocksOfAll(statements: readonly Statement[]): Promise<number> {
    let blocks = 0;
    for (const statement of statements)
      blocks += blocksOf(await plans.explain(tenant.id, statement, 'these values', 'ANALYZE, BUFFERS,'));
    return blocks;
  }
});
