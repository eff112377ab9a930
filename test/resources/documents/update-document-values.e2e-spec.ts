import { beforeEach, describe, expect, it } from '@jest/globals';
import { type FieldBody, buildField, saveDocumentType } from '../../factories/document-types.js';
import { createDocument } from '../../factories/document-values.js';
import { saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('UpdateDocument with values', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let manager: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
    manager = await tenant.as('records_manager');
  });

  const note = buildField('note');
  const state = buildField('state', { options: ['open', 'paid'] });
  const count = buildField('count', { type: 'Number' });
  const money = buildField('money', { type: 'Money' });

  const put = (id: string, body: object, actor = editor) =>
    actor.put(`/documents/${id}`, { title: 'Dokument', ...body });

  const putType = async (type: { id: string; nameDe: string; nameEn: string }, fields: FieldBody[]) => {
    const { nameDe, nameEn } = type;
    const response = await manager.put(`/document-types/${type.id}`, { nameDe, nameEn, fields });
    expect(response.status).toBe(200);
  };

  /** The values that searches can find: field keys with the value as text. */
  async function searchableValues(id: string): Promise<Record<string, string>> {
    const rows = await service.query<{ key: string; value: string }>(
      `SELECT f.key, coalesce(v.text_key, v.number_value::text, v.date_value::text, v.option_key, v.reference_id::text) AS value
         FROM document_values v JOIN document_type_fields f ON f.tenant_id = v.tenant_id AND f.id = v.field_id
         JOIN documents d ON d.tenant_id = v.tenant_id AND d.id = v.document_id AND d.created_at = v.created_at
        WHERE v.document_id = $1 AND f.document_type_id = d.document_type_id`,
      [id],
    );
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  }

  async function update(id: string, body: object): Promise<Record<string, unknown>> {
    const response = await put(id, body);
    expect(response.status).toBe(200);
    const read = await editor.get(`/documents/${id}`);
    expect([read.body, read.headers.etag]).toEqual([response.body, response.headers.etag]);
    return (response.body as { fields: Record<string, unknown> }).fields;
  }

  const expectInvalid = (test: ReturnType<typeof put>, ...paths: string[]) =>
    expectRefused(tenant, test, 'request.invalid', paths);

  describe('200', () => {
    it('returns 200 and replaces all values, removing omitted ones from the search too', async () => {
      const type = await saveDocumentType(tenant, { fields: [note, state, count] });
      const { id } = await createDocument(editor, type.id, { note: 'Alt', state: 'open' });
      const fields = await update(id, { documentTypeId: type.id, fields: { note: 'Neu', count: '1.50' } });
      expect(fields).toEqual({ note: 'Neu', count: '1.5' });
      expect(await searchableValues(id)).toEqual({ note: 'neu', count: '1.5' });
      expect(await update(id, { fields: {} })).toEqual({});
      expect(await searchableValues(id)).toEqual({});
      expect((await tenant.audit()).map(({ action }) => action)).toEqual([
        'DocumentCreated',
        'DocumentUpdated',
        'DocumentUpdated',
      ]);
    });

    it('returns 200 with another document type or none, without the values of the former type', async () => {
      const [one, other] = [
        await saveDocumentType(tenant, { fields: [note, state] }),
        await saveDocumentType(tenant, { fields: [note, count] }),
      ];
      const { id } = await saveDocument(tenant, editor, { title: 'Dokument' });
      expect(await update(id, { documentTypeId: one.id, fields: { note: 'A', state: 'paid' } })).toEqual({
        note: 'A',
        state: 'paid',
      });
      expect(await update(id, { documentTypeId: other.id, fields: { note: 'A' } })).toEqual({ note: 'A' });
      expect(await searchableValues(id)).toEqual({ note: 'a' });
      expect(await update(id, { documentTypeId: null, fields: null })).toEqual({});
      expect(await service.query('SELECT FROM document_values WHERE document_id = $1', [id])).toEqual([]);
      expect(await update(id, { documentTypeId: one.id })).toEqual({});
    });

    it('returns 200 and keeps the document type and values that are absent from the body', async () => {
      const type = await saveDocumentType(tenant, { fields: [note, money, count] });
      const values = { note: 'A', money: { amount: '5.00', currency: 'EUR' }, count: '1.5' };
      const { id } = await createDocument(editor, type.id, values);
      const stored = await searchableValues(id);
      const before = await tenant.fingerprint();
      for (const body of [{}, { title: 'Dokument' }, { documentTypeId: type.id }, { fields: values }])
        expect((await editor.put(`/documents/${id}`, body)).body).toMatchObject({ fields: values });
      expect(await tenant.fingerprint()).toEqual(before);

      const renamed = await editor.put(`/documents/${id}`, { title: 'Neu' });

      expect(renamed.body).toMatchObject({ title: 'Neu', documentTypeId: type.id, fields: values });
      expect(await searchableValues(id)).toEqual(stored);
      const emptied = await editor.put(`/documents/${id}`, { fields: null });
      expect(emptied.body).toMatchObject({ title: 'Neu', documentTypeId: type.id, fields: {} });
      expect(await searchableValues(id)).toEqual({});
    });

    it('returns 200 and keeps the values that fit the new type', async () => {
      const [one, other] = [
        await saveDocumentType(tenant, { fields: [note, count, state] }),
        await saveDocumentType(tenant, {
          fields: [buildField('count'), note, money, buildField('state', { options: ['open'] })],
        }),
      ];
      const { id } = await createDocument(editor, one.id, { note: 'A', count: 1.5, state: 'open' });
      expect(await update(id, { documentTypeId: other.id })).toEqual({
        note: 'A',
        count: '1.5',
        state: 'open',
      });
      expect(await searchableValues(id)).toEqual({ note: 'a', count: '1.5', state: 'open' });
      expect((await tenant.audit()).map(({ action }) => action)).toEqual([
        'DocumentCreated',
        'DocumentUpdated',
      ]);
    });

    it('returns 200 and writes nothing for the same values in another notation', async () => {
      const type = await saveDocumentType(tenant, { fields: [note, count, money, state] });
      const sent = { note: 'A', count: '1.5', money: { amount: '5.00', currency: 'EUR' } };
      const { id, fields } = await createDocument(editor, type.id, sent);
      const before = await tenant.fingerprint();
      for (const same of [
        fields,
        { ...sent, note: ' A ', count: 1.5, money: { amount: '05', currency: 'EUR' }, state: null },
      ]) {
        const response = await put(id, { documentTypeId: type.id.toUpperCase(), fields: same });
        expect([response.status, (response.body as { fields: object }).fields]).toEqual([200, fields]);
      }
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it.each([
      ['text', note, 'A', 'a'],
      ['a number', count, '1', '2'],
      ['an amount', money, { amount: '1.00', currency: 'EUR' }, { amount: '1.01', currency: 'EUR' }],
      ['a currency', money, { amount: '1.00', currency: 'EUR' }, { amount: '1.00', currency: 'USD' }],
    ])('returns 200 and updates the document when only %s changes', async (_, field, one, other) => {
      const type = await saveDocumentType(tenant, { fields: [field] });
      const { id } = await createDocument(editor, type.id, { [field.key]: one });
      expect(await update(id, { documentTypeId: type.id, fields: { [field.key]: other } })).toEqual({
        [field.key]: other,
      });
      expect(await tenant.audit()).toHaveLength(2);
    });

    it('returns 200 for a document whose type is now inactive; 400 when the type is set again', async () => {
      const type = await saveDocumentType(tenant, { fields: [note] });
      const { id } = await createDocument(editor, type.id, { note: 'A' });
      await manager.post(`/document-types/${type.id}/deactivate`);
      expect(await update(id, { documentTypeId: type.id, fields: { note: 'B' } })).toEqual({ note: 'B' });
      expect(await update(id, { documentTypeId: null, fields: {} })).toEqual({});
      await expectInvalid(put(id, { documentTypeId: type.id, fields: { note: 'B' } }), 'documentTypeId');
    });

    it('returns 200 without a value that became required later; 400 once something else changes', async () => {
      const type = await saveDocumentType(tenant, { fields: [note, count] });
      const { id, fields } = await createDocument(editor, type.id, { note: 'A' });
      await putType(type, [note, { ...count, required: true }]);
      const before = await tenant.fingerprint();
      expect(await update(id, { documentTypeId: type.id, fields })).toEqual(fields);
      expect(await tenant.fingerprint()).toEqual(before);
      await expectInvalid(put(id, { title: 'Neu', documentTypeId: type.id, fields }), 'fields.count');
      await expectInvalid(put(id, { title: 'Neu' }), 'fields.count');
      await expectInvalid(put(id, { documentTypeId: type.id, fields: {} }), 'fields.count');
      expect(await update(id, { documentTypeId: type.id, fields: { count: 0 } })).toEqual({ count: '0' });
    });

    it('returns 200 for an unchanged Reference whose target was deleted or is hidden; 400 for a new one', async () => {
      const type = await saveDocumentType(tenant, {
        fields: [
          buildField('file', { referenceTarget: 'File' }),
          buildField('document', { referenceTarget: 'Document' }),
          buildField('user', { referenceTarget: 'User' }),
        ],
      });
      const [file, viewer] = [await saveFile(tenant, editor), await tenant.as('viewer')];
      const other = await saveDocument(tenant, editor);
      const sent = { file: file.id, document: other.id, user: viewer.userId };
      const { id, fields } = await createDocument(editor, type.id, sent);
      await service.query('DELETE FROM files WHERE id = $1', [file.id]);
      await service.query('UPDATE documents SET is_confidential = true WHERE id = $1', [other.id]);
      await service.query('DELETE FROM members WHERE tenant_id = $1 AND user_id = $2', [
        tenant.id,
        viewer.userId,
      ]);
      for (const rest of [{ documentTypeId: type.id, fields }, {}]) {
        const response = await put(id, { title: `Neu ${Object.keys(rest).length}`, ...rest });
        expect([response.status, (response.body as { fields: object }).fields]).toEqual([200, sent]);
      }
      const newDocument = await createDocument(editor, type.id);
      await expectInvalid(
        put(newDocument.id, { documentTypeId: type.id, fields }),
        'fields.file',
        'fields.document',
        'fields.user',
      );
    });

    it('returns 200 for an unchanged currency that is no longer valid; 400 when the amount changes', async () => {
      const type = await saveDocumentType(tenant, { fields: [money, note] });
      const { id } = await createDocument(editor, type.id, { money: { amount: '1', currency: 'EUR' } });
      const former = { amount: '1.00', currency: 'BGN' };
      await service.query(
        `UPDATE documents SET fields = jsonb_build_object('money', $2::jsonb) WHERE id = $1`,
        [id, JSON.stringify(former)],
      );
      expect(await update(id, { documentTypeId: type.id, fields: { money: former, note: 'A' } })).toEqual({
        money: former,
        note: 'A',
      });
      await expectInvalid(
        put(id, { documentTypeId: type.id, fields: { money: { ...former, amount: '2.00' } } }),
        'fields.money.currency',
      );
    });

    it('returns 200 and keeps the values of removed fields until an update after the field is restored', async () => {
      const type = await saveDocumentType(tenant, { fields: [note, state, count] });
      const { id } = await createDocument(editor, type.id, { note: 'A', state: 'paid', count: 1 });
      await putType(type, [note]);
      expect(await update(id, { documentTypeId: type.id, fields: { note: 'B' } })).toEqual({ note: 'B' });
      expect(await searchableValues(id)).toEqual({ note: 'b', state: 'paid', count: '1' });
      await expectInvalid(put(id, { documentTypeId: type.id, fields: { state: 'paid' } }), 'fields.state');
      await putType(type, [note, state]);
      const read = (await editor.get(`/documents/${id}`)).body as { fields: object };
      expect(read.fields).toEqual({ note: 'B', state: 'paid' });
      expect(await update(id, { documentTypeId: type.id, fields: { note: 'B' } })).toEqual({ note: 'B' });
      expect(await searchableValues(id)).toEqual({ note: 'b', count: '1' });
    });

    it('returns 200 after RestoreDocument with the values as before', async () => {
      const type = await saveDocumentType(tenant, { fields: [note] });
      const { id, fields } = await createDocument(editor, type.id, { note: 'A' });
      await editor.delete(`/documents/${id}`);
      expect(await searchableValues(id)).toEqual({ note: 'a' });
      const restored = await manager.post(`/documents/${id}/restore`);
      expect([restored.status, (restored.body as { fields: object }).fields]).toEqual([200, fields]);
    });
  });

  describe('400', () => {
    it('returns 400 for the same errors in values as in CreateDocument, rather than 412 or 409', async () => {
      const type = await saveDocumentType(tenant, { fields: [note, { ...count, required: true }] });
      const { id } = await saveDocument(tenant, editor, { title: 'Dokument', status: 'Archived' });
      const body = { documentTypeId: type.id, fields: { note: 5, other: 'x' } };
      await expectInvalid(
        put(id, body).set('If-Match', '"other"'),
        'fields.note',
        'fields.other',
        'fields.count',
      );
    });

    it('returns 400 for a type that stored values do not fit, except values of removed fields', async () => {
      const [type, other] = [
        await saveDocumentType(tenant, { fields: [note, state, count] }),
        await saveDocumentType(tenant, {
          fields: [buildField('note', { type: 'Date' }), buildField('state', { options: ['open'] })],
        }),
      ];
      const { id } = await createDocument(editor, type.id, { note: 'A', state: 'paid', count: 1 });
      const paths = ['fields.note', 'fields.state', 'fields.count'];
      await expectInvalid(put(id, { documentTypeId: other.id }), ...paths);
      await expectInvalid(put(id, { documentTypeId: null }), ...paths);
      // Values of removed fields are not checked.
      await putType(type, []);
      expect(await update(id, { documentTypeId: other.id })).toEqual({});
      expect(await service.query('SELECT FROM document_values WHERE document_id = $1', [id])).toEqual([]);
    });

    it('returns 400 for a type that the values in the body do not fit, whatever is stored', async () => {
      const [type, other] = [
        await saveDocumentType(tenant, { fields: [note, count] }),
        await saveDocumentType(tenant, { fields: [buildField('note', { type: 'Date' })] }),
      ];
      const { id } = await createDocument(editor, type.id, { note: 'A', count: 1 });
      await expectInvalid(put(id, { documentTypeId: other.id, fields: { note: 'A' } }), 'fields.note');
      const fields = { note: '2026-11-20' };
      expect(await update(id, { documentTypeId: other.id, fields })).toEqual(fields);
      expect(await update(id, { documentTypeId: null, fields: null })).toEqual({});
    });

    it('returns 400 for a type that requires a value which the document does not have', async () => {
      const [type, other] = [
        await saveDocumentType(tenant, { fields: [note] }),
        await saveDocumentType(tenant, { fields: [note, { ...count, required: true }] }),
      ];
      const { id } = await createDocument(editor, type.id, { note: 'A' });
      await expectInvalid(put(id, { documentTypeId: other.id }), 'fields.count');
    });

    it('returns 400 for an inactive type that the document does not have', async () => {
      const type = await saveDocumentType(tenant, { isActive: false });
      const { id } = await saveDocument(tenant, editor, { title: 'Dokument' });
      await expectInvalid(put(id, { documentTypeId: type.id }), 'documentTypeId');
      const other = await createDocument(editor, (await saveDocumentType(tenant)).id);
      await expectInvalid(put(other.id, { documentTypeId: type.id }), 'documentTypeId');
    });
  });

  it('returns 412 when a field of the type was removed since the document was read', async () => {
    const type = await saveDocumentType(tenant, { fields: [note, count] });
    const { id } = await createDocument(editor, type.id, { note: 'A', count: 1 });
    const { etag = '' } = (await editor.get(`/documents/${id}`)).headers;
    await putType(type, [note]);
    const stale = put(id, { documentTypeId: type.id, fields: { note: 'B' } }).set('If-Match', etag);
    await expectRefused(tenant, stale, 'request.precondition-failed');
  });

  it('returns 409 for valid values of an Archived document', async () => {
    const type = await saveDocumentType(tenant, { fields: [note] });
    const { id } = await saveDocument(tenant, editor, { title: 'Dokument', status: 'Archived' });
    expectProblem(await put(id, { documentTypeId: type.id, fields: { note: 'A' } }), 'document.archived');
  });

  it('returns 200 to two concurrent requests and keeps the values of one of them', async () => {
    const type = await saveDocumentType(tenant, { fields: [note, count] });
    const { id } = await createDocument(editor, type.id);
    for (let round = 0; round < 5; round += 1) {
      const both = [{ note: `a${round}` }, { count: round }];
      const responses = await Promise.all(both.map((fields) => put(id, { documentTypeId: type.id, fields })));
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      const { fields } = (await editor.get(`/documents/${id}`)).body as { fields: Record<string, string> };
      expect(await searchableValues(id)).toEqual(fields);
      expect(Object.keys(fields)).toHaveLength(1);
    }
  });
});
