import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { withRawBody } from '../../support/raw-body.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

interface FileBody {
  id: string;
  updatedAt: string;
  closedAt: string | null;
}

describe('ReopenFile', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let creator: Actor;
  let file: FileBody;
  beforeEach(async () => {
    tenant = await service.tenant();
    [manager, creator] = [await tenant.as('records_manager', 'Rita'), await tenant.as('records_manager')];
    const { id } = await saveFile(tenant, creator, { number: 'AZ-1', name: 'Feuerwache', status: 'Closed' });
    file = (await manager.get(`/files/${id}`)).body as FileBody;
  });

  const reopen = (actor = manager, id = file.id) => actor.post(`/files/${id}/reopen`);

  it('returns 200 with the open file, writes an audit entry and notifies its creator', async () => {
    const response = await reopen();
    const { updatedAt } = response.body as FileBody;
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ...file, status: 'Open', closedAt: null, updatedAt });
    expect(updatedAt > file.updatedAt).toBe(true);
    expect(await tenant.audit()).toEqual([
      {
        actor_id: manager.userId,
        actor_name: 'Rita',
        action: 'FileReopened',
        subject_type: 'File',
        subject_id: file.id,
        summary: 'AZ-1: Feuerwache',
      },
    ]);
    expect(await tenant.notifications()).toEqual([
      {
        user_id: creator.userId,
        type: 'FileReopened',
        parameters: { fileId: file.id, fileNumber: 'AZ-1', fileName: 'Feuerwache', actorName: 'Rita' },
      },
    ]);
    const read = await manager.get(`/files/${file.id}`);
    expect([read.text, read.headers.etag]).toEqual([response.text, response.headers.etag]);
  });

  it('returns 200 without a notification when the caller created the file', async () => {
    expect((await reopen(creator)).status).toBe(200);
    expect(await tenant.audit()).toHaveLength(1);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('returns 200 and ignores the body, If-Match, Idempotency-Key and the documents in the file', async () => {
    await saveDocument(tenant, creator, { fileIds: [file.id], status: 'Deleted' });
    const test = withRawBody(reopen(), '[', 'application/json')
      .set('If-Match', '"x"')
      .set('Idempotency-Key', ' ');
    expect((await test).status).toBe(200);
  });

  it('returns 200 each time the file is closed and reopened', async () => {
    await reopen();
    const { closedAt } = (await manager.post(`/files/${file.id}/close`)).body as FileBody;
    expect(closedAt && file.closedAt && closedAt > file.closedAt).toBe(true);
    expect((await reopen()).body).toMatchObject({ status: 'Open', closedAt: null });
    expect((await tenant.audit()).map(({ action }) => action)).toEqual([
      'FileReopened',
      'FileClosed',
      'FileReopened',
    ]);
  });

  it('returns 409 for an open file', async () => {
    await reopen();
    await expectRefused(tenant, () => reopen(), 'file.already-open');
  });

  it('returns 200 to exactly one of several concurrent requests, 409 to the others', async () => {
    const statuses = await Promise.all([1, 2, 3].map(async () => (await reopen()).status));
    expect(statuses.sort()).toEqual([200, 409, 409]);
    expect([await tenant.audit(), await tenant.notifications()].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('returns 403 to an editor, and to a guest with a Write grant', async () => {
    const guest = await tenant.as('guest');
    await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
    for (const actor of [guest, await tenant.as('editor')])
      expectProblem(await reopen(actor), 'permission.missing');
  });

  it('returns 404 with files.reopen but no access to the file; 200 with a Read grant', async () => {
    const member = await tenant.with('files.reopen');
    expectProblem(await reopen(member), 'resource.not-found');
    await saveAccessGrant(tenant, member, { file: file.id });
    expect((await reopen(member)).status).toBe(200);
  });
});
