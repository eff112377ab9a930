import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { withRawBody } from '../../support/raw-body.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('DeleteFile', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let creator: Actor;
  let fileId: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    [manager, creator] = [await tenant.as('records_manager', 'Rita'), await tenant.as('editor')];
    fileId = (await saveFile(tenant, creator, { number: 'AZ-1', name: 'Feuerwache' })).id;
  });

  const remove = (actor = manager, id = fileId) => actor.delete(`/files/${id}`);
  conditionalWrites({
    actor: () => manager,
    path: () => `/files/${fileId}`,
    send: (actor, path) => actor.delete(path),
    success: 204,
  });

  it('returns 204, writes an audit entry and no notification; 404 when repeated', async () => {
    const kept = await saveFile(tenant, creator);
    const response = await remove();
    expect([response.status, response.text, response.headers['content-type']]).toEqual([204, '', undefined]);
    expect(await tenant.audit()).toEqual([manager.entry('FileDeleted', 'File', fileId, 'AZ-1: Feuerwache')]);
    expect(await tenant.notifications()).toEqual([]);
    expectProblem(await manager.get(`/files/${fileId}`), 'resource.not-found');
    expectProblem(await remove(), 'resource.not-found');
    const { items } = (await manager.get('/files')).body as { items: { id: string }[] };
    expect(items.map(({ id }) => id)).toEqual([kept.id]);
  });

  it('returns 204, revokes the active grants on the file and notifies their holders', async () => {
    const [guest, colleague] = [await tenant.as('guest', 'Gustav'), await tenant.as('viewer')];
    const ended = await saveAccessGrant(tenant, guest, { file: fileId }, { level: 'Write' });
    const byRole = await saveAccessGrant(tenant, colleague, { file: fileId }, { toRole: true });
    await saveAccessGrant(tenant, guest, { file: fileId }, { expiresAt: 'now()' });
    await saveAccessGrant(tenant, guest, { file: (await saveFile(tenant, creator)).id });
    expect((await remove()).status).toBe(204);
    const audit = await tenant.audit();
    expect(audit.map(({ action, subject_id, summary }) => [action, subject_id, summary])).toEqual([
      ['FileDeleted', fileId, 'AZ-1: Feuerwache'],
      ['AccessRevoked', ended, 'Write: Gustav → AZ-1: Feuerwache'],
      ['AccessRevoked', byRole, 'Read: Viewer → AZ-1: Feuerwache'],
    ]);
    const notification = {
      type: 'AccessRevoked',
      parameters: { targetType: 'File', targetId: fileId, actorName: 'Rita' },
    };
    expect(await tenant.notifications()).toMatchObject([
      { user_id: guest.userId, ...notification },
      { user_id: colleague.userId, ...notification },
    ]);
    const { items } = (await (await tenant.as('auditor')).get('/access-grants')).body as {
      items: { status: string }[];
    };
    expect(items.map(({ status }) => status)).toEqual(['Active', 'Expired', 'Revoked', 'Revoked']);
  });

  it('returns 204 and ignores a body', async () => {
    expect((await withRawBody(remove(), '{"broken')).status).toBe(204);
  });

  it.each(['Processing', 'Active', 'Archived', 'Deleted'] as const)(
    'returns 409 for a file with a document that is %s',
    async (status) => {
      await saveDocument(tenant, creator, { fileIds: [fileId], status });
      await expectRefused(tenant, () => remove(), 'file.not-empty');
    },
  );

  it('returns 409 for a file with a document that the caller cannot see', async () => {
    await saveDocument(tenant, creator, { fileIds: [fileId], confidentialTo: [creator] });
    expectProblem(await remove(), 'file.not-empty');
  });

  it('returns 409 for an empty Closed file, after checking If-Match (412)', async () => {
    await manager.post(`/files/${fileId}/close`);
    const before = await tenant.fingerprint();
    expectProblem(await remove(), 'file.not-empty');
    expectProblem(await remove().set('If-Match', '"x"'), 'request.precondition-failed');
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 412 for a file with a document and a stale If-Match', async () => {
    await saveDocument(tenant, creator, { fileIds: [fileId] });
    expectProblem(await remove().set('If-Match', '"x"'), 'request.precondition-failed');
  });

  it('returns 204 to exactly one of several concurrent requests, 404 to the others', async () => {
    const statuses = await Promise.all([1, 2, 3].map(async () => (await remove()).status));
    expect(statuses.sort()).toEqual([204, 404, 404]);
    expect(await tenant.audit()).toHaveLength(1);
  });

  it('returns 403 to a guest with a Write grant, and to the editor who created the file', async () => {
    const guest = await tenant.as('guest');
    await saveAccessGrant(tenant, guest, { file: fileId }, { level: 'Write' });
    for (const actor of [guest, creator]) expectProblem(await remove(actor), 'permission.missing');
  });

  it('returns 404 with files.delete but no access to the file; 204 with a Read grant', async () => {
    const member = await tenant.with('files.delete');
    expectProblem(await remove(member), 'resource.not-found');
    await saveAccessGrant(tenant, member, { file: fileId });
    expect((await remove(member)).status).toBe(204);
  });
});
