import { beforeEach, describe, expect, it } from '@jest/globals';
import { DisposalExecution } from '../../../src/resources/disposals/disposal-execution.js';
import { saveDocument, saveVersion } from '../../factories/documents.js';
import { saveHold } from '../../factories/holds.js';
import { expectProblem } from '../../support/expect-problem.js';
import { inTurn } from '../../support/locks.js';
import { service } from '../../support/service/shared-service.js';
import { DisposalScene } from './support/disposal-scene.js';

describe('The execution of a disposal at the same time', () => {
  let scene: DisposalScene;
  let fileId: string;
  let documentId: string;
  let id: string;
  let holdId: string;
  beforeEach(async () => {
    scene = await DisposalScene.create(service);
    fileId = await scene.dueFile();
    documentId = (await saveDocument(scene.tenant, scene.maker, { fileIds: [fileId] })).id;
    await saveVersion(scene.tenant, scene.maker, documentId, { bytes: 'x' });
    id = await scene.save({ fileIds: [fileId], status: 'Approved' });
    holdId = (await saveHold(scene.tenant, scene.maker)).id;
  });
  const execute = () => service.app.get(DisposalExecution).execute(scene.tenant.id, id);
  const place = (type: 'file' | 'document') =>
    scene.maker.put(`/holds/${holdId}/${type}s/${type === 'file' ? fileId : documentId}`);
  const itemRow = (type: 'file' | 'document') => ({
    sql: `INSERT INTO hold_${type}s (tenant_id, hold_id, ${type}_id, added_by) VALUES ($1, $2, $3, $4)`,
    values: [scene.tenant.id, holdId, type === 'file' ? fileId : documentId, scene.maker.userId],
  });
  /** The execution inserts this row after it has asked for holds. */
  const contentRow = async () => {
    const [{ sha256 } = { sha256: '' }] = await scene.tenant.query<{ sha256: string }>(
      'SELECT content_sha256 AS sha256 FROM document_versions WHERE tenant_id = $1',
    );
    return {
      sql: 'INSERT INTO disposal_contents (tenant_id, disposal_id, sha256) VALUES ($1, $2, $3)',
      values: [scene.tenant.id, id, sha256],
    };
  };
  /** So many documents that the first transaction does not lock the one of the test. */
  const addDocumentsBefore = () =>
    scene.tenant.query(
      `WITH d AS (
         INSERT INTO documents (tenant_id, id, title, status, is_confidential, created_by)
         SELECT $1, lpad(n::text, 32, '0')::uuid, 'D', 'Active', false, $3 FROM generate_series(1, 501) n
         RETURNING id, created_at)
       INSERT INTO document_files (tenant_id, document_id, file_id, created_at, file_type_id)
       SELECT $1, d.id, $2, d.created_at, $4 FROM d`,
      fileId,
      scene.maker.userId,
      scene.fileTypeId,
    );

  it.each([
    ['file', 0],
    ['document', 0],
    ['document', 501],
  ] as const)('sees a hold that is placed on a %s meanwhile, after %i documents', async (type, before) => {
    if (before > 0) await addDocumentsBefore();
    const documents = await scene.ids('documents');
    const [placed] = await inTurn(service, itemRow(type), () => place(type), execute);
    expect(placed.status).toBe(204);
    expect(await scene.ids('documents')).toEqual(documents);
    expect((await scene.stored(id)).files[fileId]).toMatchObject({ outcome: 'Skipped', because: 'Held' });
  });

  it.each(['file', 'document'] as const)(
    'is not undone by a hold on a %s that waits for it',
    async (type) => {
      const [, placed] = await inTurn(service, await contentRow(), execute, () => place(type));
      expectProblem(placed, 'resource.not-found');
      expect(await scene.ids('files')).toEqual([]);
    },
  );

  it('refuses a hold on a document that it has not locked yet', async () => {
    await addDocumentsBefore();
    const [{ id: firstId } = { id: '' }] = await scene.tenant.query<{ id: string }>(
      'SELECT min(id::text) AS id FROM documents WHERE tenant_id = $1',
    );
    await saveVersion(scene.tenant, scene.maker, firstId, { bytes: 'first' });
    const row = await contentRow();
    const [{ sha256 } = { sha256: '' }] = await scene.tenant.query<{ sha256: string }>(
      'SELECT content_sha256 AS sha256 FROM document_versions WHERE tenant_id = $1 AND document_id = $2',
      firstId,
    );
    const [, placed] = await inTurn(service, { ...row, values: [scene.tenant.id, id, sha256] }, execute, () =>
      place('document'),
    );
    expect([404, 409]).toContain(placed.status);
    expect(await scene.ids('documents')).toEqual([]);
  });

  it('is not undone by a reopening that waits for it', async () => {
    const [, reopened] = await inTurn(service, await contentRow(), execute, () =>
      scene.approver.post(`/files/${fileId}/reopen`),
    );
    expectProblem(reopened, 'resource.not-found');
  });
});
