import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { BinPurge } from '../../../src/resources/documents/bin/bin-purge.js';
import { putContent, saveDocument, saveVersion } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { saveHold } from '../../factories/holds.js';
import { type Actor } from '../../support/actor.js';
import { inTurn, waitForBlockedStatements } from '../../support/locks.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('A hold that is placed while something is taken away', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let holdId: string;
  let fileId: string;
  let documentId: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('administrator');
    holdId = (await saveHold(tenant, manager)).id;
    fileId = (await saveFile(tenant, manager)).id;
    documentId = (await saveDocument(tenant, manager, { fileIds: [fileId] })).id;
    for (const bytes of ['one', 'two']) await saveVersion(tenant, manager, documentId, { bytes });
  });

  /** The row that the placing of the hold inserts after it has locked the file or document. */
  const itemRow = (type: 'file' | 'document') => ({
    sql: `INSERT INTO hold_${type}s (tenant_id, hold_id, ${type}_id, added_by) VALUES ($1, $2, $3, $4)`,
    values: [tenant.id, holdId, type === 'file' ? fileId : documentId, manager.userId],
  });
  const place = (type: 'file' | 'document') =>
    manager.put(`/holds/${holdId}/${type}s/${type === 'file' ? fileId : documentId}`);
  const stored = () =>
    tenant.query(
      `SELECT d.status, d.title, d.content_version,
              ARRAY(SELECT file_id FROM document_files WHERE tenant_id = $1 AND document_id = d.id) AS files,
              ARRAY(SELECT id FROM files WHERE tenant_id = $1) AS all_files
         FROM documents d WHERE d.tenant_id = $1 AND d.id = $2`,
      documentId,
    );
  const bulk = (action: string, rest: object = {}) =>
    manager.post('/documents/bulk', { action, documentIds: [documentId], ...rest });

  const OF_DOCUMENT: Record<string, () => PromiseLike<Response>> = {
    DeleteDocument: () => manager.delete(`/documents/${documentId}`),
    'BulkChangeDocuments (Delete)': () => bulk('Delete'),
    UpdateDocument: () => manager.put(`/documents/${documentId}`, { title: 'Other' }),
    ReplaceDocumentContent: () => putContent(manager, documentId, 'three'),
    RestoreDocumentVersion: () => manager.post(`/documents/${documentId}/versions/1/restore`),
  };
  const OF_FILE: typeof OF_DOCUMENT = {
    ...OF_DOCUMENT,
    UnfileDocument: () => manager.delete(`/documents/${documentId}/files/${fileId}`),
    'BulkChangeDocuments (Unfile)': () => bulk('Unfile', { fileIds: [fileId] }),
  };

  it.each([
    ...Object.keys(OF_DOCUMENT).map((name) => ['document', name] as const),
    ...Object.keys(OF_FILE).map((name) => ['file', name] as const),
  ])('is seen by what waits for the %s: %s', async (type, operation) => {
    const before = await stored();
    const [placed, refused] = await inTurn(service, itemRow(type), () => place(type), OF_FILE[operation]!);
    expect(placed.status).toBe(204);
    expect(refused.text).toContain('/problems/hold.active');
    expect(await stored()).toEqual(before);
  });

  it('is seen by DeleteFile', async () => {
    fileId = (await saveFile(tenant, manager)).id;
    const [placed, refused] = await inTurn(
      service,
      itemRow('file'),
      () => place('file'),
      () => manager.delete(`/files/${fileId}`),
    );
    expect([placed.status, refused.status]).toEqual([204, 409]);
    expect(refused.text).toContain('/problems/hold.active');
  });

  const purge = () => service.app.get(BinPurge).purge();
  const binLongAgo = () =>
    tenant.query(
      `UPDATE documents SET status = 'Deleted', status_before_deletion = 'Active', deleted_at = now() - interval '40 days'
        WHERE tenant_id = $1 AND id = $2`,
      documentId,
    );

  it('is seen by the purge of the bin, which waits for the file', async () => {
    await binLongAgo();
    const before = await stored();
    const [placed] = await inTurn(service, itemRow('file'), () => place('file'), purge);
    expect(placed.status).toBe(204);
    expect(await stored()).toEqual(before);
  });

  it('is seen by the purge of the bin, which skips the document', async () => {
    await binLongAgo();
    const client = await service.owner.connect();
    try {
      await client.query('BEGIN');
      await client.query(itemRow('document').sql, itemRow('document').values);
      const placed = Promise.resolve(place('document'));
      expect(await waitForBlockedStatements(service, 1)).toBe(true);
      await purge();
      await client.query('ROLLBACK');
      expect((await placed).status).toBe(204);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    await purge();
    expect(await stored()).toHaveLength(1);
  });

  it.each(['document', 'file'] as const)('waits for what has locked the %s before', async (type) => {
    // DeleteDocument inserts this row after it has asked for holds.
    const queued = {
      sql: 'INSERT INTO word_queue (tenant_id, document_id) VALUES ($1, $2)',
      values: [tenant.id, documentId],
    };
    const [deleted, placed] = await inTurn(service, queued, OF_DOCUMENT.DeleteDocument!, () => place(type));
    expect([deleted.status, placed.status]).toEqual([204, 204]);
    expect(await stored()).toMatchObject([{ status: 'Deleted' }]);
  });

  it('is not placed on a file that is deleted meanwhile', async () => {
    fileId = (await saveFile(tenant, manager)).id;
    const client = await service.owner.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM files WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [
        tenant.id,
        fileId,
      ]);
      const deleted = Promise.resolve(manager.delete(`/files/${fileId}`));
      expect(await waitForBlockedStatements(service, 1)).toBe(true);
      const placed = Promise.resolve(place('file'));
      expect(await waitForBlockedStatements(service, 2)).toBe(true);
      await client.query('COMMIT');
      expect([(await deleted).status, (await placed).status]).toEqual([204, 404]);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });
});
