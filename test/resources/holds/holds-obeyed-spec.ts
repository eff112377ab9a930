import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Test } from 'supertest';
import { BinPurge } from '../../../src/resources/documents/bin/bin-purge.js';
import { putContent, saveDocument, saveTag, saveVersion } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { releaseHold, saveHold } from '../../factories/holds.js';
import { sequenced } from '../../platform/events/event-log.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

interface BulkResult {
  readonly outcome: string;
  readonly problem: { readonly type: string } | null;
}

const NAME = 'Strafverfahren';
const REASON = 'Beschlagnahme';

describe('What an active hold contains', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let editor: Actor;
  let fileId: string;
  let otherFileId: string;
  let documentId: string;
  let tagId: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager');
    editor = await tenant.as('editor');
    fileId = (await saveFile(tenant, editor)).id;
    otherFileId = (await saveFile(tenant, editor)).id;
    documentId = (await saveDocument(tenant, editor, { fileIds: [fileId, otherFileId] })).id;
    tagId = (await saveTag(tenant)).id;
    for (const bytes of ['one', 'two']) await saveVersion(tenant, editor, documentId, { bytes });
  });
  const hold = (items: { fileIds?: string[]; documentIds?: string[] }) =>
    saveHold(tenant, manager, { name: NAME, reason: REASON, ...items });
  const bulk = async (action: string, rest: object = {}, actor = manager) => {
    const response = await actor.post('/documents/bulk', { action, documentIds: [documentId], ...rest });
    const { results } = response.body as { results: BulkResult[] };
    return results.map(({ outcome, problem }) => problem?.type.split('/').at(-1) ?? outcome);
  };
  const binSince = (days: number) =>
    tenant.query(
      `UPDATE documents SET status = 'Deleted', status_before_deletion = 'Active',
                            deleted_at = now() - make_interval(days => $3)
        WHERE tenant_id = $1 AND id = $2`,
      documentId,
      days,
    );
  const purge = () => service.app.get(BinPurge).purge();
  const exists = async () =>
    (await tenant.query('SELECT FROM documents WHERE tenant_id = $1 AND id = $2', documentId)).length > 0;

  /** Each operation that takes something of a document away or changes it. */
  const REFUSED: Record<string, () => Test> = {
    DeleteDocument: () => editor.delete(`/documents/${documentId}`),
    'UpdateDocument with another title': () => editor.put(`/documents/${documentId}`, { title: 'Other' }),
    'UpdateDocument without a change': () => editor.put(`/documents/${documentId}`, {}),
    ReplaceDocumentContent: () => putContent(editor, documentId, 'three'),
    RestoreDocumentVersion: () => editor.post(`/documents/${documentId}/versions/1/restore`),
  };
  const WAYS = {
    'the document': () => ({ documentIds: [documentId] }),
    'one of its files': () => ({ fileIds: [otherFileId] }),
  };

  describe.each(Object.keys(WAYS) as (keyof typeof WAYS)[])('if a hold contains %s', (way) => {
    it.each(Object.keys(REFUSED))('is refused with 409, in %s', async (operation) => {
      const { id } = await hold(WAYS[way]());
      const response = await tenant.expectNoChange(() => REFUSED[operation]!());
      expectProblem(response, 'hold.active');
      expect(response.text).not.toMatch(new RegExp(`${NAME}|${REASON}|${id}`));
      await releaseHold(tenant, id);
      expect((await REFUSED[operation]!()).status).toBeLessThan(300);
    });

    it('is refused in bulk', async () => {
      const { id } = await hold(WAYS[way]());
      expect(await tenant.expectNoChange(() => bulk('Delete'))).toEqual(['hold.active']);
      await releaseHold(tenant, id);
      expect(await bulk('Delete')).toEqual(['Done']);
    });

    it('is not purged from the bin until the release', async () => {
      await binSince(40);
      const { id } = await hold(WAYS[way]());
      await tenant.expectNoChange(purge);
      await releaseHold(tenant, id);
      await purge();
      expect(await exists()).toBe(false);
    });

    it('can still be tagged, archived, filed, restored, made confidential and read', async () => {
      await hold(WAYS[way]());
      const own = (await saveFile(tenant, editor)).id;
      const at = `/documents/${documentId}`;
      await editor.put(`${at}/tags/${tagId}`).expect(204);
      await editor.delete(`${at}/tags/${tagId}`).expect(204);
      await editor.put(`${at}/files/${own}`).expect(204);
      await editor.delete(`${at}/files/${own}`).expect(204);
      await editor.post(`${at}/archive`).expect(200);
      await manager.post(`${at}/unarchive`).expect(200);
      await editor.put(`${at}/confidentiality`, { isConfidential: true }).expect(200);
      await editor.put(`${at}/confidentiality`, { isConfidential: false }).expect(200);
      await editor.get(`${at}/content`).expect(200);
      await binSince(1);
      await manager.post(`${at}/restore`).expect(200);
    });
  });

  it('is not unfiled from a held file, one by one or in bulk, but from another file', async () => {
    const { id } = await hold({ fileIds: [fileId], documentIds: [documentId] });
    const before = await tenant.fingerprint();
    expectProblem(await editor.delete(`/documents/${documentId}/files/${fileId}`), 'hold.active');
    expect(await bulk('Unfile', { fileIds: [otherFileId, fileId] })).toEqual(['hold.active']);
    expect(await tenant.fingerprint()).toEqual(before);
    await editor.delete(`/documents/${documentId}/files/${otherFileId}`).expect(204);
    await releaseHold(tenant, id);
    expect(await bulk('Unfile', { fileIds: [fileId] })).toEqual(['Done']);
  });

  it('is a file that cannot be deleted, but renamed, filed into, closed and reopened', async () => {
    const empty = (await saveFile(tenant, editor)).id;
    await hold({ fileIds: [empty, fileId] });
    await expectRefused(tenant, () => manager.delete(`/files/${empty}`), 'hold.active');
    await manager.put(`/files/${fileId}`, { name: 'Renamed' }).expect(200);
    expect(await bulk('File', { fileIds: [empty] })).toEqual(['Done']);
    await manager.post(`/files/${empty}/close`).expect(200);
    await manager.post(`/files/${empty}/reopen`).expect(200);
  });

  it('purges the documents that are due after more than a batch of held ones', async () => {
    const held = await tenant.query<{ id: string }>(
      `INSERT INTO documents (tenant_id, id, title, status, status_before_deletion, deleted_at, created_by)
       SELECT $1, gen_random_uuid(), 'x', 'Deleted', 'Active', now() - interval '50 days', $2
         FROM generate_series(1, 101) RETURNING id`,
      editor.userId,
    );
    await hold({ documentIds: held.map(({ id }) => id) });
    await binSince(40);
    await purge();
    expect(await exists()).toBe(false);
    const left = await tenant.query(`SELECT FROM documents WHERE tenant_id = $1 AND status = 'Deleted'`);
    expect(left).toHaveLength(101);
  });

  it('has the name and the reason of its hold in no answer to callers without holds.manage', async () => {
    const created = await manager.post('/holds', { name: NAME, reason: REASON });
    const { id } = created.body as { id: string };
    await manager.put(`/holds/${id}/files/${fileId}`).expect(204);
    await manager.put(`/holds/${id}/documents/${documentId}`).expect(204);
    await manager.put(`/holds/${id}`, { name: `${NAME} 2`, reason: `${REASON} 2` }).expect(200);
    await manager.delete(`/holds/${id}/files/${fileId}`).expect(204);
    await manager.post(`/holds/${id}/release`).expect(200);
    await sequenced(tenant);
    const auditor = await tenant.as('auditor');
    const answers = [
      await auditor.get('/audit-log'),
      await auditor.get('/events'),
      await editor.get('/notifications'),
      await editor.get(`/files/${fileId}/retention`),
      await editor.get(`/documents/${documentId}/retention`),
    ];
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).not.toMatch(new RegExp(`${NAME}|${REASON}`));
    }
    const statement = `SELECT e::text AS row FROM audit_entries e WHERE tenant_id = $1
        UNION ALL SELECT n::text FROM notifications n WHERE tenant_id = $1`;
    const stored = await tenant.query<{ row: string }>(statement);
    expect(stored.filter(({ row }) => row.includes(NAME) || row.includes(REASON))).toEqual([]);
    const { items } = (await auditor.get('/events')).body as { items: { type: string; related: object }[] };
    expect(items.filter(({ type }) => type.startsWith('Hold')).map(({ related }) => related)).toEqual([
      {},
      { holdId: id },
      { holdId: id },
      {},
      { holdId: id },
      {},
    ]);
  });
});
