import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Permission } from '../../../../src/common/vocabulary/permissions.js';
import { type TenantTransaction } from '../../../../src/platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../../../src/platform/tenancy/access/caller.js';
import { FileSuggestionsRepository } from '../../../../src/resources/files/file-suggestions.repository.js';
import { SuggestionsRepository } from '../../../../src/resources/documents/suggestions/suggestions.repository.js';
import { LexiconReader } from '../../../../src/resources/documents/words/lexicon.reader.js';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveTag } from '../../../factories/documents.js';
import { saveFile, saveFileType } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { type TestTenant } from '../../../support/tenant.js';
import { type PlanNode, QueryPlans, blocksOf, callerWith, nodesOf } from './query-plans.js';

/** Enough documents for the planner to prefer an index. Set PLAN_ROWS to measure with more. */
const ROWS = Number(process.env.PLAN_ROWS ?? 60_000);
const WORDS = Math.max(20_000, Math.round(ROWS / 3));

const ALL: readonly Permission[] = ['documents.read', 'files.read'];
const GRANTS: readonly Permission[] = ['documents.read'];

/** A word of two to four parts; about one in eight begins with `ge`. */
const WORD = `(
  SELECT string_agg((ARRAY['ge','bau','ver','sicher','mel','dung','ver','trag','pfle','haus','frist','kos','ten','plan','weg','amt'])
                    [1 + ((w.n::bigint * (2654435761 + 97 * part) / (16 ^ part)::bigint) % 16)::int], '' ORDER BY part)
         || (ARRAY['a','e','i','o','u'])[1 + w.n % 5] || translate(to_hex(w.n), '0123456789', 'ghijklmnop')
    FROM generate_series(1, 2 + w.n % 3) part)`;

