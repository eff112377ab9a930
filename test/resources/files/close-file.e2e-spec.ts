import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { everyOperation } from '../../support/operations/every-operation.js';
import { expectProblem } from '../../support/expect-problem.js';
import { withRawBody } from '../../support/raw-body.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';
import { unknownIds } from '../../support/operations/unknown-ids.js';

interface FileBody {
  id: string;
  updatedAt: string;
  closedAt: string | null;
}

describe('CloseFile', () => {
  let service: TestService;
  let tenant: TestTenant;
  let editor: Actor;
  let creator: Actor;
  let file: FileBody;
  beforeAll(async () => {
    service = await TestService.shared();
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    [editor, creator] = [await tenant.as('editor', 'Edda'), await tenant.as('editor')];
    const { id } = await saveFile(tenant, creator, { number: 'AZ-1', name: 'Feuerwache' });
    file = (await editor.get(`/files/${id}`)).body as FileBody;
  });

  const close = (actor = editor, id = file.id) => actor.post(`/files/${id}/close`);

  everyOperation({
    service: () => service,
    tenant: () => tenant,
    permitted: () => editor,
    permission: 'files.close',
    send: (actor) => close(actor),
  });
  unknownIds({
    tenant: () => tenant,
    send: (id) => close(editor, id),
    foreign: async () => {
      const other = await service.tenant();
      return (await saveFile(other, await other.as('editor'))).id;
    },
  });

  it('200: the closed file with an entity tag, recorded; its creator is told', async () => {
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

  it('200: nobody is told of what they did themselves', async () => {
    expect((await close(creator)).status).toBe(200);
    expect(await tenant.audit()).toHaveLength(1);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('200: whatever body, If-Match and Idempotency-Key come along', async () => {
    const test = withRawBody(close(), '{"broken', 'text/plain')
      .set('If-Match', '"x"')
      .set('Idempotency-Key', ' ');
    expect((await test).status).toBe(200);
  });

  it.each(['Active', 'Archived', 'Deleted'] as const)('200: with a document that is %s', async (status) => {
    await saveDocument(tenant, creator, { fileIds: [file.id], status });
    expect((await close()).status).toBe(200);
  });

  it('409: while a document in it is being processed, although others are not; in another file it is no matter', async () => {
    const other = await saveFile(tenant, creator);
    await saveDocument(tenant, creator, { fileIds: [file.id], status: 'Active' });
    await saveDocument(tenant, creator, { fileIds: [file.id], status: 'Processing' });
    const before = await tenant.fingerprint();
    expectProblem(await close(), 'file.documents-processing');
    expect(await tenant.fingerprint()).toEqual(before);
    expect((await close(editor, other.id)).status).toBe(200);
  });

  it('409: a closed file', async () => {
    await close();
    const before = await tenant.fingerprint();
    expectProblem(await close(), 'file.already-closed');
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('409: for all but one of those that come at the same time', async () => {
    const statuses = await Promise.all([1, 2, 3].map(async () => (await close()).status));
    expect(statuses.sort()).toEqual([200, 409, 409]);
    expect([await tenant.audit(), await tenant.notifications()].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('403: for a guest, even with a Write grant', async () => {
    const guest = await tenant.as('guest');
    await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
    expectProblem(await close(guest), 'permission.missing');
  });

  it('404: with files.close but nothing to see the file by; 200 with a Read grant on it', async () => {
    const member = await tenant.with('files.close');
    expectProblem(await close(member), 'resource.not-found');
    await saveAccessGrant(tenant, member, { file: file.id });
    expect((await close(member)).status).toBe(200);
  });
});
