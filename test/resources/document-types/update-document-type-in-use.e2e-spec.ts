import { beforeEach, describe, expect, it } from '@jest/globals';
import { buildField, buildOption, saveDocumentType } from '../../factories/document-types.js';
import { createDocument } from '../../factories/document-values.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { duringTransaction } from '../../support/locks.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { DocumentTypeUnderTest, type DocumentType, amount, note, state } from './document-type-under-test.js';

describe('UpdateDocumentType of a type in use', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let type: DocumentTypeUnderTest;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Rita');
  });

  describe('keeps what documents use', () => {
    const editor = () => tenant.as('editor');
    const withoutPaid = { ...state, options: [buildOption('open')] };

    it('returns 400 when an option in use is removed, whatever the status of the document', async () => {
      type = await DocumentTypeUnderTest.create(manager, [state]);
      const actor = await editor();
      const { id } = await createDocument(actor, type.id, { state: 'paid' });
      await type.expectRefused([withoutPaid], 'fields[0].options');
      await tenant.service.query(`UPDATE documents SET status = 'Archived' WHERE id = $1`, [id]);
      await type.expectRefused([note, withoutPaid], 'fields[1].options');
      await tenant.service.query(
        `UPDATE documents SET status = 'Deleted', status_before_deletion = 'Active', deleted_at = now() WHERE id = $1`,
        [id],
      );
      await type.expectRefused([withoutPaid], 'fields[0].options');
      await type.expectRefused([{ ...withoutPaid, isRemoved: true }], 'fields[0].options');
    });

    it('returns 400 when a removed field is restored without an option in use', async () => {
      type = await DocumentTypeUnderTest.create(manager, [state]);
      await createDocument(await editor(), type.id, { state: 'paid' });
      await type.updateFields([]);
      await type.expectRefused([withoutPaid], 'fields[0].options');
      expect(await type.updateFields([state])).toEqual([state]);
    });

    it('returns 400 and lists all removed options in use, each at its field', async () => {
      const kind = buildField('kind', { options: ['a', 'b', 'c'] });
      type = await DocumentTypeUnderTest.create(manager, [state, kind]);
      await createDocument(await editor(), type.id, { state: 'open', kind: 'a' });
      await createDocument(await editor(), type.id, { kind: 'b' });
      const other = { ...kind, options: [buildOption('d')] };
      const response = await type.putFields([note, { ...state, options: [buildOption('late')] }, other]);
      expectProblem(response, 'request.invalid', ['fields[1].options', 'fields[2].options']);
      expect(
        (response.body as { errors: Record<string, string[]> }).errors['fields[2].options'],
      ).toHaveLength(2);
    });

    it('returns 200 when an option is removed that no document uses any more, and restored', async () => {
      type = await DocumentTypeUnderTest.create(manager, [state]);
      const actor = await editor();
      const { id } = await createDocument(actor, type.id, { state: 'paid' });
      expect(
        (
          await actor.put(`/documents/${id}`, {
            title: 'D',
            documentTypeId: type.id,
            fields: { state: 'open' },
          })
        ).status,
      ).toBe(200);
      expect(await type.updateFields([withoutPaid])).toEqual([withoutPaid]);
      expect(await type.updateFields([state])).toEqual([state]);
    });

    it('returns 200 when only documents of another type use an option with the same key', async () => {
      type = await DocumentTypeUnderTest.create(manager, [state]);
      const other = await saveDocumentType(tenant, { fields: [state] });
      await createDocument(await editor(), other.id, { state: 'paid' });
      expect(await type.updateFields([withoutPaid])).toEqual([withoutPaid]);
    });

    it('returns 400 for another referenceTarget once a document has a value, 200 before', async () => {
      const reference = buildField('ref', { referenceTarget: 'Document' });
      type = await DocumentTypeUnderTest.create(manager, [reference]);
      expect(await type.updateFields([{ ...reference, referenceTarget: 'File' }])).toMatchObject([
        { referenceTarget: 'File' },
      ]);
      const actor = await editor();
      await createDocument(actor, type.id, { ref: (await saveFile(tenant, actor)).id });
      await type.expectRefused([note, reference], 'fields[1].referenceTarget');
    });

    it('returns 200 and keeps the values of removed fields, which are shown again once restored', async () => {
      type = await DocumentTypeUnderTest.create(manager, [state, amount]);
      const actor = await editor();
      const fields = { state: 'paid', amount: { amount: '5.00', currency: 'EUR' } };
      const { id } = await createDocument(actor, type.id, fields);
      const shownFields = async () =>
        ((await actor.get(`/documents/${id}`)).body as { fields: object }).fields;
      await type.updateFields([amount]);
      expect(await shownFields()).toEqual({ amount: fields.amount });
      await type.updateFields([state]);
      expect(await shownFields()).toEqual({ state: 'paid' });
      await type.updateFields([amount, state]);
      expect(await shownFields()).toEqual(fields);
    });
  });

  describe('concurrently with a document that uses what it removes', () => {
    const late = { ...state, options: [buildOption('open')] };

    it.each([
      ['an option', [late], { state: 'paid' }],
      ['a field', [], { state: 'open' }],
    ])('removes %s and never leaves a value without it', async (_, fields, values) => {
      type = await DocumentTypeUnderTest.create(manager, [state]);
      const actor = await tenant.as('editor');
      const outcomes = new Set<string>();
      for (let round = 0; round < 12; round += 1) {
        await type.updateFields([state]);
        await tenant.service.query('DELETE FROM document_values WHERE tenant_id = $1', [tenant.id]);
        const [changed, created] = await Promise.all([
          type.putFields(fields),
          actor.post('/documents', { title: 'D', documentTypeId: type.id, fields: values }),
        ]);
        outcomes.add(`${changed.status} ${created.status}`);
        if (created.status === 400) expectProblem(created, 'request.invalid', ['fields.state']);
        const [broken] = await tenant.service.query<{ count: number }>(
          `SELECT count(*)::int AS count FROM document_values v JOIN document_type_fields f ON f.tenant_id = v.tenant_id AND f.id = v.field_id
            WHERE v.tenant_id = $1 AND NOT f.options @> jsonb_build_array(jsonb_build_object('key', v.option_key))`,
          [tenant.id],
        );
        expect(broken).toEqual({ count: 0 });
      }
      // Removing a field is always allowed, so both requests can succeed, one after the other.
      const possible = fields.length > 0 ? ['200 400', '400 201'] : ['200 201', '200 400'];
      expect([...outcomes].filter((outcome) => !possible.includes(outcome))).toEqual([]);
    });

    it('returns 400 after waiting for a document that is created with the removed option', async () => {
      type = await DocumentTypeUnderTest.create(manager, [state]);
      const actor = await tenant.as('editor');
      const { id } = await createDocument(actor, type.id);
      const [field] = await tenant.service.query<{ id: string }>(
        'SELECT id FROM document_type_fields WHERE tenant_id = $1',
        [tenant.id],
      );
      // The statements of the service for a document, without the commit.
      const response = await duringTransaction(
        service,
        `WITH held AS (SELECT id FROM document_types WHERE tenant_id = $1 AND id = $2 FOR SHARE)
         INSERT INTO document_values (tenant_id, document_id, field_id, created_at, option_key)
         SELECT $1, d.id, $4, d.created_at, 'paid' FROM held, documents d WHERE d.tenant_id = $1 AND d.id = $3`,
        [tenant.id, type.id, id, field?.id],
        () => type.putFields([late]),
      );
      expectProblem(response, 'request.invalid', ['fields[0].options']);
    });

    it('makes a concurrent CreateDocument wait and check the changed type', async () => {
      type = await DocumentTypeUnderTest.create(manager, [state]);
      const actor = await tenant.as('editor');
      const response = await duringTransaction(
        service,
        `WITH changed AS (
           UPDATE document_types SET updated_at = now() WHERE tenant_id = $1 AND id = $2 RETURNING id
         )
         UPDATE document_type_fields f SET is_removed = true FROM changed WHERE f.document_type_id = changed.id`,
        [tenant.id, type.id],
        () => actor.post('/documents', { title: 'D', documentTypeId: type.id, fields: { state: 'open' } }),
      );
      expectProblem(response, 'request.invalid', ['fields.state']);
    });

    it('returns 200 to two concurrent changes and keeps the new field of each', async () => {
      type = await DocumentTypeUnderTest.create(manager, [amount]);
      const responses = await Promise.all([type.putFields([amount, note]), type.putFields([amount, state])]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      const { fields } = (await manager.get(type.path)).body as DocumentType;
      expect(fields.map(({ key }) => key).sort()).toEqual(['amount', 'note', 'state']);
    });
  });
});
