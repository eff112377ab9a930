import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type FieldBody, buildField, buildOption, saveDocumentType } from '../../factories/document-types.js';
import { createDocument } from '../../factories/document-values.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { conditionalWrites } from '../../support/conditional-writes.js';
import { everyOperation } from '../../support/every-operation.js';
import { expectProblem } from '../../support/expect-problem.js';
import { fieldRules } from '../../support/field-rules.js';
import { duringTransaction } from '../../support/locks.js';
import { TestService } from '../../support/service.js';
import { type TestTenant } from '../../support/tenant.js';
import { textRules } from '../../support/text-rules.js';
import { unknownIds } from '../../support/unknown-ids.js';

interface DocumentType {
  id: string;
  key: string;
  nameDe: string;
  nameEn: string;
  fields: FieldBody[];
  isActive: boolean;
  createdAt: string;
  updatedAt: string;
}

describe('UpdateDocumentType', () => {
  let service: TestService;
  let tenant: TestTenant;
  let manager: Actor;
  let type: DocumentType;
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Rita');
  });

  const names = { nameDe: 'Rechnung', nameEn: 'Invoice' };
  const amount = buildField('amount', { type: 'Money' });
  const state = buildField('state', { options: ['open', 'paid'] });
  const note = buildField('note');
  const removed = (field: FieldBody): FieldBody => ({ ...field, isRemoved: true });

  async function make(fields: readonly FieldBody[] = []): Promise<DocumentType> {
    const response = await manager.post('/document-types', { key: 'invoice', ...names, fields });
    expect(response.status).toBe(201);
    return (type = response.body as DocumentType);
  }

  const put = (body: object, id = type.id, actor = manager) => actor.put(`/document-types/${id}`, body);
  const putFields = (fields: unknown) => put({ ...names, fields });

  async function putFine(fields: unknown): Promise<FieldBody[]> {
    const response = await putFields(fields);
    expect(response.status).toBe(200);
    const read = await manager.get(`/document-types/${type.id}`);
    expect([read.body, read.headers.etag]).toEqual([response.body, response.headers.etag]);
    return (response.body as DocumentType).fields;
  }

  /** Refused with faults at these paths, and nothing was written. */
  async function refused(fields: unknown, ...paths: string[]) {
    const before = await tenant.fingerprint();
    expectProblem(await putFields(fields), 'request.invalid', paths);
    expect(await tenant.fingerprint()).toEqual(before);
  }

  const actions = async () => (await tenant.audit()).map(({ action, summary }) => [action, summary]);

  describe('as every operation', () => {
    beforeEach(() => make([note]));

    everyOperation({
      service: () => service,
      tenant: () => tenant,
      permitted: () => manager,
      permission: 'documentTypes.manage',
      body: true,
      send: (actor) => put({ ...names, nameDe: 'Beleg' }, type.id, actor),
    });
    for (const member of ['nameDe', 'nameEn']) {
      textRules({
        tenant: () => tenant,
        member,
        max: 200,
        body: () => names,
        send: (body) => put(body),
        success: 200,
      });
    }
    unknownIds({
      tenant: () => tenant,
      send: (id) => put({ ...names, fields: [note] }, id),
      foreign: async () => (await saveDocumentType(await service.tenant())).id,
    });
    conditionalWrites({
      tenant: () => tenant,
      actor: () => manager,
      make: async () => {
        const path = `/document-types/${type.id}`;
        return { path, tag: (await manager.get(path)).headers.etag ?? '' };
      },
      send: (actor, path) => actor.put(path, { ...names, fields: [] }),
      success: 200,
    });
  });

  describe('the fields by themselves', () => {
    beforeEach(() => make());
    fieldRules({ tenant: () => tenant, send: putFields, success: 200 });
  });

  describe('200: names', () => {
    beforeEach(() => make([note]));

    it('change, recorded; key, fields and activity stay', async () => {
      const response = await put({ nameDe: 'Beleg', nameEn: 'Voucher', key: 'other', isActive: false });
      const { updatedAt } = response.body as DocumentType;
      expect([response.status, response.body]).toEqual([
        200,
        { ...type, nameDe: 'Beleg', nameEn: 'Voucher', updatedAt },
      ]);
      expect(updatedAt > type.updatedAt).toBe(true);
      expect((await tenant.audit())[1]).toEqual({
        actor_id: manager.userId,
        actor_name: 'Rita',
        action: 'DocumentTypeUpdated',
        subject_type: 'DocumentType',
        subject_id: type.id,
        summary: 'invoice: Rechnung / Invoice → Beleg / Voucher',
      });
      expect(await tenant.notifications()).toEqual([]);
    });

    it('of another type, since they need not be unique', async () => {
      const { nameDe, nameEn } = await saveDocumentType(tenant);
      expect((await put({ nameDe, nameEn })).status).toBe(200);
    });

    it('put the type in its new place in the list', async () => {
      const other = await saveDocumentType(tenant, { nameDe: 'Vertrag' });
      const order = async () =>
        ((await manager.get('/document-types')).body as { items: DocumentType[] }).items.map(({ id }) => id);
      expect(await order()).toEqual([type.id, other.id]);
      await put({ nameDe: 'Zahlung', nameEn: 'Payment' });
      expect(await order()).toEqual([other.id, type.id]);
    });
  });

  describe('200: fields', () => {
    it.each([undefined, null])('stay as they are when they are %j', async (fields) => {
      await make([amount, state]);
      const before = await tenant.fingerprint();
      const response = await put({ ...names, fields });
      expect([response.status, response.body]).toEqual([200, type]);
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it('are replaced: new ones, other labels, another order, required or not', async () => {
      await make([amount, state]);
      const fields = [
        {
          ...state,
          labelDe: 'Status',
          options: [buildOption('late'), buildOption('paid'), buildOption('open')],
        },
        note,
        { ...amount, required: true },
      ];
      expect(await putFine(fields)).toEqual(fields);
      expect((await actions()).at(-1)).toEqual([
        'DocumentTypeUpdated',
        'invoice: Rechnung / Invoice; fields ~ state, + note, ~ amount',
      ]);
    });

    it('left out come back as removed, after the live ones', async () => {
      await make([amount, state, note]);
      expect(await putFine([state])).toEqual([state, removed(amount), removed(note)]);
      expect(await putFine([note, state])).toEqual([note, state, removed(amount)]);
      expect(await putFine([])).toEqual([removed(note), removed(state), removed(amount)]);
      expect((await actions()).slice(1)).toEqual([
        ['DocumentTypeUpdated', 'invoice: Rechnung / Invoice; fields − amount, − note'],
        ['DocumentTypeUpdated', 'invoice: Rechnung / Invoice; fields ↺ note'],
        ['DocumentTypeUpdated', 'invoice: Rechnung / Invoice; fields − note, − state'],
      ]);
    });

    it.each([{}, { isRemoved: false }])(
      'removed come back to life when they are sent with %j',
      async (flag) => {
        await make([amount, state]);
        await putFine([]);
        const revived = { ...state, labelEn: 'Status', required: true };
        expect(await putFine([{ ...revived, ...flag }])).toEqual([revived, removed(amount)]);
      },
    );

    it('sent with isRemoved are removed, or stay so, wherever they stand in the list', async () => {
      await make([amount, state, note]);
      expect(await putFine([removed(note), amount, removed(state)])).toEqual([
        amount,
        removed(state),
        removed(note),
      ]);
      expect(await putFine([removed(note), removed(state), amount])).toEqual([
        amount,
        removed(state),
        removed(note),
      ]);
      expect(await actions()).toHaveLength(2);
    });

    it('that are removed take other labels, too', async () => {
      await make([amount, note]);
      await putFine([amount]);
      const relabelled = { ...removed(note), labelDe: 'Vermerk' };
      expect(await putFine([amount, relabelled])).toEqual([amount, relabelled]);
    });

    it('put back as they were read change nothing, whatever became of them before', async () => {
      await make([amount, state, note]);
      await putFine([note]);
      const read = (await manager.get(`/document-types/${type.id}`)).body as DocumentType;
      const before = await tenant.fingerprint();
      const response = await put(read);
      expect([response.status, response.body]).toEqual([200, read]);
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it('can be 100, however many have been removed, up to 500', async () => {
      const fields = (round: number) => Array.from({ length: 100 }, (_, n) => buildField(`f${round}_${n}`));
      await make(fields(0));
      for (const round of [1, 2, 3]) await putFine(fields(round));
      const all = await putFine(fields(4));
      expect(all).toHaveLength(500);
      expect(all.slice(0, 100)).toEqual(fields(4));
      const before = await tenant.fingerprint();
      expect((await put({ ...names, fields: all })).status).toBe(200);
      expect(await tenant.fingerprint()).toEqual(before);
      await refused([buildField('another')], 'fields');
      expect(await putFine(fields(2))).toHaveLength(500);
    });
  });

  describe('400', () => {
    it.each([false, true])('a field never changes its type, removed or not (%j)', async (isRemoved) => {
      await make([amount, state]);
      if (isRemoved) await putFine([]);
      await refused(
        [{ ...amount, type: 'Number' }, note, { ...note, key: 'state' }],
        'fields[0].type',
        'fields[2].type',
      );
      await refused([note, { ...removed(amount), type: 'Text' }], 'fields[1].type');
    });

    it('a field that was never there cannot be removed', async () => {
      await make([amount]);
      await refused([amount, removed(note)], 'fields[1].isRemoved');
    });

    it('what the request alone decides comes before 404, and that before what the stored type decides', async () => {
      await make([amount]);
      const response = await put({ ...names, fields: [amount, amount] }, 'x');
      expectProblem(response, 'request.invalid', ['fields[1].key']);
      await refused(
        [
          { ...amount, type: 'Text' },
          { ...note, key: 'A' },
        ],
        'fields[1].key',
      );
      const foreign = await saveDocumentType(await service.tenant(), { fields: [amount] });
      expectProblem(
        await put({ ...names, fields: [{ ...amount, type: 'Text' }] }, foreign.id),
        'resource.not-found',
      );
    });

    it('goes before 412', async () => {
      await make([amount]);
      const response = await putFields([{ ...amount, type: 'Text' }]).set('If-Match', '"other"');
      expectProblem(response, 'request.invalid', ['fields[0].type']);
    });
  });

  describe('what documents have', () => {
    const editor = () => tenant.as('editor');
    const withoutPaid = { ...state, options: [buildOption('open')] };

    it('400: an option in use cannot be dropped, whatever state the document is in', async () => {
      await make([state]);
      const actor = await editor();
      const { id } = await createDocument(actor, type.id, { state: 'paid' });
      await refused([withoutPaid], 'fields[0].options');
      await tenant.service.query(`UPDATE documents SET status = 'Archived' WHERE id = $1`, [id]);
      await refused([note, withoutPaid], 'fields[1].options');
      await tenant.service.query(
        `UPDATE documents SET status = 'Deleted', status_before_deletion = 'Active', deleted_at = now() WHERE id = $1`,
        [id],
      );
      await refused([withoutPaid], 'fields[0].options');
      await refused([{ ...withoutPaid, isRemoved: true }], 'fields[0].options');
    });

    it('400: an option that only a removed field of documents has cannot be dropped with its revival', async () => {
      await make([state]);
      await createDocument(await editor(), type.id, { state: 'paid' });
      await putFine([]);
      await refused([withoutPaid], 'fields[0].options');
      expect(await putFine([state])).toEqual([state]);
    });

    it('400: all options that are in use are told, at their fields', async () => {
      const kind = buildField('kind', { options: ['a', 'b', 'c'] });
      await make([state, kind]);
      await createDocument(await editor(), type.id, { state: 'open', kind: 'a' });
      await createDocument(await editor(), type.id, { kind: 'b' });
      const other = { ...kind, options: [buildOption('d')] };
      const response = await putFields([note, { ...state, options: [buildOption('late')] }, other]);
      expectProblem(response, 'request.invalid', ['fields[1].options', 'fields[2].options']);
      expect(
        (response.body as { errors: Record<string, string[]> }).errors['fields[2].options'],
      ).toHaveLength(2);
    });

    it('200: an option that no document has any more can be dropped, and comes back', async () => {
      await make([state]);
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
      expect(await putFine([withoutPaid])).toEqual([withoutPaid]);
      expect(await putFine([state])).toEqual([state]);
    });

    it('200: an option of the same key that documents of another type or tenant have can be dropped', async () => {
      await make([state]);
      const other = await saveDocumentType(tenant, { fields: [state] });
      await createDocument(await editor(), other.id, { state: 'paid' });
      expect(await putFine([withoutPaid])).toEqual([withoutPaid]);
    });

    it('400: what a field refers to cannot change while a document has a value; 200 before', async () => {
      const reference = buildField('ref', { referenceTarget: 'Document' });
      await make([reference]);
      expect(await putFine([{ ...reference, referenceTarget: 'File' }])).toMatchObject([
        { referenceTarget: 'File' },
      ]);
      const actor = await editor();
      await createDocument(actor, type.id, { ref: (await saveFile(tenant, actor)).id });
      await refused([note, reference], 'fields[1].referenceTarget');
    });

    it('200: removed fields keep their values, which come back with them', async () => {
      await make([state, amount]);
      const actor = await editor();
      const fields = { state: 'paid', amount: { amount: '5.00', currency: 'EUR' } };
      const { id } = await createDocument(actor, type.id, fields);
      const shown = async () => ((await actor.get(`/documents/${id}`)).body as { fields: object }).fields;
      await putFine([amount]);
      expect(await shown()).toEqual({ amount: fields.amount });
      await putFine([state]);
      expect(await shown()).toEqual({ state: 'paid' });
      await putFine([amount, state]);
      expect(await shown()).toEqual(fields);
    });
  });

  describe('at the same time as a document that takes what it takes away', () => {
    const late = { ...state, options: [buildOption('open')] };

    it.each([
      ['an option', [late], { state: 'paid' }],
      ['a field', [], { state: 'open' }],
    ])('%s: one after the other, never a value without it', async (_, fields, values) => {
      await make([state]);
      const actor = await tenant.as('editor');
      const outcomes = new Set<string>();
      for (let round = 0; round < 12; round += 1) {
        await putFine([state]);
        await tenant.service.query('DELETE FROM document_values WHERE tenant_id = $1', [tenant.id]);
        const [changed, created] = await Promise.all([
          putFields(fields),
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
      // Removing a field is never refused, so both can succeed there, one after the other.
      const possible = fields.length > 0 ? ['200 400', '400 201'] : ['200 201', '200 400'];
      expect([...outcomes].filter((outcome) => !possible.includes(outcome))).toEqual([]);
    });

    it('400: it waits for a document that is being created, and then counts its value', async () => {
      await make([state]);
      const actor = await tenant.as('editor');
      const { id } = await createDocument(actor, type.id);
      const [field] = await tenant.service.query<{ id: string }>(
        'SELECT id FROM document_type_fields WHERE tenant_id = $1',
        [tenant.id],
      );
      // What the service does for a document, but for the commit.
      const response = await duringTransaction(
        service,
        `WITH held AS (SELECT id FROM document_types WHERE tenant_id = $1 AND id = $2 FOR SHARE)
         INSERT INTO document_values (tenant_id, document_id, field_id, created_at, option_key)
         SELECT $1, d.id, $4, d.created_at, 'paid' FROM held, documents d WHERE d.tenant_id = $1 AND d.id = $3`,
        [tenant.id, type.id, id, field?.id],
        () => putFields([late]),
      );
      expectProblem(response, 'request.invalid', ['fields[0].options']);
    });

    it('a document waits for a change of its type, and then is held to it', async () => {
      await make([state]);
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

    it('200: two changes, one after the other, and neither field is lost', async () => {
      await make([amount]);
      const responses = await Promise.all([putFields([amount, note]), putFields([amount, state])]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      const { fields } = (await manager.get(`/document-types/${type.id}`)).body as DocumentType;
      expect(fields.map(({ key }) => key).sort()).toEqual(['amount', 'note', 'state']);
    });
  });
});
