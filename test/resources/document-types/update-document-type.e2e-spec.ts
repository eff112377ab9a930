import { beforeEach, describe, expect, it } from '@jest/globals';
import { buildField, buildOption, saveDocumentType } from '../../factories/document-types.js';
import { type Actor } from '../../support/actor.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { expectProblem } from '../../support/expect-problem.js';
import { fieldRuleCases } from './field-rule-cases.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { textRules } from '../../support/operations/text-rules.js';
import {
  DocumentTypeUnderTest,
  type DocumentType,
  amount,
  typeNames,
  note,
  asRemoved,
  state,
} from './document-type-under-test.js';

describe('UpdateDocumentType', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let type: DocumentTypeUnderTest;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Rita');
  });

  const actions = async () => (await tenant.audit()).map(({ action, summary }) => [action, summary]);

  describe('like every operation', () => {
    beforeEach(async () => {
      type = await DocumentTypeUnderTest.create(manager, [note]);
    });

    for (const member of ['nameDe', 'nameEn']) {
      textRules({
        tenant: () => tenant,
        member,
        max: 200,
        body: () => typeNames,
        send: (body) => type.put(body),
        success: 200,
      });
    }
    conditionalWrites({
      actor: () => manager,
      path: () => type.path,
      send: (actor, path) => actor.put(path, { ...typeNames, fields: [] }),
      success: 200,
    });
  });

  describe('rules for fields', () => {
    beforeEach(async () => {
      type = await DocumentTypeUnderTest.create(manager);
    });
    fieldRuleCases({ tenant: () => tenant, send: (fields) => type.putFields(fields), success: 200 });
  });

  describe('200', () => {
    beforeEach(async () => {
      type = await DocumentTypeUnderTest.create(manager, [note]);
    });

    it('returns 200 with new names and an audit entry; key, fields and isActive stay the same', async () => {
      const response = await type.put({ nameDe: 'Beleg', nameEn: 'Voucher', key: 'other', isActive: false });
      const { updatedAt } = response.body as DocumentType;
      expect([response.status, response.body]).toEqual([
        200,
        { ...type.created, nameDe: 'Beleg', nameEn: 'Voucher', updatedAt },
      ]);
      expect(updatedAt > type.created.updatedAt).toBe(true);
      expect((await tenant.audit())[1]).toEqual(
        manager.entry(
          'DocumentTypeUpdated',
          'DocumentType',
          type.id,
          'invoice: Rechnung / Invoice → Beleg / Voucher',
        ),
      );
      expect(await tenant.notifications()).toEqual([]);
    });

    it('returns 200 for the names of another type', async () => {
      const { nameDe, nameEn } = await saveDocumentType(tenant);
      expect((await type.put({ nameDe, nameEn })).status).toBe(200);
    });

    it('returns 200 and sorts the type by its new name', async () => {
      const other = await saveDocumentType(tenant, { nameDe: 'Vertrag' });
      const order = async () =>
        ((await manager.get('/document-types')).body as { items: DocumentType[] }).items.map(({ id }) => id);
      expect(await order()).toEqual([type.id, other.id]);
      await type.put({ nameDe: 'Zahlung', nameEn: 'Payment' });
      expect(await order()).toEqual([other.id, type.id]);
    });
  });

  describe('200', () => {
    it.each([undefined, null])('returns 200 and keeps the fields when fields is %j', async (fields) => {
      type = await DocumentTypeUnderTest.create(manager, [amount, state]);
      const before = await tenant.fingerprint();
      const response = await type.putFields(fields);
      expect([response.status, response.body]).toEqual([200, type.created]);
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it('returns 200 and replaces fields, labels, options, order and required', async () => {
      type = await DocumentTypeUnderTest.create(manager, [amount, state]);
      const fields = [
        {
          ...state,
          labelDe: 'Status',
          options: [buildOption('late'), buildOption('paid'), buildOption('open')],
        },
        note,
        { ...amount, required: true },
      ];
      expect(await type.updateFields(fields)).toEqual(fields);
      expect((await actions()).at(-1)).toEqual([
        'DocumentTypeUpdated',
        'invoice: Rechnung / Invoice; fields ~ state, + note, ~ amount',
      ]);
    });

    it('returns 200 and marks omitted fields as removed, after the other fields', async () => {
      type = await DocumentTypeUnderTest.create(manager, [amount, state, note]);
      expect(await type.updateFields([state])).toEqual([state, asRemoved(amount), asRemoved(note)]);
      expect(await type.updateFields([note, state])).toEqual([note, state, asRemoved(amount)]);
      expect(await type.updateFields([])).toEqual([asRemoved(note), asRemoved(state), asRemoved(amount)]);
      expect((await actions()).slice(1)).toEqual([
        ['DocumentTypeUpdated', 'invoice: Rechnung / Invoice; fields − amount, − note'],
        ['DocumentTypeUpdated', 'invoice: Rechnung / Invoice; fields ↺ note'],
        ['DocumentTypeUpdated', 'invoice: Rechnung / Invoice; fields − note, − state'],
      ]);
    });

    it.each([{}, { isRemoved: false }])(
      'returns 200 and restores a removed field that is sent with %j',
      async (flag) => {
        type = await DocumentTypeUnderTest.create(manager, [amount, state]);
        await type.updateFields([]);
        const revived = { ...state, labelEn: 'Status', required: true };
        expect(await type.updateFields([{ ...revived, ...flag }])).toEqual([revived, asRemoved(amount)]);
      },
    );

    it('returns 200 and removes fields that are sent with isRemoved, at any position', async () => {
      type = await DocumentTypeUnderTest.create(manager, [amount, state, note]);
      expect(await type.updateFields([asRemoved(note), amount, asRemoved(state)])).toEqual([
        amount,
        asRemoved(state),
        asRemoved(note),
      ]);
      expect(await type.updateFields([asRemoved(note), asRemoved(state), amount])).toEqual([
        amount,
        asRemoved(state),
        asRemoved(note),
      ]);
      expect(await actions()).toHaveLength(2);
    });

    it('returns 200 and changes the labels of a removed field', async () => {
      type = await DocumentTypeUnderTest.create(manager, [amount, note]);
      await type.updateFields([amount]);
      const relabelled = { ...asRemoved(note), labelDe: 'Vermerk' };
      expect(await type.updateFields([amount, relabelled])).toEqual([amount, relabelled]);
    });

    it('returns 200 and changes nothing when the fields are sent as they were read', async () => {
      type = await DocumentTypeUnderTest.create(manager, [amount, state, note]);
      await type.updateFields([note]);
      const read = (await manager.get(type.path)).body as DocumentType;
      const before = await tenant.fingerprint();
      const response = await type.put(read);
      expect([response.status, response.body]).toEqual([200, read]);
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it('returns 200 for 100 fields next to removed ones, 500 in all; 400 for one more', async () => {
      const fields = (round: number) => Array.from({ length: 100 }, (_, n) => buildField(`f${round}_${n}`));
      type = await DocumentTypeUnderTest.create(manager, fields(0));
      for (const round of [1, 2, 3]) await type.updateFields(fields(round));
      const all = await type.updateFields(fields(4));
      expect(all).toHaveLength(500);
      expect(all.slice(0, 100)).toEqual(fields(4));
      const before = await tenant.fingerprint();
      expect((await type.putFields(all)).status).toBe(200);
      expect(await tenant.fingerprint()).toEqual(before);
      await type.expectRefused([buildField('another')], 'fields');
      expect(await type.updateFields(fields(2))).toHaveLength(500);
    });
  });

  describe('400', () => {
    it.each([false, true])('returns 400 for another type of a field (removed: %j)', async (isRemoved) => {
      type = await DocumentTypeUnderTest.create(manager, [amount, state]);
      if (isRemoved) await type.updateFields([]);
      await type.expectRefused(
        [{ ...amount, type: 'Number' }, note, { ...note, key: 'state' }],
        'fields[0].type',
        'fields[2].type',
      );
      await type.expectRefused([note, { ...asRemoved(amount), type: 'Text' }], 'fields[1].type');
    });

    it('returns 400 for a new field with isRemoved', async () => {
      type = await DocumentTypeUnderTest.create(manager, [amount]);
      await type.expectRefused([amount, asRemoved(note)], 'fields[1].isRemoved');
    });

    it('returns 400 for errors in the request itself before 404, and 404 before other errors', async () => {
      type = await DocumentTypeUnderTest.create(manager, [amount]);
      const response = await manager.put('/document-types/x', { ...typeNames, fields: [amount, amount] });
      expectProblem(response, 'request.invalid', ['fields[1].key']);
      await type.expectRefused(
        [
          { ...amount, type: 'Text' },
          { ...note, key: 'A' },
        ],
        'fields[1].key',
      );
      const foreign = await saveDocumentType(await service.tenant(), { fields: [amount] });
      expectProblem(
        await manager.put(`/document-types/${foreign.id}`, {
          ...typeNames,
          fields: [{ ...amount, type: 'Text' }],
        }),
        'resource.not-found',
      );
    });

    it('checks the fields (400) before If-Match (412)', async () => {
      type = await DocumentTypeUnderTest.create(manager, [amount]);
      const response = await type.putFields([{ ...amount, type: 'Text' }]).set('If-Match', '"other"');
      expectProblem(response, 'request.invalid', ['fields[0].type']);
    });
  });
});
