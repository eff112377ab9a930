import { beforeEach, describe, expect, it } from '@jest/globals';
import { buildField, saveDocumentType } from '../../factories/document-types.js';
import { type Actor } from '../../support/actor.js';
import { notModified } from '../../support/operations/not-modified.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('GetDocumentType', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  let type: Awaited<ReturnType<typeof saveDocumentType>>;
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer');
    type = await saveDocumentType(tenant, {
      fields: [
        buildField('amount', { type: 'Money', required: true }),
        buildField('state', { options: ['open', 'paid'] }),
        buildField('contract', { referenceTarget: 'Document' }),
        buildField('gone', { isRemoved: true }),
      ],
    });
  });
  notModified(() => viewer.get(`/document-types/${type.id}`));

  it('returns 200 with the document type and its entity tag, for an uppercase id too', async () => {
    const response = await viewer.get(`/document-types/${type.id}`);
    expect(response.status).toBe(200);
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(response.body).toEqual({ ...type, createdAt: timestamp, updatedAt: timestamp });
    const again = await (await tenant.as('guest')).get(`/document-types/${type.id.toUpperCase()}`);
    expect([again.body, again.headers.etag]).toEqual([response.body, response.headers.etag]);
  });

  it('returns 200 with options and referenceTarget always, and isRemoved only when true', async () => {
    const { fields } = (await viewer.get(`/document-types/${type.id}`)).body as { fields: object[] };
    const always = ['key', 'type', 'required', 'labelDe', 'labelEn', 'options', 'referenceTarget'];
    expect(fields.map((field) => Object.keys(field))).toEqual([
      always,
      always,
      always,
      [...always, 'isRemoved'],
    ]);
  });

  it('returns 200 for an inactive document type without fields', async () => {
    const { id } = await saveDocumentType(tenant, { isActive: false });
    expect((await viewer.get(`/document-types/${id}`)).body).toMatchObject({ fields: [], isActive: false });
  });
});
