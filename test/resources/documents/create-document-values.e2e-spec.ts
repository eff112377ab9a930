import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { buildField, saveDocumentType } from '../../factories/document-types.js';
import { createDocument } from '../../factories/document-values.js';
import { saveDocument, upload } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { withRawBody } from '../../support/raw-body.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('CreateDocument with values', () => {
  let tenant: TestTenant;
  let editor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda Editor');
  });

  const FIELDS = [
    buildField('text'),
    buildField('number', { type: 'Number' }),
    buildField('date', { type: 'Date' }),
    buildField('money', { type: 'Money' }),
    buildField('state', { options: ['open', 'paid'] }),
    buildField('file', { referenceTarget: 'File' }),
    buildField('document', { referenceTarget: 'Document' }),
    buildField('user', { referenceTarget: 'User' }),
  ];

  const create = (documentTypeId: string | null, fields: unknown, actor = editor) =>
    actor.post('/documents', { title: 'Rechnung', documentTypeId, fields });

  const expectInvalid = (test: ReturnType<typeof create>, ...paths: string[]) =>
    expectRefused(tenant, test, 'request.invalid', paths);

  describe('201', () => {
    it('returns 201 with a normalized value of each type, stored for reading and for searching', async () => {
      const [type, file] = [
        await saveDocumentType(tenant, { fields: FIELDS }),
        await saveFile(tenant, editor),
      ];
      const other = await saveDocument(tenant, editor);
      const viewer = await tenant.as('viewer');

      const response = await create(type.id.toUpperCase(), {
        text: ' Stra\u00dfe\n\tA\u0308 ',
        number: '0012.50',
        date: '2026-11-20',
        money: { amount: '1234.5', currency: 'EUR' },
        state: 'paid',
        file: file.id.toUpperCase(),
        document: other.id,
        user: viewer.userId,
      });

      expect(response.status).toBe(201);
      const { id, documentTypeId, fields, createdAt } = response.body as Record<string, unknown>;
      expect(documentTypeId).toBe(type.id);
      expect(fields).toEqual({
        text: 'Straße\n\tÄ',
        number: '12.5',
        date: '2026-11-20',
        money: { amount: '1234.50', currency: 'EUR' },
        state: 'paid',
        file: file.id,
        document: other.id,
        user: viewer.userId,
      });
      const read = await editor.get(`/documents/${String(id)}`);
      expect([{ ...(read.body as object), duplicateIds: [] }, read.headers.etag]).toEqual([
        response.body,
        response.headers.etag,
      ]);
      const rows = await service.query(
        `SELECT f.key, to_char(v.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created,
                v.text_key, v.number_value, v.currency, v.date_value::text, v.option_key, v.reference_id
           FROM document_values v JOIN document_type_fields f ON f.tenant_id = v.tenant_id AND f.id = v.field_id
          WHERE v.document_id = $1 ORDER BY f.position`,
        [id],
      );
      const empty = {
        text_key: null,
        number_value: null,
        currency: null,
        date_value: null,
        option_key: null,
      };
      const row = (key: string, value: object) => ({
        key,
        created: createdAt,
        ...empty,
        reference_id: null,
        ...value,
      });
      expect(rows).toEqual([
        row('text', { text_key: 'strasse\n\tä' }),
        row('number', { number_value: '12.5' }),
        row('date', { date_value: '2026-11-20' }),
        row('money', { number_value: '1234.50', currency: 'EUR' }),
        row('state', { option_key: 'paid' }),
        row('file', { reference_id: file.id }),
        row('document', { reference_id: other.id }),
        row('user', { reference_id: viewer.userId }),
      ]);
      expect((await tenant.audit()).map(({ action }) => action)).toEqual(['DocumentCreated']);
      expect((await tenant.notifications()).length).toBe(0);
    });

    it('returns 201 for a multipart form with values', async () => {
      const type = await saveDocumentType(tenant, { fields: FIELDS });
      const sent = { title: 'Scan', documentTypeId: type.id, fields: { number: 1.5 } };
      const response = await upload(editor, sent, { bytes: 'bytes' });
      expect([response.status, response.body]).toMatchObject([201, { fields: { number: '1.5' } }]);
    });

    it.each([
      ['12.5', '"12.5"'],
      ['-0', '"0"'],
      ['-0.0', '"0"'],
      ['1e3', '"1000"'],
      ['1.5E-7', '"0.00000015"'],
      ['100000000000000000000000', '"100000000000000000000000"'],
      ['1.500000000000000000000000', '"1.5"'],
      ['999999999999999', '"999999999999999"'],
      ['0.123456789012345', '"0.123456789012345"'],
      ['"12345678901234567890.123456789012345678"', '"12345678901234567890.123456789012345678"'],
    ])('returns 201 for the JSON number %s, stored exactly as %s', async (sent, answered) => {
      const type = await saveDocumentType(tenant, { fields: FIELDS });
      const test = withRawBody(
        editor.post('/documents'),
        `{"title":"A","documentTypeId":"${type.id}","fields":{"number":${sent}}}`,
      );
      const response = await test;
      expect(response.status).toBe(201);
      expect(response.text).toContain(`"fields":{"number":${answered}}`);
    });

    it('returns 201 and treats null and blank text as no value', async () => {
      const type = await saveDocumentType(tenant, { fields: FIELDS });
      const nothing = Object.fromEntries(FIELDS.map(({ key }) => [key, null]));
      expect((await createDocument(editor, type.id, nothing)).fields).toEqual({});
      expect((await createDocument(editor, type.id, { text: ' \n' })).fields).toEqual({});
      expect(await service.query('SELECT FROM document_values WHERE tenant_id = $1', [tenant.id])).toEqual(
        [],
      );
    });

    it.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])(
      'returns 201 for a field with the key %s',
      async (key) => {
        const type = await saveDocumentType(tenant, { fields: [buildField(key, { required: true })] });
        expect((await createDocument(editor, type.id, { [key]: 'x' })).fields).toEqual({ [key]: 'x' });
        await expectInvalid(create(type.id, {}), `fields.${key}`);
      },
    );

    it('returns 201 for 100 values in one document', async () => {
      const fields = Array.from({ length: 100 }, (_, n) => buildField(`f${n}`));
      const type = await saveDocumentType(tenant, { fields });
      const values = Object.fromEntries(fields.map(({ key }) => [key, 'x'.repeat(100)]));
      expect((await createDocument(editor, type.id, values)).fields).toEqual(values);
    });

    it('returns 201 for a text of 10,000 characters, longer than an index entry', async () => {
      const type = await saveDocumentType(tenant, { fields: FIELDS });
      const text = Array.from({ length: 10_000 }, (_, n) => String.fromCodePoint(0x1f300 + (n % 500))).join(
        '',
      );
      expect((await createDocument(editor, type.id, { text })).fields).toEqual({ text });
    });

    it('returns 201 for a caller with only documents.create', async () => {
      const type = await saveDocumentType(tenant, { fields: FIELDS });
      const creator = await tenant.with('documents.create');
      expect((await createDocument(creator, type.id, { state: 'open' })).fields).toEqual({ state: 'open' });
    });
  });

  describe('400 for documentTypeId', () => {
    it('returns 400 for a document type that is unknown or of another tenant', async () => {
      await expectInvalid(create(randomUUID(), { text: 'x' }), 'documentTypeId');
      const foreign = await saveDocumentType(await service.tenant(), { fields: FIELDS });
      await expectInvalid(create(foreign.id, { text: 'x' }), 'documentTypeId');
    });

    it('returns 400 for an inactive document type, together with the errors of the values', async () => {
      const type = await saveDocumentType(tenant, { fields: FIELDS, isActive: false });
      await expectInvalid(create(type.id, { text: 'x', number: 'x' }), 'documentTypeId', 'fields.number');
    });

    it('returns 400 for values without a document type', () =>
      expectInvalid(create(null, { text: 'x', 'a b': null }), 'fields.text', 'fields["a b"]'));
  });

  describe('400', () => {
    it('returns 400 for unknown keys and removed fields, even with null', async () => {
      const type = await saveDocumentType(tenant, {
        fields: [buildField('text'), buildField('gone', { isRemoved: true })],
      });
      await expectInvalid(
        create(type.id, { Text: 'x', text: 'x', toString: 'x', 'a.b': null, gone: 'x' }),
        'fields.Text',
        'fields.toString',
        'fields["a.b"]',
        'fields.gone',
      );
      await expectInvalid(create(type.id, { gone: null }), 'fields.gone');
    });

    it('returns 400 for values of the wrong type, listed together with unknown tags and files', async () => {
      const type = await saveDocumentType(tenant, { fields: FIELDS });
      const fields = {
        text: 5,
        number: '1e3',
        date: '2026-02-29',
        money: { amount: '1.234', currency: 'EUR' },
        state: 'Open',
        file: 'x',
        document: '1',
        user: 'me',
      };
      const sent = {
        title: 'A',
        documentTypeId: type.id,
        fields,
        tagIds: [randomUUID()],
        fileIds: [randomUUID()],
      };
      await expectInvalid(
        editor.post('/documents', sent),
        'fields.text',
        'fields.number',
        'fields.date',
        'fields.money.amount',
        'fields.state',
        'fields.file',
        'fields.document',
        'fields.user',
        'tagIds[0]',
        'fileIds[0]',
      );
    });

    it('returns 400 for values that no type allows, before it looks up ids', async () => {
      const fields = { text: 'a\u0000', number: true, money: false, x: [], 'y z': '\ud800' };
      const sent = { title: '', documentTypeId: randomUUID(), fields, fileIds: [randomUUID()] };
      await expectInvalid(
        editor.post('/documents', sent),
        'title',
        'fields.text',
        'fields.number',
        'fields.money',
        'fields.x',
        'fields["y z"]',
      );
    });

    it('returns 400 for an object as the value of a field other than Money', async () => {
      const type = await saveDocumentType(tenant, { fields: FIELDS });
      const keys = ['text', 'number', 'date', 'state', 'file'];
      const fields = Object.fromEntries(keys.map((key) => [key, { amount: '1', currency: 'EUR' }]));
      await expectInvalid(create(type.id, fields), ...keys.map((key) => `fields.${key}`));
    });

    it.each([
      '1234567890123456',
      '0.1000000000000000055511151231257827',
      '1.00000000000000000001',
      '9007199254740993',
      '1e400',
      '1e-400',
    ])('returns 400 for the JSON number %s, which loses precision', async (token) => {
      const type = await saveDocumentType(tenant, { fields: FIELDS });
      const body = `{"title":"A","documentTypeId":"${type.id}","fields":{"number":${token}}}`;
      await expectInvalid(withRawBody(editor.post('/documents'), body), 'fields.number');
    });

    it('returns 400 for more values than a document type can have fields', async () => {
      const type = await saveDocumentType(tenant, { fields: FIELDS });
      const fields = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f${n}`, 'x']));
      await expectInvalid(create(type.id, fields), 'fields');
    });

    it('returns 400 for a required value that is absent, null or blank, but not for a removed field', async () => {
      const type = await saveDocumentType(tenant, {
        fields: [
          buildField('absent', { required: true }),
          buildField('empty', { required: true }),
          buildField('money', { type: 'Money', required: true }),
          buildField('wrong', { type: 'Number', required: true }),
          buildField('given', { required: true }),
          buildField('gone', { required: true, isRemoved: true }),
        ],
      });
      const fields = { empty: ' ', money: null, wrong: 'x', given: 'x' };
      await expectInvalid(
        create(type.id, fields),
        'fields.absent',
        'fields.empty',
        'fields.money',
        'fields.wrong',
      );
      await expectInvalid(
        create(type.id, {
          ...fields,
          absent: 'x',
          empty: 'x',
          money: { amount: 'x', currency: 'EUR' },
          wrong: '1',
        }),
        'fields.money.amount',
      );
      const money = { amount: '1', currency: 'EUR' };
      expect((await create(type.id, { absent: 'x', empty: 'x', money, wrong: 1, given: 'x' })).status).toBe(
        201,
      );
    });

    it('checks the values (400) before permissions (403) and the state of files (409)', async () => {
      const type = await saveDocumentType(tenant, { fields: FIELDS });
      const closed = await saveFile(tenant, editor, { status: 'Closed' });
      const creator = await tenant.with('documents.create', 'files.read');
      const sent = { title: 'A', documentTypeId: type.id, fields: { state: 'x' }, fileIds: [closed.id] };
      await expectInvalid(creator.post('/documents', { ...sent, isConfidential: true }), 'fields.state');
    });
  });

  it('returns 201 once for one Idempotency-Key with values; 409 for other values', async () => {
    const type = await saveDocumentType(tenant, { fields: FIELDS });
    const key = randomUUID();
    const first = await create(type.id, { number: 1 }).set('Idempotency-Key', key);
    const before = await tenant.fingerprint();
    const second = await create(type.id, { number: 1 }).set('Idempotency-Key', key);
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    const other = await create(type.id, { number: 2 }).set('Idempotency-Key', key);
    expectProblem(other, 'request.idempotency-conflict');
    expect(await tenant.fingerprint()).toEqual(before);
  });
});
