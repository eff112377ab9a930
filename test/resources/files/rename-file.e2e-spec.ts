import { beforeEach, describe, expect, it } from '@jest/globals';
import { type GrantOverrides, saveAccessGrant } from '../../factories/access-grants.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { textRules } from '../../support/operations/text-rules.js';

interface FileBody {
  id: string;
  fileTypeId: string;
  name: string;
  updatedAt: string;
}

describe('RenameFile', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let creator: Actor;
  let file: FileBody;
  let etag: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    [editor, creator] = [await tenant.as('editor', 'Edda'), await tenant.as('editor')];
    const { id } = await saveFile(tenant, creator, { number: 'AZ-1', name: 'Alt' });
    const response = await editor.get(`/files/${id}`);
    file = response.body as FileBody;
    etag = response.headers.etag ?? '';
  });

  const rename = (actor: Actor, name = 'Neu', id = file.id) => actor.put(`/files/${id}`, { name });

  textRules({
    tenant: () => tenant,
    member: 'name',
    max: 200,
    body: () => ({ name: 'Neu' }),
    send: (body) => editor.put(`/files/${file.id}`, body),
    success: 200,
  });
  conditionalWrites({
    actor: () => editor,
    path: () => `/files/${file.id}`,
    send: (actor, path) => actor.put(path, { name: 'Neu' }),
    success: 200,
  });

  it('returns 200 with the new name only, and writes an audit entry', async () => {
    const response = await editor.put(`/files/${file.id.toUpperCase()}`, {
      name: 'Neu',
      number: 'X',
      status: 'Closed',
      fileTypeId: 'x',
    });
    const { updatedAt } = response.body as FileBody;
    expect([response.status, response.body]).toEqual([200, { ...file, name: 'Neu', updatedAt }]);
    expect(updatedAt > file.updatedAt).toBe(true);
    expect(await tenant.audit()).toEqual([editor.entry('FileRenamed', 'File', file.id, 'AZ-1: Alt → Neu')]);
    expect(await tenant.notifications()).toEqual([]);
    const read = await editor.get(`/files/${file.id}`);
    expect([read.text, read.headers.etag]).toEqual([response.text, response.headers.etag]);
    expect(response.headers.etag).not.toBe(etag);
  });

  it.each(['Alt', '  Alt\n'])('returns 200 and writes nothing for the same name %j', async (name) => {
    const before = await tenant.fingerprint();
    const response = await rename(editor, name);
    expect([response.status, response.body, response.headers.etag]).toEqual([200, file, etag]);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 412 for the same name with a stale If-Match', async () => {
    expectProblem(await rename(editor, 'Alt').set('If-Match', '"x"'), 'request.precondition-failed');
  });

  it('returns 200 for the same name in another case, and for the name of another file', async () => {
    await saveFile(tenant, creator, { name: 'Anders' });
    expect((await rename(editor, 'ALT')).body).toMatchObject({ name: 'ALT' });
    expect((await rename(editor, 'Anders')).body).toMatchObject({ name: 'Anders' });
    expect(await tenant.audit()).toHaveLength(2);
  });

  it('returns 200 for a Closed file, which stays Closed', async () => {
    await editor.post(`/files/${file.id}/close`);
    const closed = (await editor.get(`/files/${file.id}`)).body as object;
    const response = await rename(editor);
    expect(response.body).toEqual({ ...closed, name: 'Neu', updatedAt: expect.any(String) });
  });

  it('returns 412 to one of two requests at the same time with the same If-Match', async () => {
    const responses = await Promise.all(['A', 'B'].map((name) => rename(editor, name).set('If-Match', etag)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect(await tenant.audit()).toHaveLength(1);
  });

  it('returns 200 to several requests at the same time without If-Match, each with an audit entry', async () => {
    const statuses = await Promise.all(
      ['A', 'B', 'C'].map(async (name) => (await rename(editor, name)).status),
    );
    expect(statuses).toEqual([200, 200, 200]);
    expect(await tenant.audit()).toHaveLength(3);
  });

  const writeGrants: [string, 'file' | 'fileType', GrantOverrides][] = [
    ['on the file', 'file', {}],
    ['on the file to the role', 'file', { toRole: true }],
    ['on the type', 'fileType', {}],
    [
      'on the type to the role, until later',
      'fileType',
      { toRole: true, expiresAt: `now() + interval '1 hour'` },
    ],
  ];
  it.each(writeGrants)('returns 200 to a guest with a Write grant %s', async (_, kind, overrides) => {
    const guest = await tenant.as('guest');
    const target = kind === 'file' ? { file: file.id } : { fileType: file.fileTypeId };
    await saveAccessGrant(tenant, guest, target, { level: 'Write', ...overrides });
    expect((await rename(guest)).body).toMatchObject({ id: file.id, name: 'Neu' });
    expect((await tenant.audit())[0]).toMatchObject({ actor_id: guest.userId });
  });

  it('returns 403 to a guest with a Read grant, an ended Write grant, or one on another file', async () => {
    const guest = await tenant.as('guest');
    const other = await saveFile(tenant, creator);
    await saveAccessGrant(tenant, guest, { file: file.id });
    await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write', revoked: true });
    await saveAccessGrant(
      tenant,
      guest,
      { fileType: file.fileTypeId },
      { level: 'Write', expiresAt: 'now()' },
    );
    await saveAccessGrant(tenant, guest, { file: other.id }, { level: 'Write' });
    const before = await tenant.fingerprint();
    expectProblem(await rename(guest), 'permission.missing');
    expectProblem(await rename(guest, 'Neu', 'x'), 'permission.missing');
    expect(await tenant.fingerprint()).toEqual(before);
    expect((await rename(guest, 'Neu', other.id)).status).toBe(200);
  });

  it('returns 404 with files.update but no access to the file; 200 with a Read grant', async () => {
    const member = await tenant.with('files.update');
    expectProblem(await rename(member), 'resource.not-found');
    await saveAccessGrant(tenant, member, { file: file.id });
    expect((await rename(member)).status).toBe(200);
  });

  it('checks the permission (403), then the body (400), the id (404) and If-Match (412)', async () => {
    const viewer = await tenant.as('viewer');
    expectProblem(await rename(viewer, ''), 'permission.missing');
    expectProblem(await rename(editor, '', 'x'), 'request.invalid', ['name']);
    expectProblem(await rename(editor, 'Neu', 'x').set('If-Match', '"x"'), 'resource.not-found');
  });

  it('returns 200 and ignores Idempotency-Key', async () => {
    expect((await rename(editor, 'A').set('Idempotency-Key', 'k')).status).toBe(200);
    expect((await rename(editor, 'B').set('Idempotency-Key', 'k')).body).toMatchObject({ name: 'B' });
    expect((await rename(editor, 'C').set('Idempotency-Key', ' ')).status).toBe(200);
  });
});
