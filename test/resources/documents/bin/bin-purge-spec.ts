import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { utimes } from 'node:fs/promises';
import { ScheduledTasks } from '../../../../src/platform/database/scheduled-tasks.js';
import { ContentSweeper } from '../../../../src/resources/documents/contents/content-sweeper.js';
import { BinPurge } from '../../../../src/resources/documents/bin/bin-purge.js';
import { buildField, saveDocumentType } from '../../../factories/document-types.js';
import { savePreview } from '../../../factories/document-previews.js';
import { createDocument } from '../../../factories/document-values.js';
import { saveDocument, saveTag, saveVersion } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { saveHold } from '../../../factories/holds.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { duringTransaction, cancelLockWaits, waitForBlockedStatements } from '../../../support/locks.js';
import { SecondInstance } from '../../../support/service/second-instance.js';
import { TestService } from '../../../support/service/service.js';
import { sha256Of } from '../../../support/content-fixtures.js';
import { storedHashes, storedPath } from '../../../support/stored-content.js';
import { type TestTenant } from '../../../support/tenant.js';

describe('BinPurge', () => {
  let service: TestService;
  let tenant: TestTenant;
  let manager: Actor;
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager');
  });

  const purge = (signal?: AbortSignal) => service.app.get(BinPurge).purge(signal);

  /** Moves the document to the bin as if it was deleted this long ago. */
  async function moveToBin(id: string, ago = '30 days 1 minute', where = tenant): Promise<string> {
    await service.query(
      `UPDATE documents
          SET status = 'Deleted', status_before_deletion = 'Active', deleted_at = now() - $3::interval
        WHERE tenant_id = $1 AND id = $2`,
      [where.id, id, ago],
    );
    return id;
  }

  const saveInBin = async (overrides: Parameters<typeof saveDocument>[2] = {}) =>
    moveToBin((await saveDocument(tenant, manager, overrides)).id);

  const remainingIds = async (where = tenant) =>
    (
      await service.query<{ id: string }>('SELECT id FROM documents WHERE tenant_id = $1 ORDER BY id', [
        where.id,
      ])
    ).map(({ id }) => id);

  it('purges documents deleted 30 days ago, and only these, with an audit entry without actor', async () => {
    const old = await saveInBin({ title: 'Bauplan' });
    const hidden = await saveInBin({ title: 'Abmahnung', confidentialTo: [manager] });
    const young = await moveToBin((await saveDocument(tenant, manager)).id, '29 days 23 hours 59 minutes');
    const others = await Promise.all(
      (['Processing', 'Active', 'Archived'] as const).map((status) =>
        saveDocument(tenant, manager, { status }),
      ),
    );

    await purge();

    expect(await remainingIds()).toEqual([young, ...others.map(({ id }) => id)].sort());
    const entry = { actor_id: null, actor_name: null, action: 'DocumentPurged', subject_type: 'Document' };
    const audit = await tenant.audit();
    expect(audit).toHaveLength(2);
    expect(audit).toContainEqual({ ...entry, subject_id: old, summary: 'Bauplan' });
    expect(audit).toContainEqual({ ...entry, subject_id: hidden, summary: null });
    expect(await tenant.notifications()).toEqual([]);
  });

  it('deletes every row of the document except audit entries and notifications', async () => {
    const type = await saveDocumentType(tenant, { fields: [buildField('note')] });
    const [file, tag] = [await saveFile(tenant, manager), await saveTag(tenant)];
    const { id } = await createDocument(
      manager,
      type.id,
      { note: 'Notiz' },
      { fileIds: [file.id], tagIds: [tag.id], isConfidential: true },
    );
    await saveVersion(tenant, manager, id, { bytes: 'first' });
    await saveVersion(tenant, manager, id, { bytes: 'second' });
    await savePreview(tenant, id);
    await saveHold(tenant, manager, { documentIds: [id], isReleased: true });
    await moveToBin(id);
    // The lexicon has no words of a confidential document, and the job empties its queue.
    await service.query(
      `INSERT INTO document_words (tenant_id, word, document_id) VALUES ($1, 'notiz', $2)`,
      [tenant.id, id],
    );
    const tables = await service.query<{ name: string }>(
      `SELECT c.table_name AS name FROM information_schema.columns c
         JOIN information_schema.tables t ON t.table_name = c.table_name AND t.table_type = 'BASE TABLE'
        WHERE c.table_schema = 'public' AND t.table_schema = 'public' AND c.column_name = 'document_id'
          AND c.table_name <> 'notifications' ORDER BY 1`,
    );
    const rows = async () =>
      Promise.all(
        tables.map(async ({ name }) => {
          const [row] = await service.query<{ count: number }>(
            `SELECT count(*)::int AS count FROM ${name} WHERE tenant_id = $1 AND document_id = $2`,
            [tenant.id, id],
          );
          return [name, row?.count] as const;
        }),
      );
    for (const [name, count] of await rows())
      expect({ name, hasRows: (count ?? 0) > 0 }).toEqual({ name, hasRows: true });

    await purge();

    for (const [name, count] of await rows()) expect({ name, count }).toEqual({ name, count: 0 });
    expect(await remainingIds()).toEqual([]);
  });

  it('is not blocked by a foreign key to documents', async () => {
    const keeping = await service.query(
      `SELECT conname FROM pg_constraint
        WHERE contype = 'f' AND confrelid = 'documents'::regclass AND confdeltype <> 'c'`,
    );
    expect(keeping).toEqual([]);
  });

  it('removes the document from lists and searches, so that its file can be deleted', async () => {
    const file = await saveFile(tenant, manager);
    const { id } = await createDocument(manager, null, {}, { title: 'Bauplan', fileIds: [file.id] });
    await moveToBin(id);
    const lists = [
      `/files/${file.id}/documents`,
      '/documents?status=Deleted',
      '/documents?status=Deleted&q=Bauplan',
    ];
    const sizes = async () =>
      Promise.all(
        lists.map(async (path) => ((await manager.get(path)).body as { items: object[] }).items.length),
      );
    expect(await sizes()).toEqual([1, 1, 1]);
    expectProblem(await manager.delete(`/files/${file.id}`), 'file.not-empty');

    await purge();

    expect(await sizes()).toEqual([0, 0, 0]);
    expectProblem(await manager.get(`/documents/${id}`), 'resource.not-found');
    expectProblem(await manager.post(`/documents/${id}/restore`), 'resource.not-found');
    expect((await manager.delete(`/files/${file.id}`)).status).toBe(204);
  });

  it('counts the days in the bin in a Closed file too', async () => {
    const file = await saveFile(tenant, manager, { status: 'Closed' });
    await saveInBin({ fileIds: [file.id] });
    await purge();
    expect(await remainingIds()).toEqual([]);
  });

  it('keeps a Reference to the document, which no new document can have', async () => {
    const type = await saveDocumentType(tenant, {
      fields: [buildField('answers', { referenceTarget: 'Document' })],
    });
    const { id: target } = await saveDocument(tenant, manager);
    const referring = await createDocument(manager, type.id, { answers: target });
    await moveToBin(target);
    await purge();

    const read = await manager.get(`/documents/${referring.id}`);
    expect(read.body).toMatchObject({ fields: { answers: target } });
    const body = { title: 'Antwort', documentTypeId: type.id, fields: { answers: target } };
    expect((await manager.put(`/documents/${referring.id}`, body)).status).toBe(200);
    expectProblem(await manager.post('/documents', body), 'request.invalid', ['fields.answers']);
    const condition = { fieldKey: 'answers', operator: 'EqualTo', value: target };
    const found = await manager.post('/documents/search', { filter: { metadataConditions: [condition] } });
    expect((found.body as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual([referring.id]);
  });

  it('hides notifications about the document, except about revoked access', async () => {
    const editor = await tenant.as('editor');
    const file = await saveFile(tenant, manager);
    const { id } = await saveDocument(tenant, editor, { confidentialTo: [editor, manager] });
    await manager.put(`/documents/${id}/files/${file.id}`).expect(204);
    await manager.delete(`/documents/${id}/confidential-access/${editor.userId}`).expect(204);
    const types = async () =>
      ((await editor.get('/notifications')).body as { items: { type: string }[] }).items.map(
        ({ type }) => type,
      );
    await service.query('UPDATE documents SET is_confidential = false WHERE id = $1', [id]);
    expect(await types()).toEqual(['ConfidentialAccessRevoked', 'DocumentFiled']);
    await moveToBin(id);
    await purge();
    expect(await types()).toEqual(['ConfidentialAccessRevoked']);
    expect((await editor.post('/notifications/read-all')).status).toBe(204);
  });

  it('keeps the audit entries, and their summaries unless the document was confidential', async () => {
    const auditor = await tenant.as('auditor');
    const ids = [];
    for (const isConfidential of [false, true]) {
      const { id } = await createDocument(manager, null, {}, { isConfidential });
      await manager.delete(`/documents/${id}`).expect(204);
      ids.push(await moveToBin(id));
    }
    await purge();
    const summaries = async (actor: Actor, id = '') =>
      (
        (await actor.get(`/audit-log?subjectId=${id}`)).body as { items: { summary: string | null }[] }
      ).items.map(({ summary }) => summary);
    expect(await summaries(auditor, ids[0])).toEqual(['Dokument', 'Dokument', 'Dokument']);
    // The summary is hidden even from the user who was on its list.
    for (const actor of [auditor, manager])
      expect(await summaries(actor, ids[1])).toEqual([null, null, null, null]);
  });

  describe('of contents', () => {
    async function age(hash: string): Promise<void> {
      const then = new Date(Date.now() - 25 * 3_600_000);
      await utimes(storedPath(tenant, hash), then, then);
      await service.query(
        `UPDATE contents SET linked_at = now() - interval '25 hours' WHERE tenant_id = $1 AND sha256 = $2`,
        [tenant.id, hash],
      );
    }
    const sweep = () => service.app.get(ContentSweeper).sweep();

    it('lets the sweep delete the bytes a day later, unless another document has or had them', async () => {
      const [{ id }, other] = [await saveDocument(tenant, manager), await saveDocument(tenant, manager)];
      const hashes = { own: sha256Of('own'), former: sha256Of('former'), shared: sha256Of('shared') };
      for (const bytes of ['former', 'shared', 'own']) await saveVersion(tenant, manager, id, { bytes });
      for (const bytes of ['shared', 'its own']) await saveVersion(tenant, manager, other.id, { bytes });
      for (const hash of [...Object.values(hashes), sha256Of('its own')]) await age(hash);
      await moveToBin(id);
      const all = await storedHashes(tenant);

      await purge();
      await sweep();
      expect(await storedHashes(tenant)).toEqual(all);

      for (const hash of Object.values(hashes)) await age(hash);
      await sweep();
      expect(await storedHashes(tenant)).toEqual([hashes.shared, sha256Of('its own')].sort());
      const read = await manager.get(`/documents/${other.id}/versions/1/content`);
      expect(read.status).toBe(200);
    });

    it('keeps the bytes that a new document uses at the same time', async () => {
      const { id } = await saveDocument(tenant, manager);
      await saveVersion(tenant, manager, id, { bytes: 'again' });
      await age(sha256Of('again'));
      await moveToBin(id);
      // The first statement of an upload of the same bytes.
      await duringTransaction(
        service,
        'UPDATE contents SET linked_at = now() WHERE tenant_id = $1 AND sha256 = $2',
        [tenant.id, sha256Of('again')],
        () => purge(),
      );
      await sweep();
      expect([await remainingIds(), await storedHashes(tenant)]).toEqual([[], [sha256Of('again')]]);
    });
  });

  describe('and a restore at the same time', () => {
    it('skips a document that is being restored, without waiting', async () => {
      const id = await saveInBin();
      const client = await service.owner.connect();
      try {
        await client.query('BEGIN');
        await client.query(
          `UPDATE documents SET status = 'Active', status_before_deletion = NULL, deleted_at = NULL
            WHERE tenant_id = $1 AND id = $2`,
          [tenant.id, id],
        );
        await purge();
        await client.query('COMMIT');
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
      await purge();
      expect(await remainingIds()).toEqual([id]);
      expect(await tenant.audit()).toEqual([]);
    });

    it('makes the restore return 404 when the purge was first', async () => {
      const { id } = await saveDocument(tenant, manager);
      await saveVersion(tenant, manager, id, { bytes: 'held' });
      await moveToBin(id);
      const client = await service.owner.connect();
      try {
        // The purge has locked the document and waits for the row of its content.
        await client.query('BEGIN');
        await client.query('SELECT FROM contents WHERE tenant_id = $1 FOR UPDATE', [tenant.id]);
        const purged = purge();
        expect(await waitForBlockedStatements(service)).toBe(true);
        const restored = Promise.resolve(manager.post(`/documents/${id}/restore`));
        expect(await waitForBlockedStatements(service, 2)).toBe(true);
        await client.query('COMMIT');
        await purged;
        expectProblem(await restored, 'resource.not-found');
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
      expect(await remainingIds()).toEqual([]);
      expect((await tenant.audit()).map(({ action }) => action)).toEqual(['DocumentPurged']);
    });

    it('purges or restores each document, never both', async () => {
      const ids = await Promise.all(Array.from({ length: 30 }, () => saveInBin()));
      const [, ...responses] = await Promise.all([
        purge(),
        ...ids.map((id) => manager.post(`/documents/${id}/restore`)),
      ]);
      const restored = ids.filter((_, index) => responses[index]?.status === 200);
      expect(await remainingIds()).toEqual(restored.sort());
      const purged = (await tenant.audit()).filter(({ action }) => action === 'DocumentPurged');
      expect(purged.map(({ subject_id }) => subject_id).sort()).toEqual(
        ids.filter((id) => !restored.includes(id)).sort(),
      );
    });
  });

  it('purges 100 documents in each transaction', async () => {
    await service.query(
      `INSERT INTO documents (tenant_id, id, title, status, status_before_deletion, deleted_at, created_by)
       SELECT $1, gen_random_uuid(), 'Alt', 'Deleted', 'Active', now() - interval '31 days', $2
         FROM generate_series(1, 250)`,
      [tenant.id, manager.userId],
    );
    await purge();
    expect(await remainingIds()).toEqual([]);
    const batches = await service.query(
      `SELECT count(*)::int AS documents FROM audit_entries
        WHERE tenant_id = $1 AND action = 'DocumentPurged' GROUP BY xmin::text ORDER BY 1`,
      [tenant.id],
    );
    expect(batches).toEqual([{ documents: 50 }, { documents: 100 }, { documents: 100 }]);
  });

  it('continues with other tenants after an error in one', async () => {
    const other = await service.tenant();
    const theirs = await saveDocument(other, await other.as('editor'));
    await moveToBin(theirs.id, '31 days', other);
    const { id } = await saveDocument(tenant, manager);
    await saveVersion(tenant, manager, id, { bytes: 'stuck' });
    await moveToBin(id);
    const client = await service.owner.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM contents WHERE tenant_id = $1 FOR UPDATE', [tenant.id]);
      const canceled = expect(purge()).rejects.toThrow(/^canceling statement/);
      expect(await waitForBlockedStatements(service)).toBe(true);
      await cancelLockWaits(service);
      await canceled;
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    expect([await remainingIds(), await remainingIds(other)]).toEqual([[id], []]);
    await purge();
    expect(await remainingIds()).toEqual([]);
  });

  it('runs when an instance starts, with the configured retention', async () => {
    const [old, young] = [
      await saveInBin(),
      await moveToBin((await saveDocument(tenant, manager)).id, '6 days'),
    ];
    const second = await SecondInstance.start(service, {
      configuration: { binRetentionDays: 7, workerConcurrency: 2 },
    });
    await second.app.get(ScheduledTasks).waitForRunning();
    await second.stop();
    expect(await remainingIds()).toEqual([young]);
    expect(old).not.toBe(young);
  });

  it('stops between two steps when the service stops', async () => {
    const id = await saveInBin();
    await purge(AbortSignal.abort());
    expect(await remainingIds()).toEqual([id]);
  });
});
