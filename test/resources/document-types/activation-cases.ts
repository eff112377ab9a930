import { beforeEach, expect, it } from '@jest/globals';
import { buildField, saveDocumentType } from '../../factories/document-types.js';
import { createDocument } from '../../factories/document-values.js';
import { type Actor } from '../../support/actor.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

/** The cases that DeactivateDocumentType and ReactivateDocumentType share. */
export function activationCases(operation: 'deactivate' | 'reactivate'): void {
  const isActive = operation === 'reactivate';
  let tenant: TestTenant;
  let manager: Actor;
  let type: { id: string; key: string };
  const send = () => manager.post(`/document-types/${type.id}/${operation}`);
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Rita');
    type = await saveDocumentType(tenant, {
      key: 'invoice',
      nameDe: 'Rechnung',
      nameEn: 'Invoice',
      isActive: !isActive,
      fields: [buildField('note'), buildField('gone', { isRemoved: true })],
    });
  });

  it('returns 200 with the document type and its entity tag, and writes an audit entry', async () => {
    const before = (await manager.get(`/document-types/${type.id}`)).body as { updatedAt: string };
    const response = await send();
    const { updatedAt } = response.body as { updatedAt: string };
    expect([response.status, response.body]).toEqual([200, { ...before, isActive, updatedAt }]);
    expect(updatedAt > before.updatedAt).toBe(true);
    const read = await manager.get(`/document-types/${type.id}`);
    expect([read.body, read.headers.etag]).toEqual([response.body, response.headers.etag]);
    expect(await tenant.audit()).toEqual([
      manager.entry(
        isActive ? 'DocumentTypeReactivated' : 'DocumentTypeDeactivated',
        'DocumentType',
        type.id,
        'invoice: Rechnung / Invoice',
      ),
    ]);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('returns 200 and writes nothing when repeated', async () => {
    const first = await send();
    const before = await tenant.fingerprint();
    const second = await send();
    expect([second.status, second.body, second.headers.etag]).toEqual([200, first.body, first.headers.etag]);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 200 and ignores the body, If-Match and Idempotency-Key', async () => {
    const response = await send()
      .set('Idempotency-Key', 'a')
      .set('If-Match', '"other"')
      .set('Content-Type', 'application/json')
      .send('{"isActive":');
    expect([response.status, response.body]).toMatchObject([200, { isActive }]);
    await service.query('UPDATE document_types SET is_active = NOT is_active WHERE id = $1', [type.id]);
    expect((await send().set('Idempotency-Key', 'a')).body).toMatchObject({ isActive });
    expect(await tenant.audit()).toHaveLength(2);
  });

  it('returns 200 to several concurrent requests, with one audit entry', async () => {
    const responses = await Promise.all([send(), send(), send()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await tenant.audit()).toHaveLength(1);
  });

  it(`returns 200, after which the type can${isActive ? '' : 'not'} be used for documents`, async () => {
    const editor = await tenant.as('editor');
    await send();
    if (isActive) {
      expect((await createDocument(editor, type.id, { note: 'a' })).fields).toEqual({ note: 'a' });
    } else {
      const body = { title: 'D', documentTypeId: type.id };
      await expectRefused(tenant, editor.post('/documents', body), 'request.invalid', ['documentTypeId']);
    }
  });
}
