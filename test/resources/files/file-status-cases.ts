import { beforeEach, expect, it } from '@jest/globals';
import { type BuiltInRoleKey } from '../../../src/common/vocabulary/built-in-roles.js';
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
  readonly id: string;
  readonly updatedAt: string;
  readonly closedAt: string | null;
}

interface StatusUnderTest {
  readonly operation: 'close' | 'reopen';
  /** Role of the caller and of the creator of the file. */
  readonly role: BuiltInRoleKey;
  /** Roles that may not use the operation. */
  readonly refused: readonly BuiltInRoleKey[];
  /** A body that is ignored, and its media type. */
  readonly body: readonly [bytes: string, mediaType: string];
  /** Problem for a file that has the status already. */
  readonly conflict: 'file.already-closed' | 'file.already-open';
}

interface StatusFixture {
  tenant: TestTenant;
  caller: Actor;
  creator: Actor;
  file: FileBody;
}

/** The cases that CloseFile and ReopenFile share. The members of the fixture are set before each case. */
export function fileStatusCases({ operation, role, refused, body, conflict }: StatusUnderTest) {
  const [action, status] =
    operation === 'close' ? (['FileClosed', 'Closed'] as const) : (['FileReopened', 'Open'] as const);
  const fixture = {} as StatusFixture;
  const send = (actor = fixture.caller, id = fixture.file.id) => actor.post(`/files/${id}/${operation}`);
  beforeEach(async () => {
    const tenant = await service.tenant();
    const [caller, creator] = [await tenant.as(role, 'Edda'), await tenant.as(role)];
    const before = operation === 'close' ? 'Open' : 'Closed';
    const { id } = await saveFile(tenant, creator, { number: 'AZ-1', name: 'Feuerwache', status: before });
    const file = (await caller.get(`/files/${id}`)).body as FileBody;
    Object.assign(fixture, { tenant, caller, creator, file });
  });

  it('returns 200 with the changed file, writes an audit entry and notifies its creator', async () => {
    const { tenant, caller, creator, file } = fixture;
    const response = await send();
    const { updatedAt } = response.body as FileBody;
    const closedAt = operation === 'close' ? updatedAt : null;
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ...file, status, closedAt, updatedAt });
    expect(updatedAt > file.updatedAt).toBe(true);
    expect(await tenant.audit()).toEqual([caller.entry(action, 'File', file.id, 'AZ-1: Feuerwache')]);
    expect(await tenant.notifications()).toEqual([
      {
        user_id: creator.userId,
        type: action,
        parameters: { fileId: file.id, fileNumber: 'AZ-1', fileName: 'Feuerwache', actorName: 'Edda' },
      },
    ]);
    const read = await caller.get(`/files/${file.id}`);
    expect([read.text, read.headers.etag]).toEqual([response.text, response.headers.etag]);
  });

  it('returns 200 without a notification when the caller created the file', async () => {
    const { tenant, creator } = fixture;
    expect((await send(creator)).status).toBe(200);
    expect(await tenant.audit()).toHaveLength(1);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('returns 200 and ignores the body, If-Match, Idempotency-Key and a deleted document', async () => {
    const { tenant, creator, file } = fixture;
    await saveDocument(tenant, creator, { fileIds: [file.id], status: 'Deleted' });
    const test = withRawBody(send(), ...body)
      .set('If-Match', '"x"')
      .set('Idempotency-Key', ' ');
    expect((await test).status).toBe(200);
  });

  it('returns 409 for a file with this status', async () => {
    await send();
    await expectRefused(fixture.tenant, () => send(), conflict);
  });

  it('returns 200 to exactly one of several concurrent requests, 409 to the others', async () => {
    const { tenant } = fixture;
    const statuses = await Promise.all([1, 2, 3].map(async () => (await send()).status));
    expect(statuses.sort()).toEqual([200, 409, 409]);
    expect([await tenant.audit(), await tenant.notifications()].map(({ length }) => length)).toEqual([1, 1]);
  });

  it.each(refused)('returns 403 to a member with the role %s, even with a Write grant', async (key) => {
    const { tenant, file } = fixture;
    const member = await tenant.as(key);
    await saveAccessGrant(tenant, member, { file: file.id }, { level: 'Write' });
    expectProblem(await send(member), 'permission.missing');
  });

  it('returns 404 with the permission but no access to the file; 200 with a Read grant', async () => {
    const { tenant, file } = fixture;
    const member = await tenant.with(`files.${operation}`);
    expectProblem(await send(member), 'resource.not-found');
    await saveAccessGrant(tenant, member, { file: file.id });
    expect((await send(member)).status).toBe(200);
  });

  return { fixture, send };
}