/** Queries for suggestions and compounds run as the service role. */
describe('The queries for words of a large tenant', () => {
  const plans = new QueryPlans();
  let tenant: TestTenant;
  let guest: Actor;
  /** A word of many titles. */
  let frequent: string | undefined;
  beforeAll(async () => {
    tenant = await plans.service.tenant();
    const editor = await tenant.as('editor');
    guest = await tenant.as('guest');
    await plans.service.query(
      `CREATE TABLE vocabulary AS SELECT w.n, ${WORD} AS word FROM generate_series(1, $1::int) AS w (n)`,
      [WORDS],
    );
    await plans.service.query('ALTER TABLE vocabulary ADD PRIMARY KEY (n)');
    await plans.service.query(
      `INSERT INTO documents (tenant_id, id, title, status, created_by, created_at, updated_at)
       SELECT $1, gen_random_uuid(), 'Titel ' || n, 'Active', $2, now() - n * interval '1 second', now()
         FROM generate_series(1, $3::int) n`,
      [tenant.id, editor.userId, ROWS],
    );
    // Part 0 has four words, part 1 thirty; frequent words have small numbers.
    for (const [part, words] of [
      [0, 4],
      [1, 30],
    ])
      await plans.service.query(
        `INSERT INTO document_texts (tenant_id, document_id, part, created_at, text, vector)
         SELECT d.tenant_id, d.id, $2::int, d.created_at, string_agg(v.word, ' '),
                string_agg(v.word || ':' || place || 'A', ' ')::tsvector
           FROM documents d CROSS JOIN generate_series(1, $3::int) place
           JOIN vocabulary v
             ON v.n = 1 + floor($4::float8 * power(('x' || substr(md5(d.id::text || place || $2::int), 1, 7))::bit(28)::int / 268435456.0, 3))::int
          WHERE d.tenant_id = $1 GROUP BY d.tenant_id, d.id, d.created_at`,
        [tenant.id, part, words, WORDS],
      );
    await plans.service.query(
      `INSERT INTO document_words (tenant_id, word, document_id)
       SELECT $1, v.word, d.ids[1 + v.n % 1000]
         FROM (SELECT array_agg(id) AS ids FROM (SELECT id FROM documents WHERE tenant_id = $1 LIMIT 1000) d) d
        CROSS JOIN vocabulary v ON CONFLICT DO NOTHING`,
      [tenant.id],
    );
    // With names of two words.
    const { id: fileTypeId } = await saveFileType(tenant);
    await plans.service.query(
      `INSERT INTO files (tenant_id, id, file_type_id, number, number_key, name, search_text, search_starts, created_by, created_at)
       SELECT $1, gen_random_uuid(), $2, f.number, f.number, f.name, f.number || E'\\n' || f.name,
              ARRAY[left(f.number, 1), left(f.number, 2), left(f.first, 1), left(f.first, 2), left(f.second, 1), left(f.second, 2)],
              $3, now() - f.n * interval '1 second'
         FROM (SELECT g.n, 'a-' || g.n AS number, v.word || ' ' || w.word AS name, v.word AS first, w.word AS second
                 FROM generate_series(1, $4::int) AS g (n)
                 JOIN vocabulary v ON v.n = 1 + g.n::bigint * 7919 % $5
                 JOIN vocabulary w ON w.n = 1 + g.n::bigint * 104729 % $5) f`,
      [tenant.id, fileTypeId, editor.userId, ROWS, WORDS],
    );
    for (let n = 0; n < 5; n += 1) {
      const file = await saveFile(tenant, editor, { name: 'Gebaude' });
      await saveAccessGrant(tenant, guest, { file: file.id });
      await plans.service.query(
        `INSERT INTO document_files (tenant_id, document_id, file_id, filed_at, created_at, file_type_id)
         SELECT d.tenant_id, d.id, f.id, now(), d.created_at, f.file_type_id
           FROM (SELECT * FROM documents WHERE tenant_id = $1 ORDER BY created_at DESC OFFSET $3::int LIMIT 3000) d
           JOIN files f ON f.tenant_id = $1 AND f.id = $2`,
        [tenant.id, file.id, n * 100],
      );
    }
    for (let n = 0; n < 20; n += 1) {
      const tag = await saveTag(tenant, `Gebiet ${n}`);
      await plans.service.query(
        `INSERT INTO document_tags (tenant_id, document_id, tag_id, created_at)
         SELECT d.tenant_id, d.id, $2, d.created_at FROM documents d WHERE d.tenant_id = $1 ORDER BY d.created_at DESC LIMIT 3000`,
        [tenant.id, tag.id],
      );
    }
    await plans.service.query(
      `INSERT INTO tags (tenant_id, id, name, name_key)
       SELECT $1, gen_random_uuid(), 'Ordner ' || n, 'ordner ' || n FROM generate_series(1, 20000) n`,
      [tenant.id],
    );
    await plans.service.query(
      `INSERT INTO document_tags (tenant_id, document_id, tag_id, created_at)
       SELECT d.tenant_id, d.id, t.id, d.created_at
         FROM tags t CROSS JOIN (SELECT * FROM documents WHERE tenant_id = $1 ORDER BY created_at DESC LIMIT 1) d
        WHERE t.tenant_id = $1 AND t.name LIKE 'Ordner %'`,
      [tenant.id],
    );
    await plans.service.query(
      'VACUUM ANALYZE files, access_grants, documents, document_texts, document_words, document_files, document_tags, tags',
    );
    [frequent] = (await plans.service.query<{ word: string }>('SELECT word FROM vocabulary WHERE n = 1')).map(
      ({ word }) => word,
    );
  }, 3_600_000);

  const suggestions = new SuggestionsRepository();
  const compounds = (tx: TenantTransaction, parts: readonly string[]) => {
    const { text, values } = new LexiconReader().compoundsStatement(tx.tenantId, parts);
    return tx.query(text, values);
  };

  const files = new FileSuggestionsRepository();

  type Query = (tx: TenantTransaction, caller: Caller, ids: readonly string[]) => Promise<unknown>;
  /** With the maximum number of blocks, about twice that for a million documents. */
  const QUERIES: readonly (readonly [what: string, permissions: readonly Permission[], Query, number])[] = [
    ['the newest documents', ALL, (tx, caller) => suggestions.newest(tx, caller), 4000],
    ['the newest documents of grants', GRANTS, (tx, caller) => suggestions.newest(tx, caller), 5000],
    ['titles', ALL, (tx, caller) => suggestions.withWords(tx, caller, [], ['gebau']), 3500],
    [
      'titles with several words',
      ALL,
      (tx, caller) => suggestions.withWords(tx, caller, [frequent ?? ''], ['gebau']),
      3500,
    ],
    ['words', ALL, (tx, caller) => suggestions.words(tx, caller, 'ge'), 3000],
    ['words of grants', GRANTS, (tx, caller) => suggestions.words(tx, caller, 'ge'), 3000],
    ['words of texts', GRANTS, (tx, _, ids) => suggestions.wordsOf(tx, ids, 'ge'), 500],
    ['tags', ALL, (tx, caller, ids) => suggestions.tags(tx, caller, ids, 'ge'), 500],
    ['tags of grants', GRANTS, (tx, caller, ids) => suggestions.tags(tx, caller, ids, 'ge'), 1500],
    ['numbers of files', ALL, (tx, caller) => files.withNumber(tx, caller, 'a-1', 20), 500],
    ['numbers of files of grants', GRANTS, (tx, caller) => files.withNumber(tx, caller, 'n-', 20), 1500],
    ['the newest files', ALL, (tx, caller) => files.newest(tx, caller, 'gebau', 20), 3500],
    ['the newest files of grants', GRANTS, (tx, caller) => files.newest(tx, caller, 'gebau', 20), 500],
    ['compounds', GRANTS, (tx) => compounds(tx, ['sicher', 'pflehaus']), 3500],
  ];

  it.each(QUERIES)('reads a limited number of blocks: %s', async (_, permissions, query, blocks) => {
    const plan = await planOf(query, permissions);
    expect(plan['Actual Rows']).toBeGreaterThan(0);
    expect(blocksOf(plan)).toBeLessThan(blocks);
  });

  it.each([['who sees all', ALL] as const, ['with grants', GRANTS] as const])(
    'reads a limited number of many tags with a beginning, for a caller %s',
    async (_, permissions) => {
      const plan = await planOf(
        (tx, caller, ids) => suggestions.tags(tx, caller, ids, 'ordner 1'),
        permissions,
      );
      const read = nodesOf(plan).filter((node) => node['Relation Name'] === 'tags');
      expect(plan['Actual Rows']).toBe(50);
      expect(read.map((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0))).toEqual([200]);
    },
  );

  async function planOf(query: Query, permissions: readonly Permission[]): Promise<PlanNode> {
    const caller = callerWith(tenant, permissions, {
      userId: guest.userId,
      roleId: await tenant.roleId('guest'),
    });
    const newest = await plans.service.query<{ id: string }>(
      'SELECT id FROM documents WHERE tenant_id = $1 ORDER BY created_at DESC LIMIT 100',
      [tenant.id],
    );
    const ids = newest.map(({ id }) => id);
    return plans.plan(tenant.id, (tx) => query(tx, caller, ids));
  }
});
