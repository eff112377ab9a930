import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { saveDocument, saveVersion } from '../../factories/documents.js';
import { saveExport } from '../../factories/exports.js';
import { saveFile, saveFileType } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { idempotentCreation } from '../../support/operations/idempotent-creation.js';
import { textRules } from '../../support/operations/text-rules.js';
import { DisposalScene } from '../disposals/support/disposal-scene.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';
import { MAX_EXPORTS } from '../../../src/resources/exports/export-limits.js';

describe('CreateExport', () => {
  let service: TestService;
  let tenant: TestTenant;
  let admin: Actor;
  beforeAll(async () => {
    // Without workers, exports stay as they were created.
    service = await TestService.start({ WORKER_CONCURRENCY: '0' });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
  });

  const create = (changes: object = {}, actor = admin) =>
    actor.post('/exports', { name: 'Neubau', all: true, ...changes });

  idempotentCreation({
    actor: () => admin,
    permission: 'exports.create',
    send: (actor, n) => create({ name: `Export ${n}` }, actor),
    failing: (actor) => create({ all: false }, actor),
    success: 202,
  });
  textRules({
    tenant: () => tenant,
    member: 'name',
    max: 200,
    body: () => ({ name: 'Neubau', all: true }),
    send: (body) => admin.post('/exports', body),
    success: 202,
    remove: (id) => admin.delete(`/exports/${id}`),
  });

  it('returns 202 with the export, and writes an audit entry and a job', async () => {
    const file = await saveFile(tenant, admin);
    await saveDocument(tenant, admin, { fileIds: [file.id] });
    const response = await create({ name: ' Neubau ', all: null, fileIds: [file.id] }).expect(202);
    const { id } = response.body as { id: string };
    expect(response.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'Neubau',
      status: 'Pending',
      documentCount: 1,
      documentsDone: 0,
      size: null,
      createdById: admin.userId,
      createdAt: expect.stringMatching(/Z$/),
      expiresAt: null,
      failure: null,
    });
    expect((await tenant.audit()).filter(({ subject_type: type }) => type === 'Export')).toEqual([
      admin.entry('ExportCreated', 'Export', id, 'Neubau'),
    ]);
  });

  it('gives the permission to administrators, records managers and editors', async () => {
    for (const role of ['administrator', 'records_manager', 'editor'] as const)
      await create({}, await tenant.as(role)).expect(202);
    for (const role of ['viewer', 'auditor', 'guest'] as const)
      expectProblem(await create({}, await tenant.as(role)), 'permission.missing');
  });

  it('returns 400 without a scope, and with several', async () => {
    expectProblem(await create({ all: undefined }), 'request.invalid', ['fileIds']);
    const file = await saveFile(tenant, admin);
    expectProblem(await create({ fileIds: [file.id] }), 'request.invalid', ['fileIds']);
    expectProblem(await create({ all: false }), 'request.invalid', ['all']);
    expectProblem(await create({ all: undefined, fileIds: [] }), 'request.invalid', ['fileIds']);
    const ids = Array.from({ length: 1001 }, (_, n) => file.id.slice(0, -4) + String(n).padStart(4, '0'));
    expectProblem(await create({ all: undefined, documentIds: ids }), 'request.invalid', ['documentIds']);
  });

  it('returns 400 for ids that name nothing visible, and for documents in the bin', async () => {
    const member = await tenant.with('exports.create', 'documents.read');
    const file = await saveFile(tenant, admin);
    const document = await saveDocument(tenant, admin);
    const binned = await saveDocument(tenant, admin, { status: 'Deleted' });
    const other = await service.tenant();
    const type = await saveFileType(other);
    const before = await tenant.fingerprint();
    const send = (scope: object, actor = admin) => create({ all: undefined, ...scope }, actor);
    expectProblem(await send({ fileIds: [file.id] }, member), 'request.invalid', ['fileIds[0]']);
    expectProblem(await send({ documentIds: [document.id] }, member), 'request.invalid', ['documentIds[0]']);
    expectProblem(await send({ documentIds: [document.id, binned.id] }), 'request.invalid', [
      'documentIds[1]',
    ]);
    expectProblem(await send({ fileTypeId: type.id }), 'request.invalid', ['fileTypeId']);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 202 for the visible files of a disposal that is not carried out', async () => {
    const scene = await DisposalScene.create(service);
    const fileIds = [await scene.dueFile(), await scene.dueFile()];
    for (const fileId of fileIds) await saveDocument(scene.tenant, scene.maker, { fileIds: [fileId] });
    const disposalId = await scene.save({ status: 'Submitted', fileIds });
    const send = (actor: Actor, id: string) => create({ all: undefined, disposalId: id }, actor);
    expect((await send(scene.maker, disposalId).expect(202)).body).toMatchObject({ documentCount: 2 });

    const withoutDisposals = await scene.tenant.as('editor');
    const withoutFiles = await scene.tenant.with('exports.create', 'disposals.approve');
    const completed = await scene.save({ status: 'Completed' });
    const before = await scene.tenant.fingerprint();
    for (const [actor, id] of [
      [withoutDisposals, disposalId],
      [withoutFiles, disposalId],
      [scene.maker, completed],
      [scene.maker, await scene.foreign()],
    ] as const)
      expectProblem(await send(actor, id), 'request.invalid', ['disposalId']);
    expect(await scene.tenant.fingerprint()).toEqual(before);
  });

  it('returns 409 export.too-large for contents of more than 50 GB', async () => {
    const { id } = await saveDocument(tenant, admin);
    await saveVersion(tenant, admin, id, { bytes: 'Text' });
    await tenant.query(
      'UPDATE document_versions SET size = 50000000001 WHERE tenant_id = $1 AND document_id = $2',
      id,
    );
    await expectRefused(tenant, () => create(), 'export.too-large');
  });

  it('returns 409 export.too-many for the fourth unfinished export, also for concurrent requests', async () => {
    await saveExport(tenant, admin, { status: 'Running' });
    await saveExport(tenant, await tenant.as('editor'), { status: 'Pending' });
    const statuses = (await Promise.all([1, 2, 3, 4].map(() => create()))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([202, 202, 409, 409]);
    expectProblem(await create(), 'export.too-many');
  });

  it('returns 409 export.too-many with too many exports in total', async () => {
    const { id } = await saveExport(tenant, admin, { status: 'Expired' });
    for (let n = 1; n < MAX_EXPORTS; n += 1) await saveExport(tenant, admin, { status: 'Expired' });
    expectProblem(await create(), 'export.too-many');
    await admin.delete(`/exports/${id}`).expect(204);
    await create().expect(202);
  });
});
