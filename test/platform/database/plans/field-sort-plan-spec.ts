import { beforeAll, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { buildField, saveDocumentType } from '../../../factories/document-types.js';
import { saveTag } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { type TestTenant } from '../../../support/tenant.js';
import { QueryPlans, blocksOf, nodesOf, statementsOf } from './query-plans.js';

const ROWS = Number(process.env.PLAN_ROWS ?? 100_000);

/** The documents with these properties are independent of each other and of the values. */
const PROPERTIES = {
  half: 'h1 % 2 = 0',
  twentieth: 'h2 % 20 = 0',
} as const;

interface Search {
  readonly tag?: keyof typeof PROPERTIES;
  readonly q?: string;
  readonly sort?: string;
}
type Name = 'member' | 'guest' | 'guest with fewer';

describe('A list by the values of a field', () => {
  const plans = new QueryPlans();
  let tenant: TestTenant;
  let documentTypeId: string;
  let tags: Record<string, string>;
  let callers: Record<Name, Actor>;
  beforeAll(async () => {
    tenant = await plans.service.tenant();
    const editor = await tenant.as('editor');
    callers = {
      member: await tenant.as('viewer'),
      guest: await tenant.as('guest'),
      'guest with fewer': await tenant.as('guest'),
    };
    const fields = [buildField('count', { type: 'Number' }), buildField('state', { options: ['a', 'b'] })];
    documentTypeId = (await saveDocumentType(tenant, { fields })).id;
    await plans.service.query(
      `INSERT INTO documents (tenant_id, id, title, status, document_type_id, fields, created_by, created_at)
       SELECT $1, md5('id' || n)::uuid, 'Document', 'Active', $3, '{"count": "1", "state": "a"}', $4,
              timestamptz '2026-01-01Z' - n * interval '1 second' FROM generate_series(1, $2::int) n`,
      [tenant.id, ROWS, documentTypeId, editor.userId],
    );
    await plans.service.query(
      `CREATE TABLE numbered AS
       SELECT d.*, hashtext(id::text) & 65535 AS value, hashtext(id || '1') & 65535 AS h1, hashtext(id || '2') & 65535 AS h2,
              hashtext(id || '3') & 65535 AS h3
         FROM documents d WHERE tenant_id = $1`,
      [tenant.id],
    );
    for (const [key, column, value] of [
      ['count', 'number_value', 'd.value'],
      ['state', 'option_key', `CASE WHEN d.value % 2 = 0 THEN 'a' ELSE 'b' END`],
    ])
      await plans.service.query(
        `INSERT INTO document_values (tenant_id, document_id, field_id, created_at, ${column})
         SELECT d.tenant_id, d.id, f.id, d.created_at, ${value}
           FROM numbered d JOIN document_type_fields f USING (tenant_id, document_type_id) WHERE f.key = $1`,
        [key],
      );
    await plans.service.query(
      `INSERT INTO document_texts (tenant_id, document_id, part, created_at, text, vector)
       SELECT tenant_id, id, 0, created_at, '',
              ('akte:1A' || CASE WHEN ${PROPERTIES.twentieth} THEN ' mittel' || h1 % 100 || ':2A zwanzigstel:3A' ELSE '' END)::tsvector
         FROM numbered`,
    );
    const names: [string, string][] = [];
    for (const [name, condition] of Object.entries(PROPERTIES)) {
      const { id } = await saveTag(tenant, name);
      names.push([name, id]);
      await plans.service.query(
        `INSERT INTO document_tags (tenant_id, document_id, tag_id, created_at)
         SELECT tenant_id, id, $1, created_at FROM numbered WHERE ${condition}`,
        [id],
      );
    }
    tags = Object.fromEntries(names);
    for (const [guest, condition] of [
      ['guest', 'd.h3 % 4 = 1'],
      ['guest with fewer', 'd.h3 % 25 = 1'],
    ] as const) {
      const file = await saveFile(tenant, editor);
      await saveAccessGrant(tenant, callers[guest], { file: file.id });
      await plans.service.query(
        `INSERT INTO document_files (tenant_id, document_id, file_id, filed_at, created_at, file_type_id)
         SELECT d.tenant_id, d.id, f.id, now(), d.created_at, f.file_type_id
           FROM numbered d JOIN files f USING (tenant_id) WHERE f.id = $1 AND ${condition}`,
        [file.id],
      );
    }
    await tenant.increaseAccessVersion();
    await plans.service.query('VACUUM ANALYZE');
  }, 600_000);

  /** With the maximum number of blocks. For the values of all matches, up to 140,000 would be read. */
  it.each<[string, Search, Partial<Record<Name, number>>]>([
    ['no condition', {}, { member: 1700, guest: 5000, 'guest with fewer': 2800 }],
    ['a tag of half', { tag: 'half' }, { member: 2500, guest: 8000 }],
    ['a tag of 5 %', { tag: 'twentieth', sort: '-fields.count' }, { member: 2000, guest: 5000 }],
    ['a tag and an option', { tag: 'half', sort: 'fields.state' }, { member: 2800, guest: 6500 }],
    ['a frequent word', { q: 'akte ' }, { member: 3000, guest: 7500 }],
    ['a word of 5 %', { q: 'zwanzigstel ' }, { member: 5000, guest: 8500 }],
    ['a beginning of 5 %', { q: 'mittel*', sort: '-fields.count' }, { member: 5000, guest: 8500 }],
  ])('reads a limited number of blocks: %s', async (_, { tag, q, sort = 'fields.count' }, maximum) => {
    const filter = { documentTypeId, tagIds: tag ? [tags[tag]] : [] };
    for (const [name, most] of Object.entries(maximum)) {
      const blocks = await blocksFor(callers[name as Name], { filter, q, sort });
      expect({ name, isFewer: blocks < most, blocks }).toEqual({ name, isFewer: true, blocks });
    }
  });

  /** The blocks that all statements of a request read. */
  async function blocksFor(caller: Actor, body: object): Promise<number> {
    const statements = await statementsOf(async () => {
      const response = await caller.post('/documents/search', body).expect(200);
      expect((response.body as { items: unknown[] }).items).toHaveLength(50);
    });
    let blocks = 0;
    for (const statement of statements) {
      const plan = await plans.explain(tenant.id, statement, 'these values', 'ANALYZE, BUFFERS,');
      expect(nodesOf(plan).filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
      blocks += blocksOf(plan);
    }
    return blocks;
  }
});
