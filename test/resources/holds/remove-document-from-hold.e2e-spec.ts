import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveDocument } from '../../factories/documents.js';
import { releaseHold, saveHold } from '../../factories/holds.js';
import { type Actor } from '../../support/actor.js';
import { auditEntry } from '../../support/audit-entry.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

const NAMED = { title: 'Bescheid' };

describe('RemoveDocumentFromHold', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let holdId: string;
  let documentId: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Rita');
    documentId = (await saveDocument(tenant, manager, NAMED)).id;
    holdId = (await saveHold(tenant, manager, { documentIds: [documentId] })).id;
  });
  const send = (actor = manager, hold = holdId, id = documentId) =>
    actor.delete(`/holds/${hold}/documents/${id}`);
  const isHeld = async () =>
    ((await manager.get(`/documents/${documentId}/retention`)).body as { isHeld: boolean }).isHeld;

  describe('with another hold', () => {});
  describe('with another document', () => {});

  it('returns 204 and writes an audit entry about the document', async () => {
    const response = await send();
    expect([response.status, response.text, await isHeld()]).toEqual([204, '', false]);
    expect(await tenant.audit()).toEqual([
      auditEntry(manager, 'HoldItemRemoved', 'Document', documentId, 'Bescheid'),
    ]);
    const related = await service.query(
      `SELECT related FROM audit_entries WHERE tenant_id = $1 AND subject_id = $2`,
      [tenant.id, documentId],
    );
    expect(related).toEqual([{ related: { holdId } }]);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('returns 404 for a document that the hold does not contain', async () => {
    const other = await saveHold(tenant, manager);
    await expectRefused(tenant, () => send(manager, other.id), 'resource.not-found');
  });

  it('keeps the document held while another hold contains it', async () => {
    await saveHold(tenant, manager, { documentIds: [documentId] });
    await send().expect(204);
    expect(await isHeld()).toBe(true);
  });

  it('returns 404 for a document that is not visible to the caller', async () => {
    const editor = await tenant.as('editor');
    const hidden = await saveDocument(tenant, editor, { confidentialTo: [editor] });
    await saveHold(tenant, editor, { documentIds: [hidden.id] });
    const blind = await tenant.with('holds.manage', 'files.read');
    const before = await tenant.fingerprint();
    expectProblem(await send(manager, holdId, hidden.id), 'resource.not-found');
    expectProblem(await send(blind), 'resource.not-found');
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 409 for a released hold', async () => {
    await releaseHold(tenant, holdId);
    await expectRefused(tenant, () => send(), 'hold.released');
  });
});
