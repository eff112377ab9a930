import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Test } from 'supertest';
import { putContent, saveTag, upload } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { expectRefused } from '../../../support/expect-refused.js';
import { waitUntilProcessed } from '../../../support/wait-until-processed.js';
import { service } from '../../../support/service/shared-service.js';
import { asBytes } from '../../../support/stored-content.js';
import { type TestTenant } from '../../../support/tenant.js';
import { type ProblemCode } from '../../../../src/common/messages/problems.js';

/** These documents really wait for a worker; other specs set the status in the database. */
describe('A document that is Processing', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let id: string;
  let fileId: string;
  let otherFileId: string;
  let tagId: string;
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

  const rejectedOperations: [string, ProblemCode, () => Test, number][] = [
    ['CloseFile on its file', 'file.documents-processing', () => manager.post(`/files/${fileId}/close`), 200],
    ['ArchiveDocument', 'document.processing', () => manager.post(`/documents/${id}/archive`), 200],
    ['DeleteDocument', 'document.processing', () => manager.delete(`/documents/${id}`), 204],
    ['UnfileDocument', 'document.processing', () => manager.delete(`/documents/${id}/files/${fileId}`), 204],
    ['ReplaceDocumentContent', 'document.processing', () => putContent(manager, id, 'Other'), 200],
  ];
  it.each(rejectedOperations)('rejects %s with 409 until it is Active', async (_, problem, send, success) => {
    await expectRefused(tenant, () => send(), problem);
    await waitUntilProcessed(tenant, id);
    expect((await send()).status).toBe(success);
  });

  it.each([
    ['UnarchiveDocument', 'document.not-archived', () => manager.post(`/documents/${id}/unarchive`)],
    ['RestoreDocument', 'document.not-deleted', () => manager.post(`/documents/${id}/restore`)],
  ] as [string, ProblemCode, () => Test][])('rejects %s with 409', async (_, problem, send) => {
    await expectRefused(tenant, () => send(), problem);
  });

  it('keeps edits, tags, files and confidentiality when it becomes Active', async () => {
    await manager.put(`/documents/${id}`, { title: 'Anderer Plan' }).expect(200);
    await manager.put(`/documents/${id}/tags/${tagId}`).expect(204);
    await manager.put(`/documents/${id}/files/${otherFileId}`).expect(204);
    await manager.put(`/documents/${id}/confidentiality`, { isConfidential: true }).expect(200);
    await waitUntilProcessed(tenant, id);
    expect((await manager.get(`/documents/${id}`)).body).toMatchObject({
      title: 'Anderer Plan',
      status: 'Active',
      tagIds: [tagId],
      fileIds: [fileId, otherFileId].sort(),
      isConfidential: true,
    });
  });

  it('is found by title and status, and its content is available', async () => {
    const found = await manager.get('/documents?q=Plan&status=Processing');
    expect((found.body as { items: object[] }).items).toMatchObject([{ id }]);
    const listed = await manager.get(`/files/${fileId}/documents`);
    expect((listed.body as { items: object[] }).items).toMatchObject([
      { documentId: id, status: 'Processing' },
    ]);
    const content = await asBytes(manager.get(`/documents/${id}/content`));
    expect([content.status, String(content.body)]).toEqual([200, 'Hello']);
    await waitUntilProcessed(tenant, id);
    const none = await manager.get('/documents?status=Processing');
    expect((none.body as { items: object[] }).items).toEqual([]);
  });

  it('has another entity tag once it is Active', async () => {
    const before = await manager.get(`/documents/${id}`);
    await waitUntilProcessed(tenant, id);
    const after = await manager.get(`/documents/${id}`);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    const stale = manager
      .put(`/documents/${id}`, { title: 'Neu' })
      .set('If-Match', before.headers.etag ?? '');
    expectProblem(await stale, 'request.precondition-failed');
  });
});
