import { beforeAll, describe, expect } from '@jest/globals';
import { type Response, type Test } from 'supertest';
import { type FieldBody, buildField, saveDocumentType } from '../factories/document-types.js';
import { createDocument } from '../factories/document-values.js';
import { saveFile } from '../factories/files.js';
import { type Actor } from '../support/actor.js';
import { expectProblem } from '../support/expect-problem.js';
import { type TestTenant } from '../support/tenant.js';
import {
  RaceFixture,
  type Round,
  expectSuccessOr,
  idOf,
  isSuccess,
  orderOf,
  times,
} from './support/race-fixture.js';

interface Shown {
  readonly fields: Record<string, unknown>;
}

describe('Concurrent changes of document types', () => {
  const fixture = new RaceFixture(3);
  let tenant: TestTenant;
  let people: Actor[];
  beforeAll(() => {
    ({ tenant, people } = fixture);
  });

  const state = buildField('state', { options: ['open', 'paid'] });
  const late = buildField('state', { options: ['open'] });
  const note = buildField('note');
  const named = (id: string) => ({ nameDe: `Art ${id}`, nameEn: `Type ${id}` });

  /** Creates a type with the fields, and requests that create or change documents of the type with the given values. */
  async function requestsWithValues(
    fields: FieldBody[],
    count: number,
    values: (n: number) => object,
    { random, anyone }: Round,
  ): Promise<{ typeId: string; tests: Test[]; ids: (string | null)[] }> {
    const { id: typeId } = await saveDocumentType(tenant, { fields });
    const tests: Test[] = [];
    const ids: (string | null)[] = [];
    for (let n = 0; n < count; n += 1) {
      const body = { title: 'Mit Wert', documentTypeId: typeId, fields: values(n) };
      const actor = anyone();
      if (random.next() < 0.5) {
        tests.push(actor.post('/documents', body));
        ids.push(null);
      } else {
        const { id } = await createDocument(people[0]!, typeId);
        tests.push(actor.put(`/documents/${id}`, body));
        ids.push(id);
      }
    }
    await fixture.takeAuditEntries();
    return { typeId, tests, ids };
  }
  const documentEntries = (answers: readonly Response[], ids: readonly (string | null)[]) =>
    answers.flatMap((answer, n) =>
      isSuccess(answer) ? [`${ids[n] === null ? 'DocumentCreated' : 'DocumentUpdated'} ${idOf(answer)}`] : [],
    );

  /** Values whose option does not exist in their field. */
  const orphans = () =>
    fixture.service.query(
      `SELECT v.document_id, v.option_key FROM document_values v
         JOIN document_type_fields f ON f.tenant_id = v.tenant_id AND f.id = v.field_id
        WHERE v.tenant_id = $1 AND v.option_key IS NOT NULL
          AND NOT f.options @> jsonb_build_array(jsonb_build_object('key', v.option_key))
       UNION ALL
       SELECT d.id, d.fields ->> f.key FROM documents d
         JOIN document_type_fields f ON f.tenant_id = d.tenant_id AND f.document_type_id = d.document_type_id
        WHERE d.tenant_id = $1 AND f.type = 'Enumeration' AND d.fields ? f.key
          AND NOT f.options @> jsonb_build_array(jsonb_build_object('key', d.fields ->> f.key))`,
      [tenant.id],
    );

  fixture.race('and of values: no value has a removed option', async (round) => {
    const { writers, anyone, concurrently } = round;
    const { typeId, tests, ids } = await requestsWithValues(
      [state],
      writers - 1,
      () => ({ state: 'paid' }),
      round,
    );
    const [changed, ...answers] = await concurrently([
      anyone().put(`/document-types/${typeId}`, {
        ...named(typeId),
        fields: [late],
      }),
      ...tests,
    ]);
    for (const answer of answers)
      if (!isSuccess(answer)) expectProblem(answer, 'request.invalid', ['fields.state']);
    expect(await orphans()).toEqual([]);
    const entries = await fixture.takeAuditLines();
    if (isSuccess(changed)) {
      expect(answers.filter(isSuccess)).toEqual([]);
      expect(entries).toEqual([`DocumentTypeUpdated ${typeId}`]);
      return 'option removed';
    }
    expectProblem(changed, 'request.invalid', ['fields[0].options']);
    expect(answers.filter((answer) => !isSuccess(answer))).toEqual([]);
    expect(entries).toEqual(documentEntries(answers, ids).sort());
    return 'value saved';
  });

  fixture.race('that remove a field, and values for it: one after the other', async (round) => {
    const { writers, anyone, concurrently } = round;
    const { typeId, tests, ids } = await requestsWithValues(
      [note, state],
      writers - 1,
      (n) => (n % 2 ? { note: 'Text' } : { state: 'open' }),
      round,
    );
    const [changed, ...answers] = await concurrently([
      anyone().put(`/document-types/${typeId}`, { ...named(typeId), fields: [] }),
      ...tests,
    ]);
    expect(changed.status).toBe(200);
    for (const [n, answer] of answers.entries()) {
      const key = n % 2 ? 'note' : 'state';
      // Requests before the removal return their value; later requests fail.
      if (isSuccess(answer)) expect(Object.keys((answer.body as Shown).fields)).toEqual([key]);
      else expectProblem(answer, 'request.invalid', [`fields.${key}`]);
    }
    const before = answers.filter(isSuccess);
    expect(await fixture.takeAuditLines()).toEqual(
      [`DocumentTypeUpdated ${typeId}`, ...documentEntries(answers, ids)].sort(),
    );
    const kept = await fixture.service.query<{ id: string }>(
      `SELECT v.document_id AS id FROM document_values v JOIN documents d ON d.tenant_id = v.tenant_id AND d.id = v.document_id
        WHERE v.tenant_id = $1 AND d.document_type_id = $2 ORDER BY 1`,
      [tenant.id, typeId],
    );
    expect(kept.map(({ id }) => id)).toEqual(before.map(idOf).sort());
    if (before[0]) {
      const shown = await people[0]!.get(`/documents/${idOf(before[0])}`);
      expect((shown.body as Shown).fields).toEqual({});
    }
    return orderOf(answers, 'removed');
  });

  fixture.race(
    'that change the target of a reference, and values for it: only one of both succeeds',
    async (round) => {
      const { writers, anyone, concurrently } = round;
      const { id: fileId } = await saveFile(tenant, people[0]!);
      const { typeId, tests, ids } = await requestsWithValues(
        [buildField('what', { referenceTarget: 'File' })],
        writers - 1,
        () => ({ what: fileId }),
        round,
      );
      const [changed, ...answers] = await concurrently([
        anyone().put(`/document-types/${typeId}`, {
          ...named(typeId),
          fields: [buildField('what', { referenceTarget: 'User' })],
        }),
        ...tests,
      ]);
      const entries = await fixture.takeAuditLines();
      if (isSuccess(changed)) {
        for (const answer of answers) expectProblem(answer, 'request.invalid', ['fields.what']);
        expect(entries).toEqual([`DocumentTypeUpdated ${typeId}`]);
        return 'changed';
      }
      expectProblem(changed, 'request.invalid', ['fields[0].referenceTarget']);
      expect(answers.filter((answer) => !isSuccess(answer))).toEqual([]);
      expect(entries).toEqual(documentEntries(answers, ids).sort());
      return 'value saved';
    },
  );

  fixture.race('that deactivate a type, and new documents of it: one after the other', async (round) => {
    const { writers, anyone, concurrently } = round;
    const { id: typeId } = await saveDocumentType(tenant, { fields: [note] });
    const [deactivated, ...answers] = await concurrently([
      anyone().post(`/document-types/${typeId}/deactivate`),
      ...times(writers - 1, () => anyone().post('/documents', { title: 'Neu', documentTypeId: typeId })),
    ]);
    expect(deactivated.status).toBe(200);
    for (const answer of answers)
      if (!isSuccess(answer)) expectProblem(answer, 'request.invalid', ['documentTypeId']);
    const before = answers.filter(isSuccess);
    expect(await fixture.takeAuditLines()).toEqual(
      [
        `DocumentTypeDeactivated ${typeId}`,
        ...before.map((answer) => `DocumentCreated ${idOf(answer)}`),
      ].sort(),
    );
    return orderOf(answers, 'deactivated');
  });

  fixture.race('that add fields: no field is lost', async ({ writers, anyone, concurrently }) => {
    const { id: typeId } = await saveDocumentType(tenant, { fields: [note] });
    const answers = await concurrently(
      times(writers, (n) =>
        anyone().put(`/document-types/${typeId}`, {
          ...named(typeId),
          fields: [note, buildField(`own${n}`)],
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { fields } = (await people[0]!.get(`/document-types/${typeId}`)).body as {
      fields: { key: string; isRemoved?: boolean }[];
    };
    // Each change omits the fields of the others, which marks them as removed. Only the field of the last change is active.
    expect(fields.map(({ key }) => key).sort()).toEqual(['note', ...times(writers, (n) => `own${n}`)].sort());
    expect(fields.filter(({ isRemoved }) => !isRemoved)).toHaveLength(2);
    expect(await fixture.takeAuditLines()).toEqual(times(writers, () => `DocumentTypeUpdated ${typeId}`));
    return 'all';
  });

  fixture.race(
    'that deactivate and reactivate a type: alternately',
    async ({ random, writers, anyone, concurrently }) => {
      const { id } = await saveDocumentType(tenant);
      const sent = times(writers, () => (random.next() < 0.5 ? 'deactivate' : 'reactivate'));
      const answers = await concurrently(sent.map((way) => anyone().post(`/document-types/${id}/${way}`)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expectSuccessOr(answers);
      const entries = (await fixture.takeAuditEntries()).map(({ action }) => action);
      const count = (what: string) => entries.filter((action) => action === `DocumentType${what}`).length;
      const [row] = await fixture.service.query<{ is_active: boolean }>(
        'SELECT is_active FROM document_types WHERE tenant_id = $1 AND id = $2',
        [tenant.id, id],
      );
      // The type was active, and only a change writes an entry.
      expect(count('Deactivated') - count('Reactivated')).toBe(row?.is_active ? 0 : 1);
      return `${count('Deactivated')} times`;
    },
  );
});
