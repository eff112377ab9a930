import { beforeEach, describe, expect, it } from '@jest/globals';
import { type FieldBody, buildField } from '../../factories/document-types.js';
import { saveDocument, saveTag } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { NO_FILTER, saveView } from '../../factories/saved-views.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

const KIB = 1024;
const MAX_LINKS = 1000;

/** Repeated requests could make a resource too large for one response, so its total size is limited. */
describe('The stored size of a resource', () => {
  let tenant: TestTenant;
  let caller: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    caller = await tenant.as('administrator');
  });

  async function refused(
    send: () => ReturnType<Actor['put']>,
    ...problem: [code: Parameters<typeof expectProblem>[1], errors?: string[]]
  ): Promise<void> {
    await expectRefused(tenant, () => send(), ...problem);
  }

  describe('a saved view', () => {
    /** A filter of exactly that many bytes as JSON, with at most 10,000 bytes in each condition. */
    const filterOf = (bytes: number) => {
      const conditions: { fieldKey: string; operator: string; value: string }[] = [];
      const filter = { ...NO_FILTER, metadataConditions: conditions };
      for (let left = bytes - JSON.stringify(filter).length; left > 0;) {
        const condition = { fieldKey: 'note', operator: 'Contains', value: '' };
        const around = JSON.stringify(condition).length + (conditions.length > 0 ? 1 : 0);
        // Leave room for another condition.
        const length = Math.min(
          10_000,
          left - around,
          left > 10_000 + around ? left - around - 200 : Infinity,
        );
        condition.value = 'x'.repeat(length);
        conditions.push(condition);
        left -= around + length;
      }
      expect(JSON.stringify(filter)).toHaveLength(bytes);
      return filter;
    };
    const create = (name: string, bytes: number) =>
      caller.post('/saved-views', { name, filter: filterOf(bytes) });
    beforeEach(async () => {
      await caller
        .post('/document-types', { key: 'note', nameDe: 'Art', nameEn: 'Type', fields: [buildField('note')] })
        .expect(201);
    });

    it('accepts a filter of 64 KiB and returns 400 for one byte more', async () => {
      expect((await create('Small enough', 64 * KIB)).status).toBe(201);
      await refused(() => create('Too large', 64 * KIB + 1), 'request.invalid', ['filter']);
    });

    it('keeps a larger filter of an earlier release, and returns 400 for another large filter', async () => {
      const { id, filter } = await saveView(tenant, caller, { filter: filterOf(100 * KIB) });
      const put = (body: object) => caller.put(`/saved-views/${id}`, body);
      expect((await put({ name: 'Renamed' })).status).toBe(200);
      expect((await put({ name: 'The same filter', filter })).status).toBe(200);
      await refused(() => put({ name: 'Other filter', filter: filterOf(99 * KIB) }), 'request.invalid', [
        'filter',
      ]);
      expect((await put({ name: 'Small filter', filter: filterOf(KIB) })).status).toBe(200);
    });

    it('returns 409 when all views of a user exceed 2 MiB; other users are not affected', async () => {
      for (let n = 0; n < 31; n += 1) expect((await create(`View ${n}`, 64 * KIB)).status).toBe(201);
      const last = await create('Last', 50 * KIB);
      expect(last.status).toBe(201);
      await refused(() => create('One more', 15 * KIB), 'saved-view.too-large');
      const { id } = last.body as { id: string };
      const put = (bytes: number) =>
        caller.put(`/saved-views/${id}`, { name: 'Last', filter: filterOf(bytes) });
      await refused(() => put(64 * KIB), 'saved-view.too-large');
      expect((await put(55 * KIB)).status).toBe(200);
      expect((await put(20 * KIB)).status).toBe(200);
      const other = await tenant.as('viewer');
      expect((await other.post('/saved-views', { name: 'Other', filter: filterOf(64 * KIB) })).status).toBe(
        201,
      );
    });

    it('returns 409 for concurrent requests beyond the limit', async () => {
      const responses = await Promise.all(
        Array.from({ length: 36 }, (_, n) => create(`View ${n}`, 64 * KIB)),
      );
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array<number>(31).fill(201), ...Array<number>(5).fill(409)]);
    });

    it('accepts a smaller filter when views of an earlier release exceed 2 MiB', async () => {
      for (let n = 0; n < 30; n += 1) await saveView(tenant, caller, { filter: filterOf(100 * KIB) });
      const { id } = await saveView(tenant, caller, { filter: filterOf(60 * KIB) });
      const put = (bytes: number) =>
        caller.put(`/saved-views/${id}`, { name: 'Changed', filter: filterOf(bytes) });
      await refused(() => put(61 * KIB), 'saved-view.too-large');
      expect((await put(59 * KIB)).status).toBe(200);
      await refused(() => create('One more', KIB), 'saved-view.too-large');
    });
  });

  describe('a document type', () => {
    const names = { nameDe: 'Art', nameEn: 'Type' };
    /** Fields of about 220 KiB each. */
    const fieldsOf = (keys: readonly string[]): FieldBody[] =>
      keys.map((key) =>
        buildField(key, {
          options: Array.from({ length: 500 }, (_, n) => ({
            key: `${n}`,
            labelDe: 'x'.repeat(200),
            labelEn: 'x'.repeat(200),
          })),
        }),
      );

    it('returns 400 for fields of more than 1 MiB, including removed fields', async () => {
      const created = await caller.post('/document-types', {
        key: 'grown',
        ...names,
        fields: fieldsOf(['a', 'b']),
      });
      const { id } = created.body as { id: string };
      const put = (fields: FieldBody[]) => caller.put(`/document-types/${id}`, { ...names, fields });
      expect((await put(fieldsOf(['c', 'd']))).status).toBe(200);
      await refused(() => put(fieldsOf(['e'])), 'request.invalid', ['fields']);
      expect((await put([buildField('small')])).status).toBe(200);
    });

    it('returns 400 with the first 100 of the options that cannot be removed', async () => {
      const [field] = fieldsOf(['state']);
      const created = await caller.post('/document-types', { key: 'used', ...names, fields: [field] });
      const { id } = created.body as { id: string };
      await service.query(
        `WITH made AS (
           INSERT INTO documents (tenant_id, id, title, document_type_id, status, is_confidential, created_by)
           SELECT $1, gen_random_uuid(), 'Used', $2, 'Active', false, $3 FROM generate_series(0, 499)
           RETURNING tenant_id, id, created_at
         )
         INSERT INTO document_values (tenant_id, document_id, field_id, created_at, option_key)
         SELECT m.tenant_id, m.id, f.id, m.created_at, (row_number() OVER ())::int - 1
           FROM made m, document_type_fields f WHERE f.tenant_id = $1 AND f.document_type_id = $2`,
        [tenant.id, id, caller.userId],
      );
      const fields = [{ ...field, options: [{ key: 'other', labelDe: 'Andere', labelEn: 'Other' }] }];
      const response = await caller.put(`/document-types/${id}`, { ...names, fields });
      const { errors } = response.body as { errors: Record<string, string[]> };
      expect(errors['fields[0].options']).toHaveLength(100);
    });
  });

  it('returns 400 for document values above 2 MiB, including those of removed fields', async () => {
    const names = { nameDe: 'Art', nameEn: 'Type' };
    const keysOf = (generation: number) => Array.from({ length: 90 }, (_, n) => `text${generation}x${n}`);
    const fieldsOf = (generation: number) => keysOf(generation).map((key) => buildField(key));
    const created = await caller.post('/document-types', { key: 'note', ...names, fields: fieldsOf(0) });
    const { id: documentTypeId } = created.body as { id: string };
    const { id } = await saveDocument(tenant, caller);
    const put = async (generation: number, length = 10_000) => {
      await caller
        .put(`/document-types/${documentTypeId}`, { ...names, fields: fieldsOf(generation) })
        .expect(200);
      const fields = Object.fromEntries(keysOf(generation).map((key) => [key, 'x'.repeat(length)]));
      return caller.put(`/documents/${id}`, { title: 'Grown', documentTypeId, fields });
    };
    expect((await put(0)).status).toBe(200);
    expect((await put(1)).status).toBe(200);
    expectProblem(await put(2), 'request.invalid', ['fields']);
    expect((await put(2, 100)).status).toBe(200);
  });

  describe('the links of a document', () => {
    let id: string;
    beforeEach(async () => {
      ({ id } = await saveDocument(tenant, caller));
    });

    async function saveTags(count: number): Promise<void> {
      await service.query(
        `WITH made AS (
           INSERT INTO tags (tenant_id, id, name, name_key)
           SELECT $1, gen_random_uuid(), 'Tag ' || n, 'kept ' || n FROM generate_series(1, $3) n RETURNING id
         )
         INSERT INTO document_tags (tenant_id, document_id, tag_id, created_at)
         SELECT $1, d.id, m.id, d.created_at FROM documents d, made m WHERE d.tenant_id = $1 AND d.id = $2`,
        [tenant.id, id, count],
      );
    }

    it('are limited to 1,000 tags; one more is refused with 409, also in a bulk change', async () => {
      await saveTags(MAX_LINKS - 1);
      const tags = [await saveTag(tenant), await saveTag(tenant)];
      const [last, further] = tags.map((tag) => () => caller.put(`/documents/${id}/tags/${tag.id}`));
      expect((await last!()).status).toBe(204);
      expect((await last!()).status).toBe(204);
      await refused(further!, 'document.too-many-links');
      const other = await saveDocument(tenant, caller);
      const response = await caller.post('/documents/bulk', {
        action: 'Tag',
        documentIds: [id, other.id],
        tagIds: tags.map((tag) => tag.id),
      });
      const { results } = response.body as {
        results: { outcome: string; problem: { type: string } | null }[];
      };
      expect(results.map(({ outcome, problem }) => [outcome, problem?.type])).toEqual([
        ['Refused', '/problems/document.too-many-links'],
        ['Done', undefined],
      ]);
      expect(((await caller.get(`/documents/${other.id}`)).body as { tagIds: string[] }).tagIds).toHaveLength(
        2,
      );
    });

    it('are limited to 1,000 files; one more returns 409', async () => {
      const file = await saveFile(tenant, caller);
      await service.query(
        `WITH made AS (
           INSERT INTO files (tenant_id, id, file_type_id, number, number_key, name, search_text, search_starts, created_by)
           SELECT f.tenant_id, gen_random_uuid(), f.file_type_id, 'N' || n, 'n' || n, 'File', f.search_text, f.search_starts,
                  f.created_by
             FROM files f, generate_series(1, $3) n WHERE f.tenant_id = $1 AND f.id = $4
           RETURNING id, file_type_id
         )
         INSERT INTO document_files (tenant_id, document_id, file_id, created_at, file_type_id)
         SELECT $1, d.id, m.id, d.created_at, m.file_type_id
           FROM documents d, made m WHERE d.tenant_id = $1 AND d.id = $2`,
        [tenant.id, id, MAX_LINKS - 1, file.id],
      );
      expect((await caller.put(`/documents/${id}/files/${file.id}`)).status).toBe(204);
      const { id: further } = await saveFile(tenant, caller);
      await refused(() => caller.put(`/documents/${id}/files/${further}`), 'document.too-many-links');
    });
  });
});
