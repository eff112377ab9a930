import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { saveHold } from '../../factories/holds.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('GetDocumentRetention', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  let documentId: string;
  let fileIds: string[];
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer');
    fileIds = [(await saveFile(tenant, viewer)).id, (await saveFile(tenant, viewer)).id];
    documentId = (await saveDocument(tenant, viewer, { fileIds })).id;
  });
  const isHeld = async () => (await viewer.get(`/documents/${documentId}/retention`)).body as object;

  it('returns 404 for a document in the bin to a caller who cannot see the bin', async () => {
    const { id } = await saveDocument(tenant, viewer, { status: 'Deleted' });
    expectProblem(await viewer.get(`/documents/${id}/retention`), 'resource.not-found');
    const editor = await tenant.as('editor');
    expect((await editor.get(`/documents/${id}/retention`)).body).toEqual({ isHeld: false });
  });

  it('returns 200 with isHeld false without a hold, with released holds, and with holds on others', async () => {
    const other = await saveDocument(tenant, viewer, { fileIds: [(await saveFile(tenant, viewer)).id] });
    await saveHold(tenant, viewer, { documentIds: [documentId], fileIds, isReleased: true });
    await saveHold(tenant, viewer, { documentIds: [other.id] });
    const response = await viewer.get(`/documents/${documentId}/retention`);
    expect([response.status, response.body]).toEqual([200, { isHeld: false }]);
  });

  it('returns 200 with isHeld true for a hold on the document', async () => {
    await saveHold(tenant, viewer, { documentIds: [documentId] });
    expect(await isHeld()).toEqual({ isHeld: true });
  });

  it('returns 200 with isHeld true for a hold on one of its files, also if the caller does not see it', async () => {
    await saveHold(tenant, viewer, { fileIds: fileIds.slice(1) });
    expect(await isHeld()).toEqual({ isHeld: true });
    const creator = await tenant.with('documents.read');
    const { id } = await saveDocument(tenant, creator, { fileIds });
    expect((await creator.get(`/documents/${id}/retention`)).body).toEqual({ isHeld: true });
  });
});
