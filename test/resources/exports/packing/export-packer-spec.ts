import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { rm, writeFile } from 'node:fs/promises';
import { ContentSweeper } from '../../../../src/resources/documents/contents/content-sweeper.js';
import { ContentStore } from '../../../../src/platform/content/content-store.js';
import { ExportEnding } from '../../../../src/resources/exports/export-ending.js';
import { saveDocument, saveVersion } from '../../../factories/documents.js';
import { saveExport } from '../../../factories/exports.js';
import { type Actor } from '../../../support/actor.js';
import { TestService } from '../../../support/service/service.js';
import { sha256Of } from '../../../support/content-fixtures.js';
import { storedHashes, storedPath, temporaryFiles } from '../../../support/stored-content.js';
import { type TestTenant } from '../../../support/tenant.js';
import { type Export, createExport, finished, packageOf } from '../support/packages.js';

describe('ExportPacker', () => {
  let service: TestService;
  let tenant: TestTenant;
  let admin: Actor;
  let documentId: string;
  beforeAll(async () => {
    // The tests run the jobs.
    service = await TestService.start({ WORKER_CONCURRENCY: '0' });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
    documentId = (await saveDocument(tenant, admin, { title: 'Vermerk' })).id;
    await saveVersion(tenant, admin, documentId, { bytes: 'Text' });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const request = async (actor = admin) =>
    ((await actor.post('/exports', { name: 'Neubau', all: true }).expect(202)).body as Export).id;
  const get = async (id: string) => (await admin.get(`/exports/${id}`).expect(200)).body as Export;
  const exported = async () =>
    (await tenant.audit()).filter(({ action }) => action === 'DocumentExported').length;
  const makeDue = () =>
    tenant.query(`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE payload ->> 'tenantId' = $1`);

  it('sets the export to Ready for 48 hours, with the size of its package', async () => {
    const id = await request();
    await service.runJobs();
    const { status, size, documentsDone, documentCount, expiresAt } = await get(id);
    expect([status, documentsDone, documentCount]).toEqual(['Ready', 1, 1]);
    const [content] = await tenant.query(
      `SELECT c.size::int AS size, round(extract(epoch FROM x.expires_at - now()) / 3600)::int AS hours
         FROM exports x JOIN contents c ON c.tenant_id = x.tenant_id AND c.sha256 = x.content_sha256
        WHERE x.tenant_id = $1`,
    );
    expect([content, expiresAt]).toEqual([{ size, hours: 48 }, expect.any(String)]);
  });

  it('uses the rights that the creator has when it runs', async () => {
    const manager = await tenant.as('records_manager');
    const hidden = await saveDocument(tenant, admin, { confidentialTo: [admin] });
    const id = await request(manager);
    await admin.put(`/members/${manager.userId}`, { roleId: await tenant.roleId('editor') }).expect(200);
    await service.runJobs();
    const files = await packageOf(manager, id);
    const text = [...files.values()].map(String).join();
    expect(text).toContain(documentId);
    expect(text).not.toContain(hidden.id);
    expect([...files.keys()].filter((path) => path.includes('audit'))).toEqual([]);
  });

  it('fails with NotPermitted when the creator has lost the permission, or left', async () => {
    const [editor, leaver] = [await tenant.as('editor'), await tenant.as('editor')];
    const id = await request(editor);
    await request(leaver);
    await admin.put(`/members/${editor.userId}`, { roleId: await tenant.roleId('viewer') }).expect(200);
    await admin.delete(`/members/${leaver.userId}`).expect(204);
    await service.runJobs();
    await makeDue();
    await service.runJobs();
    const response = await editor.get(`/exports/${id}`).expect(200);
    expect(response.body).toMatchObject({ status: 'Failed', failure: 'NotPermitted', size: null });
    const rows = await tenant.query('SELECT status, failure FROM exports WHERE tenant_id = $1');
    expect(rows).toEqual([
      { status: 'Failed', failure: 'NotPermitted' },
      { status: 'Failed', failure: 'NotPermitted' },
    ]);
    const types = (await tenant.notifications()).filter(({ type }) => type === 'ExportFailed');
    expect(types).toEqual([
      { user_id: editor.userId, type: 'ExportFailed', parameters: { exportId: id, name: 'Neubau' } },
    ]);
  });

  it('fails with ContentDamaged when the bytes of a document have changed, and leaves nothing in the store', async () => {
    await writeFile(storedPath(tenant, sha256Of('Text')), 'Tent');
    const id = await request();
    await service.runJobs();
    expect(await get(id)).toMatchObject({ status: 'Failed', failure: 'ContentDamaged', documentsDone: 0 });
    expect(await storedHashes(tenant)).toEqual([sha256Of('Text')]);
    expect(await temporaryFiles(service)).toEqual([]);
    expect(await exported()).toBe(0);
    expect(await tenant.query('SELECT FROM export_items WHERE tenant_id = $1')).toEqual([]);
  });

  it('fails with StorageLimitExceeded when the package does not fit into the storage of the tenant', async () => {
    await tenant.query('UPDATE tenants SET storage_limit = 1000 WHERE id = $1');
    const id = await request();
    await service.runJobs();
    expect(await get(id)).toMatchObject({ status: 'Failed', failure: 'StorageLimitExceeded' });
    expect(await storedHashes(tenant)).toEqual([sha256Of('Text')]);
    expect(await temporaryFiles(service)).toEqual([]);
  });

  it('begins again after an error, and fails with ContentDamaged after the last attempt', async () => {
    await rm(storedPath(tenant, sha256Of('Text')));
    const id = await request();
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await service.runJobs();
      const { status, failure } = await get(id);
      expect([status, failure]).toEqual(attempt < 4 ? ['Running', null] : ['Failed', 'ContentDamaged']);
      await makeDue();
    }
    expect(await temporaryFiles(service)).toEqual([]);
  });

  it('begins again after an error of the store, without a trace of the first attempt', async () => {
    const store = service.app.get(ContentStore);
    jest.spyOn(store, 'keep').mockRejectedValueOnce(new Error('The store is full'));
    const id = await request();
    await service.runJobs();
    expect((await get(id)).status).toBe('Running');
    expect(await temporaryFiles(service)).toEqual([]);
    await makeDue();
    await service.runJobs();
    expect(await get(id)).toMatchObject({ status: 'Ready', documentCount: 1, documentsDone: 1 });
    expect(await storedHashes(tenant)).toHaveLength(2);
    expect(await exported()).toBe(2);
  });

  it('runs one export of a tenant at a time', async () => {
    const id = await request();
    await tenant.query(`UPDATE exports SET status = 'Running', run_id = id WHERE tenant_id = $1`);
    await tenant.query(`DELETE FROM graphile_worker._private_jobs WHERE payload ->> 'tenantId' = $1`);
    const second = await request();
    await service.runJobs();
    expect((await get(second)).status).toBe('Pending');
    await admin.delete(`/exports/${id}`).expect(204);
    await makeDue();
    await service.runJobs();
    expect((await get(second)).status).toBe('Ready');
  });

  it('stops when the export is deleted, and leaves nothing in the store', async () => {
    const id = await request();
    const store = service.app.get(ContentStore);
    const keep = store.keep.bind(store);
    jest.spyOn(store, 'keep').mockImplementationOnce(async (...args) => {
      await admin.delete(`/exports/${id}`).expect(204);
      await keep(...args);
    });
    await service.runJobs();
    expect(await storedHashes(tenant)).toEqual([sha256Of('Text')]);
    expect(await temporaryFiles(service)).toEqual([]);
    expect(await tenant.jobs()).toEqual([]);
    expect(await tenant.notifications()).toEqual([]);
  });

  describe('ExportEnding', () => {
    const sweep = () => service.app.get(ExportEnding).sweep();

    it('removes the package of an expired export at once, and keeps that of others', async () => {
      const [{ id }, kept] = [
        await createExport(admin, { all: true }),
        await createExport(admin, { all: true }),
      ];
      await service.query(
        `UPDATE exports SET expires_at = now() - interval '1 second' WHERE id = $1 AND tenant_id = $2`,
        [id, tenant.id],
      );
      await sweep();
      expect((await get(id)).status).toBe('Expired');
      expect(await storedHashes(tenant)).toHaveLength(2);
      await packageOf(admin, kept.id);
      expect(
        await tenant.query('SELECT FROM export_items WHERE tenant_id = $1 AND export_id = $2', id),
      ).toEqual([]);
    });

    it('deletes exports without a package after 30 days', async () => {
      const ids: string[] = [];
      for (const status of ['Failed', 'Expired', 'Ready'] as const)
        ids.push((await saveExport(tenant, admin, { status })).id);
      await tenant.query(
        `UPDATE exports SET created_at = now() - interval '30 days 1 minute' WHERE tenant_id = $1`,
      );
      await sweep();
      const rows = await tenant.query('SELECT id FROM exports WHERE tenant_id = $1');
      expect(rows).toEqual([{ id: ids[2] }]);
    });

    it('adds a lost job again, and fails an export whose job has no attempts left', async () => {
      const lost = await request();
      await service.query(`DELETE FROM graphile_worker._private_jobs WHERE payload ->> 'exportId' = $1`, [
        lost,
      ]);
      const dead = await request();
      await service.query(
        `UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE payload ->> 'exportId' = $1`,
        [dead],
      );
      await sweep();
      expect(await get(dead)).toMatchObject({ status: 'Failed', failure: 'ServiceError' });
      expect((await finished(admin, lost)).status).toBe('Ready');
    });
  });

  it('has packages that the sweep of the content store keeps', async () => {
    const { id } = await createExport(admin, { all: true });
    await tenant.query(`UPDATE contents SET linked_at = now() - interval '2 days' WHERE tenant_id = $1`);
    const sweeper = service.app.get(ContentSweeper);
    await sweeper.sweep();
    const [row] = await service.query<{ hash: string }>(
      'SELECT content_sha256 AS hash FROM exports WHERE id = $1',
      [id],
    );
    await sweeper.removeNow(tenant.id, row?.hash ?? '');
    await packageOf(admin, id);
  });
});
