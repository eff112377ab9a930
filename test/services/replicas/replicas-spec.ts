import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { expectProblem } from '../../support/expect-problem.js';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveDocument } from '../../factories/documents.js';
import { saveFile, saveFileType } from '../../factories/files.js';
import { sequenced } from '../../platform/events/event-log.js';
import { type Actor } from '../../support/actor.js';
import { type TestTenant, TestTenant as Tenant } from '../../support/tenant.js';
import { type Replica, ReplicatedDatabase, type RunningService } from './replicated-database.js';

interface Page {
  items: { id?: string; documentId?: string; subjectId?: string; number?: string }[];
  nextCursor: string | null;
}

const pageOf = ({ body, status }: Response): Page => {
  expect({ status, body: body as unknown }).toMatchObject({ status: 200 });
  return body as Page;
};
const ids = (response: Response) =>
  pageOf(response).items.map(({ id, documentId, subjectId }) => subjectId ?? documentId ?? id);

describe('A service with a read replica', () => {
  let database: ReplicatedDatabase;
  let replica: Replica;
  let running: RunningService;
  /** On the same database, without replicas and with its own cache of rights. */
  let other: RunningService;
  let tenant: TestTenant;
  let clerk: Actor;
  let file: { id: string };

  beforeAll(async () => {
    database = await ReplicatedDatabase.start();
    replica = await database.replica('log_statement=all');
    running = await database.service([replica.url]);
    other = await database.service([]);
    tenant = await running.service.tenant();
    clerk = await tenant.as('administrator');
    file = await saveFile(tenant, clerk);
    await saveDocument(tenant, clerk, { title: 'Invoice', fileIds: [file.id] });
    await replica.catchUp();
    await running.waitForChange('ready');
  });
  afterAll(() => database.stop());

  const onOther = (actor: Actor) =>
    actor.inTenant(new Tenant(other.service, actor.tenant.id, actor.tenant.slug));
  const post = async (path: string, body: object, actor = clerk): Promise<string> => {
    const response = await actor.post(path, body);
    expect(response.status).toBe(201);
    return (response.body as { id: string }).id;
  };

  const createFile = async () =>
    post('/files', {
      fileTypeId: (await saveFileType(tenant)).id,
      number: `W-${Math.random()}`,
      name: 'Written',
    });
  const createDocument = () => post('/documents', { title: 'Written', fileIds: [file.id] });
  /** Each operation that a replica may answer, with a write that changes its answer and returns the new id. */
  const operations: [string, (actor: Actor) => PromiseLike<Response>, () => Promise<string>][] = [
    ['ListFiles', (actor) => actor.get('/files'), createFile],
    ['ListDocuments', (actor) => actor.get('/documents'), createDocument],
    [
      'ListDocuments with words',
      (actor) => actor.get('/documents?q=written&order=relevance'),
      createDocument,
    ],
    ['SearchDocuments', (actor) => actor.post('/documents/search', { q: 'written' }), createDocument],
    ['ListFileDocuments', (actor) => actor.get(`/files/${file.id}/documents`), createDocument],
    ['ListAuditEntries', (actor) => actor.get('/audit-log'), createFile],
  ];

  it.each(operations)('answers %s from the replica', async (_, list, write) => {
    const id = await write();
    const response = await running.fromReplica(() => list(clerk));
    expect(ids(response)).toContain(id);
    expect(response.body).toEqual((await list(onOther(clerk))).body);
  });

  it('sends the statements to the replica as the service role', async () => {
    await running.fromReplica(() => clerk.get('/files'));
    expect(await replica.server.log()).toMatch(/execute .*FROM files/s);
    const sessions = await replica.server.queryAsSuperuser<{ usename: string }>(
      `SELECT DISTINCT usename FROM pg_stat_activity WHERE application_name = 'filing-service'`,
    );
    expect(sessions).toEqual([{ usename: 'filing_service' }]);
  });

  it('answers other reads from the primary', async () => {
    for (const path of [`/files/${file.id}`, '/tags', '/roles', '/members', '/me']) {
      const { result, answered, reasons } = await running.counting(() => clerk.get(path));
      expect([path, result.status, answered, reasons]).toEqual([path, 200, 0, {}]);
    }
  });

  it('rejects invalid requests on the replica as on the primary', async () => {
    const wrong = await running.fromReplica(() => clerk.post('/documents/search', { savedViewId: file.id }));
    expectProblem(wrong, 'request.invalid');
    const missing = await running.fromReplica(() => clerk.get(`/files/${tenant.id}/documents`));
    expectProblem(missing, 'resource.not-found');
  });

  describe('while the replica is behind', () => {
    beforeAll(async () => {
      await replica.catchUp();
      await replica.pauseReplay();
    });
    afterAll(async () => {
      await replica.resumeReplay();
      await replica.catchUp();
    });

    it.each(operations)('shows each write at once in %s', async (_, list, write) => {
      const id = await write();
      const { result, answered, reasons } = await running.counting(() => list(clerk));
      expect(ids(result)).toContain(id);
      expect(answered).toBe(0);
      expect(Object.keys(reasons).filter((reason) => !['behind', 'unavailable'].includes(reason))).toEqual(
        [],
      );
      expect(Object.values(reasons)).toEqual([1]);
    });

    it('shows nothing to a member whose grant is revoked', async () => {
      const member = await tenant.with();
      await replica.resumeReplay();
      const grant = await saveAccessGrant(tenant, member, { file: file.id });
      await replica.catchUp();
      expect(ids(await running.fromReplica(() => member.get('/files')))).toEqual([file.id]);
      await replica.pauseReplay();
      expect((await onOther(clerk).delete(`/access-grants/${grant}`)).status).toBe(204);
      const { result, answered } = await running.counting(() => member.get('/files'));
      expectProblem(result, 'permission.missing');
      expect(answered).toBe(0);
    });

    it('refuses a member whose role or membership has ended', async () => {
      await replica.resumeReplay();
      const [viewer, leaving] = [await tenant.as('viewer'), await tenant.as('viewer')];
      await replica.catchUp();
      for (const actor of [viewer, leaving]) await running.fromReplica(() => actor.get('/files'));
      await replica.pauseReplay();
      const role = await post('/roles', { name: 'No rights', permissions: [] });
      const changed = await onOther(clerk).put(`/members/${viewer.userId}`, { roleId: role });
      expect(changed.status).toBe(200);
      expectProblem(await viewer.get('/files'), 'permission.missing');
      expect((await onOther(clerk).delete(`/members/${leaving.userId}`)).status).toBe(204);
      expectProblem(await leaving.get('/files'), 'tenant.no-access');
    });

    it('continues the pages of the replica on the primary, and later on the replica again', async () => {
      await replica.resumeReplay();
      const paged = await running.service.tenant();
      const reader = await paged.as('administrator');
      const type = (await saveFileType(paged)).id;
      const created: string[] = [];
      for (let i = 0; i < 6; i += 1) created.push((await saveFile(paged, reader, { fileTypeId: type })).id);
      await replica.catchUp();
      const first = pageOf(await running.fromReplica(() => reader.get('/files?limit=2')));
      await replica.pauseReplay();
      await saveFileType(paged);
      const next = (cursor: string | null) => reader.get(`/files?limit=2&cursor=${cursor}`);
      const { result, answered } = await running.counting(() => next(first.nextCursor));
      expect(answered).toBe(0);
      const second = pageOf(result);
      await replica.resumeReplay();
      await replica.catchUp();
      const third = pageOf(await running.fromReplica(() => next(second.nextCursor)));
      const all = [first, second, third].flatMap(({ items }) => items.map(({ id }) => id));
      expect(all).toEqual(created.reverse());
      expect(third.nextCursor).toBeNull();
    });
  });

  it('sends a request with rights that have changed to the primary', async () => {
    const viewer = await tenant.as('viewer');
    await replica.catchUp();
    await running.fromReplica(() => viewer.get('/files'));
    expect((await onOther(clerk).delete(`/members/${viewer.userId}`)).status).toBe(204);
    // The sequencer writes after the change.
    await sequenced(tenant);
    await replica.catchUp();
    // The cached rights have the former access version, the replica the current one.
    const { result, answered, reasons } = await running.counting(() => viewer.get('/files'));
    expectProblem(result, 'tenant.no-access');
    expect([answered, reasons]).toEqual([0, { 'access-changed': 1 }]);
  });

  it('shows neither files of other tenants nor files of expired grants on the replica', async () => {
    const foreign = await running.service.tenant();
    await saveFile(foreign, await foreign.as('administrator'));
    const member = await tenant.with();
    const [expired, valid] = [await saveFile(tenant, clerk), await saveFile(tenant, clerk)];
    await saveAccessGrant(tenant, member, { file: expired.id }, { expiresAt: `now() - interval '1 second'` });
    await saveAccessGrant(tenant, member, { file: valid.id }, { expiresAt: `now() + interval '1 hour'` });
    await replica.catchUp();
    expect(ids(await running.fromReplica(() => member.get('/files')))).toEqual([valid.id]);
    const stranger = await foreign.nonMember();
    expectProblem(await stranger.inTenant(tenant).get('/files'), 'tenant.no-access');
  });
});
