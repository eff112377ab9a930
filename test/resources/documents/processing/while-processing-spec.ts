import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Test } from 'supertest';
import { putContent, saveTag, upload } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { processed } from '../../../support/processed.js';
import { TestService } from '../../../support/service/service.js';
import { asBytes } from '../../../support/stored-content.js';
import { type TestTenant } from '../../../support/tenant.js';
import { type ProblemCode } from '../../../../src/common/messages/problems.js';

/** Documents that really wait for a worker, unlike those that other specs put into the database in this state. */
describe('While a document is being processed', () => {
  let service: TestService;
  let tenant: TestTenant;
  let manager: Actor;
  let id: string;
  let fileId: string;
  let otherFileId: string;
  let tagId: string;
  beforeAll(async () => {
    service = await TestService.shared();
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('administrator');
    [fileId, otherFileId] = [(await saveFile(tenant, manager)).id, (await saveFile(tenant, manager)).id];
    tagId = (await saveTag(tenant)).id;
    const response = await upload(
      manager,
      { title: 'Plan', fileIds: [fileId] },
      { bytes: 'Hello', mediaType: 'text/plain' },
    );
    expect([response.status, response.body]).toMatchObject([201, { status: 'Processing' }]);
    id = (response.body as { id: string }).id;
  });

  const refused: [string, ProblemCode, () => Test, number][] = [
    [
      'its file is not closed',
      'file.documents-processing',
      () => manager.post(`/files/${fileId}/close`),
      200,
    ],
    ['it is not archived', 'document.processing', () => manager.post(`/documents/${id}/archive`), 200],
    ['it is not put into the bin', 'document.processing', () => manager.delete(`/documents/${id}`), 204],
    [
      'it is not taken out of a file',
      'document.processing',
      () => manager.delete(`/documents/${id}/files/${fileId}`),
      204,
    ],
    ['its content is not replaced', 'document.processing', () => putContent(manager, id, 'Other'), 200],
  ];
  it.each(refused)('%s: 409, and afterwards it is', async (_, problem, send, success) => {
    const before = await tenant.fingerprint();
    expectProblem(await send(), problem);
    expect(await tenant.fingerprint()).toEqual(before);
    await processed(tenant, id);
    expect((await send()).status).toBe(success);
  });

  it.each([
    ['unarchived', 'document.not-archived', () => manager.post(`/documents/${id}/unarchive`)],
    ['restored', 'document.not-deleted', () => manager.post(`/documents/${id}/restore`)],
  ] as [string, ProblemCode, () => Test][])('it is not %s: 409', async (_, problem, send) => {
    const before = await tenant.fingerprint();
    expectProblem(await send(), problem);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('it is edited, tagged, filed and made confidential, and none of it is lost when it is Active', async () => {
    await manager.put(`/documents/${id}`, { title: 'Anderer Plan' }).expect(200);
    await manager.put(`/documents/${id}/tags/${tagId}`).expect(204);
    await manager.put(`/documents/${id}/files/${otherFileId}`).expect(204);
    await manager.put(`/documents/${id}/confidentiality`, { isConfidential: true }).expect(200);
    await processed(tenant, id);
    expect((await manager.get(`/documents/${id}`)).body).toMatchObject({
      title: 'Anderer Plan',
      status: 'Active',
      tagIds: [tagId],
      fileIds: [fileId, otherFileId].sort(),
      isConfidential: true,
    });
  });

  it('it is found by its title and by its status, and its content is handed out', async () => {
    const found = await manager.get('/documents?q=Plan&status=Processing');
    expect((found.body as { items: object[] }).items).toMatchObject([{ id }]);
    const listed = await manager.get(`/files/${fileId}/documents`);
    expect((listed.body as { items: object[] }).items).toMatchObject([
      { documentId: id, status: 'Processing' },
    ]);
    const content = await asBytes(manager.get(`/documents/${id}/content`));
    expect([content.status, String(content.body)]).toEqual([200, 'Hello']);
    await processed(tenant, id);
    const none = await manager.get('/documents?status=Processing');
    expect((none.body as { items: object[] }).items).toEqual([]);
  });

  it('its entity tag is that of a document that is being processed, and no other afterwards', async () => {
    const before = await manager.get(`/documents/${id}`);
    await processed(tenant, id);
    const after = await manager.get(`/documents/${id}`);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    const stale = manager
      .put(`/documents/${id}`, { title: 'Neu' })
      .set('If-Match', before.headers.etag ?? '');
    expectProblem(await stale, 'request.precondition-failed');
  });
});
