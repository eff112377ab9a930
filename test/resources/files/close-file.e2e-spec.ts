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

describe('CloseFile', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let creator: Actor;
  let file: FileBody;
  beforeEach(async () => {
    tenant = await service.tenant();
    [editor, creator] = [await tenant.as('editor', 'Edda'), await tenant.as('editor')];
    const { id } = await saveFile(tenant, creator, { number: 'AZ-1', name: 'Feuerwache' });
    file = (await editor.get(`/files/${id}`)).body as FileBody;
  });

  const close = (actor = editor, id = file.id) => actor.post(`/files/${id}/close`);

  it('returns 200 with the closed file, writes an audit entry and notifies its creator', async () => {
    const response = await close();
    const { closedAt } = response.body as FileBody;
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ...file, status: 'Closed', closedAt, updatedAt: closedAt });
    expect(closedAt && closedAt > file.updatedAt).toBe(true);
    expect(await tenant.audit()).toEqual([
      {
        actor_id: editor.userId,
        actor_name: 'Edda',
        action: 'FileClosed',
        subject_type: 'File',
        subject_id: file.id,
        summary: 'AZ-1: Feuerwache',
      },
    ]);
    expect(await tenant.notifications()).toEqual([
      {
        user_id: creator.userId,
        type: 'FileClosed',
        parameters: { fileId: file.id, fileNumber: 'AZ-1', fileName: 'Feuerwache', actorName: 'Edda' },
      },
    ]);
    const read = await editor.get(`/files/${file.id}`);
    expect([read.text, read.headers.etag]).toEqual([response.text, response.headers.etag]);
  });

  it('returns 200 without a notification when the caller created the file', async () => {
    expect((await close(creator)).status).toBe(200);
    expect(await tenant.audit()).toHaveLength(1);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('returns 200 and ignores the body, If-Match and Idempotency-Key', async () => {
    const test = withRawBody(close(), '{"broken', 'text/plain')
      .set('If-Match', '"x"')
      .set('Idempotency-Key', ' ');
    expect((await test).status).toBe(200);
  });

  it.each(['Active', 'Archived', 'Deleted'] as const)(
    'returns 200 for a file with a document that is %s',
    async (status) => {
      await saveDocument(tenant, creator, { fileIds: [file.id], status });
      expect((await close()).status).toBe(200);
    },
  );

  it('returns 409 while one of its documents is Processing, 200 for another file', async () => {
    const other = await saveFile(tenant, creator);
    await saveDocument(tenant, creator, { fileIds: [file.id], status: 'Active' });
    await saveDocument(tenant, creator, { fileIds: [file.id], status: 'Processing' });
    await expectRefused(tenant, () => close(), 'file.documents-processing');
    expect((await close(editor, other.id)).status).toBe(200);
  });

  it('returns 409 for a Closed file', async () => {
    await close();
    await expectRefused(tenant, () => close(), 'file.already-closed');
  });

  it('returns 200 to exactly one of several concurrent requests, 409 to the others', async () => {
    const statuses = await Promise.all([1, 2, 3].map(async () => (await close()).status));
    expect(statuses.sort()).toEqual([200, 409, 409]);
    expect([await tenant.audit(), await tenant.notifications()].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('returns 403 to a guest, even with a Write grant', async () => {
    const guest = await tenant.as('guest');
    await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
    expectProblem(await close(guest), 'permission.missing');
  });

  it('returns 404 with files.close but no access to the file; 200 with a Read grant', async () => {
    const member = await tenant.with('files.close');
    expectProblem(await close(member), 'resource.not-found');
    await saveAccessGrant(tenant, member, { file: file.id });
    expect((await close(member)).status).toBe(200);
  });
});
