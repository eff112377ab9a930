import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '../../../src/common/identifier.js';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveDocument, saveVersion } from '../../factories/documents.js';
import { saveExport } from '../../factories/exports.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { asBytes } from '../../support/stored-content.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { createExport } from './support/packages.js';

describe('GetExportContent', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  let id: string;
  let hash: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer', 'Vera');
    ({ id, sha256: hash } = await saveExport(tenant, viewer, { name: 'Neubau: Süd', bytes: 'package' }));
  });

  const get = (actor = viewer, exportId = id) => actor.get(`/exports/${exportId}/content`);
  const downloads = async () => (await tenant.audit()).filter(({ action }) => action === 'ExportDownloaded');

  it('returns 200 with the bytes and their headers, and writes an audit entry', async () => {
    const response = await asBytes(get());
    expect([response.status, (response.body as Buffer).toString()]).toEqual([200, 'package']);
    expect(response.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="Neubau_ S?d.zip"; filename*=UTF-8''Neubau_%20S%C3%BCd.zip`,
      'accept-ranges': 'bytes',
      etag: `"${hash}"`,
    });
    expect(await downloads()).toEqual([viewer.entry('ExportDownloaded', 'Export', id, 'Neubau: Süd')]);
  });

  it('returns 206 with a range, and counts the ranges of one download once', async () => {
    const first = await asBytes(get().set('Range', 'bytes=0-2'));
    const second = await asBytes(get().set('Range', 'bytes=3-').set('If-Range', `"${hash}"`));
    expect([first.status, second.status]).toEqual([206, 206]);
    expect(Buffer.concat([first.body as Buffer, second.body as Buffer]).toString()).toBe('package');
    expect(await downloads()).toHaveLength(1);
  });

  it('returns 304 for known bytes', async () => {
    expect((await get().set('If-None-Match', `"${hash}"`)).status).toBe(304);
    expect(await downloads()).toEqual([]);
  });

  it('returns 412 when If-Match names other bytes', async () => {
    expectProblem(await get().set('If-Match', '"other"'), 'request.precondition-failed');
    expect(await downloads()).toEqual([]);
  });

  it('returns 416 for a range after the end', async () => {
    expectProblem(await get().set('Range', 'bytes=7-'), 'content.range-not-satisfiable');
    expect(await downloads()).toEqual([]);
  });

  it.each(['Pending', 'Running', 'Failed', 'Expired'] as const)(
    'returns 409 export.not-ready for %s',
    async (status) => {
      const other = await saveExport(tenant, viewer, { status });
      expectProblem(await get(viewer, other.id), 'export.not-ready');
    },
  );

  it('returns 409 export.not-ready after the expiry, before the sweep', async () => {
    await tenant.query(`UPDATE exports SET expires_at = now() - interval '1 second' WHERE tenant_id = $1`);
    expectProblem(await get(), 'export.not-ready');
  });

  it('returns 409 export.outdated when one of its documents is no longer visible', async () => {
    const member = await tenant.with('exports.create', 'documents.read');
    const admin = await tenant.as('administrator');
    const file = await saveFile(tenant, admin);
    const grantId = await saveAccessGrant(tenant, member, { file: file.id });
    const document = await saveDocument(tenant, admin, { fileIds: [file.id] });
    await saveVersion(tenant, admin, document.id, { bytes: 'Text' });
    const { id: exportId } = await createExport(member, { documentIds: [document.id] });
    await asBytes(get(member, exportId)).expect(200);
    await admin.delete(`/access-grants/${grantId}`).expect(204);
    expectProblem(await get(member, exportId), 'export.outdated');
  });

  it('returns 409 export.outdated when a document in a later part is no longer visible', async () => {
    const admin = await tenant.as('administrator');
    const ids = Array.from({ length: 1300 }, newId);
    await tenant.query(
      `INSERT INTO documents (tenant_id, id, title, status, created_by, created_at, updated_at)
       SELECT $1, d.id, 'Document', 'Active', $3, now() - interval '1 hour' + d.n * interval '1 ms', now()
         FROM unnest($2::uuid[]) WITH ORDINALITY AS d (id, n)`,
      ids,
      admin.userId,
    );
    const { id: exportId, documentCount } = await createExport(admin, { all: true });
    expect(documentCount).toBe(1300);
    await asBytes(get(admin, exportId)).expect(200);
    await tenant.query(
      'UPDATE documents SET is_confidential = true WHERE tenant_id = $1 AND id = $2',
      ids[0],
    );
    expectProblem(await get(admin, exportId), 'export.outdated');
  });

  it('returns 409 export.outdated when the creator has lost auditLog.read', async () => {
    const admin = await tenant.as('administrator');
    const manager = await tenant.as('records_manager');
    const { id: exportId } = await createExport(manager, { all: true });
    await asBytes(get(manager, exportId)).expect(200);
    await admin.put(`/members/${manager.userId}`, { roleId: await tenant.roleId('editor') }).expect(200);
    expectProblem(await get(manager, exportId), 'export.outdated');
  });

  it('returns 404 to other members', async () => {
    expectProblem(await get(await tenant.as('administrator')), 'resource.not-found');
  });
});
