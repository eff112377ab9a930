import { beforeEach, describe, expect, it } from '@jest/globals';
import { buildField } from '../../factories/document-types.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { fieldRuleCases } from './field-rule-cases.js';
import { typeCreation } from '../../support/operations/type-creation.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { ABSENT, bodyWith } from '../../support/operations/text-rules.js';

describe('CreateDocumentType', () => {
  let tenant: TestTenant;
  let manager: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Rita');
  });

  const body = { key: 'invoice', nameDe: 'Rechnung', nameEn: 'Invoice' };
  const create = (sent: object, actor = manager) => actor.post('/document-types', sent);

  typeCreation({
    tenant: () => tenant,
    manager: () => manager,
    path: '/document-types',
    permission: 'documentTypes.manage',
    more: (n) => ({ fields: [buildField(`f${n}`)] }),
  });
  fieldRuleCases({ tenant: () => tenant, send: (fields) => create({ ...body, fields }), success: 201 });

  it('returns 201 with the document type and its entity tag, and writes an audit entry', async () => {
    const fields = [
      buildField('amount', { type: 'Money', required: true }),
      buildField('state', { options: ['open', 'paid'] }),
      buildField('contract', { referenceTarget: 'Document' }),
    ];
    const response = await create({ ...body, fields, id: 'x', isActive: false, createdAt: 'x' });
    expect(response.status).toBe(201);
    const { id, createdAt } = response.body as { id: string; createdAt: string };
    expect(response.body).toEqual({
      id,
      ...body,
      fields,
      isActive: true,
      createdAt,
      updatedAt: createdAt,
    });
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await tenant.audit()).toEqual([
      manager.entry('DocumentTypeCreated', 'DocumentType', id, 'invoice: Rechnung / Invoice'),
    ]);
    expect(await tenant.notifications()).toEqual([]);
    const read = await manager.get(`/document-types/${id}`);
    expect([read.body, read.headers.etag]).toEqual([response.body, response.headers.etag]);
  });

  it.each([ABSENT, null, []])('returns 201 without fields when fields is %j', async (fields) => {
    const response = await create(bodyWith(body, 'fields', fields));
    expect([response.status, response.body]).toMatchObject([201, { fields: [] }]);
  });

  it('returns 400 for a new field with isRemoved', async () => {
    const fields = [buildField('note', { isRemoved: false }), buildField('gone', { isRemoved: true })];
    await expectRefused(tenant, create({ ...body, fields }), 'request.invalid', ['fields[1].isRemoved']);
  });

  it('returns 400 and lists the errors of the type and of its fields together', async () => {
    const response = await create({ key: 'A', nameDe: '', fields: [{ ...buildField('a'), type: 'x' }] });
    expectProblem(response, 'request.invalid', ['fields[0].type', 'key', 'nameDe', 'nameEn']);
  });

  it('returns 409 for a key that another type of the tenant has, even an inactive one', async () => {
    const { id } = (await create(body)).body as { id: string };
    await manager.post(`/document-types/${id}/deactivate`);
    await expectRefused(tenant, () => create({ ...body, nameDe: 'Andere' }), 'document-type.key-taken');
  });
});
