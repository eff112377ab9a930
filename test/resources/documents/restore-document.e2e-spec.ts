import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveDocument, saveTag } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('RestoreDocument', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let document: { id: string; title: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Mara Manager');
    document = await saveDocument(tenant, manager, { title: 'Bauplan', status: 'Deleted' });
  });

  const restore = (actor = manager, id = document.id) => actor.post(`/documents/${id}/restore`);

  it.each(['Active', 'Archived'] as const)(
    'returns 200 with the former status %s, files and tags, and writes an audit entry',
    async (before) => {
      const [file, tag] = [await saveFile(tenant, manager), await saveTag(tenant)];
      const { id } = await saveDocument(tenant, manager, {
        title: 'Bauplan',
        status: 'Deleted',
        statusBeforeDeletion: before,
        fileIds: [file.id],
        tagIds: [tag.id],
      });

      const response = await restore(manager, id);

      expect(response.status).toBe(200);
      expect(response.body).toMatchObject({ id, status: before, fileIds: [file.id], tagIds: [tag.id] });
      const read = await manager.get(`/documents/${id}`);
      expect([read.body, read.headers.etag]).toEqual([response.body, response.headers.etag]);
      expect(await tenant.audit()).toEqual([manager.entry('DocumentRestored', 'Document', id, 'Bauplan')]);
      expect(await tenant.notifications()).toEqual([]);
    },
  );

  it('returns 200 for a document in a Closed file', async () => {
    const closed = await saveFile(tenant, manager, { status: 'Closed' });
    const { id } = await saveDocument(tenant, manager, { status: 'Deleted', fileIds: [closed.id] });
    expect((await restore(manager, id)).body).toMatchObject({ status: 'Active', fileIds: [closed.id] });
  });

  it.each(['Processing', 'Active', 'Archived'] as const)(
    'returns 409 for a document that is %s',
    async (status) => {
      const { id } = await saveDocument(tenant, manager, { status });
      await expectRefused(tenant, restore(manager, id), 'document.not-deleted');
    },
  );
});
