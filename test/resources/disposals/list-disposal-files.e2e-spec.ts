import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveClosedFile, saveDisposal } from '../../factories/disposals.js';
import { saveDocument } from '../../factories/documents.js';
import { saveFileType } from '../../factories/files.js';
import { pagedList } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { DisposalScene } from './support/disposal-scene.js';
import { onlyForReaders } from './support/only-for-readers.js';

/** Id of a disposal in every tenant of the test: ids are unique only within a tenant. */
const DISPOSAL = '0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3f';

describe('ListDisposalFiles', () => {
  let scene: DisposalScene;
  beforeEach(async () => {
    scene = await DisposalScene.create(service);
    await scene.save({ id: DISPOSAL });
  });
  const path = `/disposals/${DISPOSAL}/files`;

  onlyForReaders({ tenant: () => scene.tenant, send: (actor) => actor.get(path) });
  pagedList({
    actor: () => scene.maker,
    other: () => scene.tenant.as('administrator'),
    path,
    otherPath: '/disposals',
    key: 'fileId',
    fill: async (where, count) => {
      if (where !== scene.tenant)
        await saveDisposal(where, scene.maker, { id: DISPOSAL, fileTypeId: (await saveFileType(where)).id });
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1)
        ids.push((await saveClosedFile(where, scene.maker, { years: 100 - n })).id);
      await service.query(
        `INSERT INTO disposal_files (tenant_id, disposal_id, file_id, number, number_key, closed_at)
         SELECT f.tenant_id, $2::uuid, f.id, f.number, f.number_key, f.closed_at
           FROM files f WHERE f.tenant_id = $1 AND f.id = ANY ($3::uuid[])`,
        [where.id, DISPOSAL, ids],
      );
      return ids;
    },
  });

  it('returns 200 with what the caller sees of a file', async () => {
    const file = await saveClosedFile(scene.tenant, scene.maker, { fileTypeId: scene.fileTypeId });
    const fileIds = [file.id];
    await saveDocument(scene.tenant, scene.maker, { fileIds });
    await saveDocument(scene.tenant, scene.maker, { fileIds, status: 'Deleted' });
    await saveDocument(scene.tenant, scene.maker, { fileIds, confidentialTo: [scene.approver] });
    const id = await scene.save({ fileIds });
    const line = {
      ...{ fileId: file.id, number: file.number, name: file.name, closedAt: expect.any(String) },
      ...{ documentCount: 1, decision: 'Destroy', reference: null, keepUntil: null, outcome: null },
      skippedBecause: null,
    };
    const listed = async (actor: typeof scene.maker) =>
      (await actor.get(`/disposals/${id}/files`)).body as object;
    expect(await listed(scene.maker)).toEqual({ items: [line], nextCursor: null });
    expect(await listed(scene.approver)).toMatchObject({ items: [{ documentCount: 2 }] });
    const auditor = await scene.tenant.as('auditor');
    expect(await listed(auditor)).toMatchObject({ items: [{ name: null, documentCount: 0 }] });
  });
});
