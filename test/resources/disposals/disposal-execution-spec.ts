import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { sizeIn } from '../../../src/platform/content/content-copy.js';
import { ContentStore } from '../../../src/platform/content/content-store.js';
import { sha256Of } from '../../support/content-fixtures.js';
import { LexiconUpdates } from '../../../src/resources/documents/words/lexicon-updates.js';
import { DisposalExecution } from '../../../src/resources/disposals/disposal-execution.js';
import { saveDocument, saveVersion, upload } from '../../factories/documents.js';
import { saveContentText } from '../../factories/document-texts.js';
import { savePreview } from '../../factories/document-previews.js';
import { saveExport } from '../../factories/exports.js';
import { saveRetention } from '../../factories/retentions.js';
import { saveNumbering } from '../../factories/numberings.js';
import { releaseHold, saveHold } from '../../factories/holds.js';
import { rowsOf } from '../../security/support/populated-tenant.js';
import { sequenced } from '../../platform/events/event-log.js';
import { expectProblem } from '../../support/expect-problem.js';
import { waitForBlockedStatements } from '../../support/locks.js';
import { service } from '../../support/service/shared-service.js';
import { DisposalScene } from './support/disposal-scene.js';

/** In every text of what a disposal destroys. */
const SECRET = 'Zwiebelturm';

describe('The execution of a disposal', () => {
  let scene: DisposalScene;
  let execution: DisposalExecution;
  beforeAll(async () => {
    execution = service.app.get(DisposalExecution);
  });
  beforeEach(async () => {
    scene = await DisposalScene.create(service);
  });
  const execute = (id: string, signal?: AbortSignal) => execution.execute(scene.tenant.id, id, signal);
  const approved = (fileIds: string[], rest: object = {}) =>
    scene.save({ fileIds, status: 'Approved', ...rest });
  const bytesOf = (text: string) =>
    sizeIn(service.app.get(ContentStore), { tenantId: scene.tenant.id, sha256: sha256Of(text) });
  const documentIn = async (fileIds: string[], ...texts: string[]) => {
    const { id } = await saveDocument(scene.tenant, scene.maker, { fileIds, title: `Doc ${texts[0] ?? ''}` });
    for (const bytes of texts) await saveVersion(scene.tenant, scene.maker, id, { bytes });
    return id;
  };
  const lines = async (id: string) =>
    Object.values((await scene.stored(id)).files) as { outcome: string; because: string | null }[];

  it('destroys the file with its documents and bytes, and writes an entry for each', async () => {
    const [fileId, kept] = [await scene.dueFile(), await scene.dueFile()];
    const gone = await documentIn([fileId], 'first version', 'second version');
    const stays = await documentIn([kept], 'other');
    const id = await approved([fileId]);
    await execute(id);
    expect([await scene.ids('files'), await scene.ids('documents')]).toEqual([[kept], [stays]]);
    expect(await scene.stored(id)).toMatchObject({
      status: 'Completed',
      files: { [fileId]: { outcome: 'Destroyed' } },
    });
    expect((await scene.maker.get(`/disposals/${id}/files`)).body).toMatchObject({
      items: [{ fileId, outcome: 'Destroyed', documentCount: 1 }],
    });
    expect([await bytesOf('first version'), await bytesOf('second version')]).toEqual([null, null]);
    expect(await bytesOf('other')).toBe(5);
    const entries = await scene.tenant.audit();
    expect(
      entries.map(({ action, subject_id: subject, summary, actor_id: actor }) => [
        action,
        subject,
        summary,
        actor,
      ]),
    ).toEqual([
      ['DocumentPurged', gone, null, null],
      ['FileDisposed', fileId, null, null],
      ['DisposalCompleted', id, 'Aussonderung 2026', null],
    ]);
    expect(await scene.tenant.notifications()).toMatchObject([
      { user_id: scene.maker.userId, type: 'DisposalCompleted', parameters: { disposalId: id } },
    ]);
  });

  it('leaves a document that is in another file, and bytes that another version has', async () => {
    const [fileId, other] = [await scene.dueFile(), await scene.dueFile()];
    const shared = await documentIn([fileId, other], 'in two files');
    await documentIn([fileId], 'same bytes');
    const same = await documentIn([other], 'same bytes');
    await execute(await approved([fileId]));
    expect((await scene.ids('documents')).sort()).toEqual([shared, same].sort());
    expect((await scene.maker.get(`/documents/${shared}`)).body).toMatchObject({ fileIds: [other] });
    expect([await bytesOf('in two files'), await bytesOf('same bytes')]).toEqual([12, 10]);
  });

  it('destroys a document of two files that are both disposed of', async () => {
    const [one, two] = [await scene.dueFile(), await scene.dueFile()];
    await documentIn([one, two], 'in both');
    const id = await approved([one, two]);
    await execute(id);
    expect(await scene.ids('documents')).toEqual([]);
    expect((await lines(id)).map(({ outcome }) => outcome)).toEqual(['Destroyed', 'Destroyed']);
  });

  it('leaves no text of what is gone in any table but the audit log, and in no answer', async () => {
    const file = await scene.maker
      .post('/files', { fileTypeId: scene.fileTypeId, number: 'AZ 7', name: SECRET })
      .set('Idempotency-Key', 'file');
    const { id: fileId } = file.body as { id: string };
    const document = await upload(
      scene.maker,
      { title: SECRET, fileIds: [fileId] },
      { bytes: SECRET, mediaType: 'text/plain' },
    ).set('Idempotency-Key', 'document');
    const { id: documentId } = document.body as { id: string };
    expect(document.status).toBe(201);
    await scene.tenant.query(`UPDATE documents SET status = 'Active' WHERE tenant_id = $1`);
    await saveContentText(scene.tenant, documentId, `Vermerk ${SECRET}`);
    await savePreview(scene.tenant, documentId, { version: 1, image: Buffer.from(SECRET) });
    await service.app.get(LexiconUpdates).update(scene.tenant.id);
    const guest = await scene.tenant.as('guest');
    const grant = { subjectType: 'User', subjectId: guest.userId, targetType: 'File', targetId: fileId };
    await scene.approver
      .post('/access-grants', { ...grant, level: 'Read', reason: SECRET })
      .set('Idempotency-Key', 'grant')
      .expect(201);
    // A document that stays was in the file, too.
    const stays = await documentIn([await scene.dueFile()]);
    await scene.maker.put(`/documents/${stays}/files/${fileId}`).expect(204);
    await scene.approver.post(`/files/${fileId}/close`).expect(200);
    await scene.tenant.query(
      `UPDATE files SET closed_at = '2020-01-01' WHERE tenant_id = $1 AND id = $2`,
      fileId,
    );
    const id = await approved([fileId]);
    await execute(id);
    await service.app.get(LexiconUpdates).update(scene.tenant.id);
    await sequenced(scene.tenant);

    const rows = (await rowsOf(scene.tenant)).filter((row) => new RegExp(SECRET, 'i').test(row));
    const entries = await scene.tenant.query<{ row: string }>(
      'SELECT e::text AS row FROM audit_entries e WHERE tenant_id = $1',
    );
    expect(rows.filter((row) => !entries.some((entry) => entry.row === row))).toEqual([]);
    expect(entries.some(({ row }) => row.includes(SECRET))).toBe(true);
    for (const path of [
      ...['/audit-log?limit=200', '/events?limit=200', '/notifications', '/files', '/documents'],
      ...[`/documents?q=${SECRET}`, `/documents/suggestions?q=${SECRET.slice(0, 4)}`, `/files?q=${SECRET}`],
      ...[
        '/access-grants',
        '/confidential-documents',
        `/disposals/${id}/files`,
        `/disposals/${id}/certificate`,
      ],
      ...[`/documents/${stays}`, `/documents/${stays}/access`],
    ]) {
      const { status, text } = await scene.approver.get(path);
      expect([path, status, new RegExp(SECRET, 'i').test(text)]).toEqual([path, 200, false]);
    }
    const filed = (await scene.approver.get(`/audit-log?subjectId=${stays}`)).body as { items: object[] };
    expect(filed.items).toMatchObject([{ action: 'DocumentFiled', summary: null }]);
    for (const [subjectId, what] of [
      [fileId, 'file'],
      [documentId, 'document'],
    ]) {
      const found = (await scene.approver.get(`/audit-log?subjectId=${subjectId}`)).body as {
        items: { summary: string | null }[];
      };
      expect([what, found.items.length > 0, found.items.every(({ summary }) => summary === null)]).toEqual([
        what,
        true,
        true,
      ]);
    }
    expect(
      await scene.tenant.query('SELECT FROM access_grants WHERE tenant_id = $1 AND target_id = $2', fileId),
    ).toEqual([]);
    for (const path of ['', '/retention', '/documents', '/access'])
      expectProblem(await scene.approver.get(`/files/${fileId}${path}`), 'resource.not-found');
    // The stored answer is gone, so that the request is a new one, and the number stays taken.
    expectProblem(
      await scene.maker
        .post('/files', { fileTypeId: scene.fileTypeId, number: 'AZ 7', name: SECRET })
        .set('Idempotency-Key', 'file'),
      'file.number-taken',
    );
  });

  it('keeps the number taken, and numbering skips it', async () => {
    await saveNumbering(scene.tenant, scene.fileTypeId, 'AZ-{seq:2}');
    const numbered = async () =>
      (await scene.maker.post(`/file-types/${scene.fileTypeId}/files`, { name: 'x' })).body as {
        id: string;
        number: string;
      };
    const { id: fileId, number } = await numbered();
    await scene.approver.post(`/files/${fileId}/close`).expect(200);
    await scene.tenant.query(`UPDATE files SET closed_at = '2020-01-01' WHERE tenant_id = $1`);
    await execute(await approved([fileId]));
    const body = { fileTypeId: scene.fileTypeId, number: number.toLowerCase(), name: 'x' };
    expectProblem(await scene.maker.post('/files', body), 'file.number-taken');
    await scene.tenant.query('DELETE FROM number_counters WHERE tenant_id = $1');
    expect([number, (await numbered()).number]).toEqual(['AZ-01', 'AZ-02']);
    await scene.tenant.query('UPDATE number_counters SET next = 1 WHERE tenant_id = $1');
    expect((await numbered()).number).toBe('AZ-03');
  });

  it('refuses a number that another transaction frees by the destruction meanwhile', async () => {
    const fileId = await scene.dueFile();
    const [{ number } = { number: '' }] = await scene.tenant.query<{ number: string }>(
      'SELECT number FROM files WHERE tenant_id = $1 AND id = $2',
      fileId,
    );
    const id = await approved([fileId]);
    const client = await service.owner.connect();
    try {
      await client.query('BEGIN');
      await client.query('DELETE FROM files WHERE tenant_id = $1 AND id = $2', [scene.tenant.id, fileId]);
      await client.query(
        `UPDATE disposal_files SET outcome = 'Destroyed', is_unfinished = false WHERE tenant_id = $1 AND disposal_id = $2`,
        [scene.tenant.id, id],
      );
      const created = Promise.resolve(
        scene.maker.post('/files', { fileTypeId: scene.fileTypeId, number, name: 'x' }),
      );
      expect(await waitForBlockedStatements(service, 1)).toBe(true);
      await client.query('COMMIT');
      expectProblem(await created, 'file.number-taken');
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it.each([
    [
      'NotClosed',
      (id: string) => service.query(`UPDATE files SET status = 'Open', closed_at = NULL WHERE id = $1`, [id]),
    ],
    ['NotDue', () => saveRetention(scene.tenant, scene.fileTypeId, 'P10Y')],
    ['NotDue', () => saveRetention(scene.tenant, scene.fileTypeId, null)],
    [
      'NotDue',
      (id: string) => service.query(`UPDATE files SET keep_until = '2999-01-01' WHERE id = $1`, [id]),
    ],
    ['Held', (id: string) => saveHold(scene.tenant, scene.maker, { fileIds: [id] })],
    [
      'Held',
      async (id: string) =>
        saveHold(scene.tenant, scene.maker, { documentIds: [await documentIn([id], 'held')] }),
    ],
  ] as const)('skips a file that it finds %s, with all documents (%#)', async (because, change) => {
    const fileId = await scene.dueFile();
    await documentIn([fileId], 'text');
    const id = await approved([fileId]);
    await change(fileId);
    const documents = await scene.ids('documents');
    await execute(id);
    expect(await lines(id)).toMatchObject([{ outcome: 'Skipped', because }]);
    expect((await scene.maker.get(`/disposals/${id}/files`)).body).toMatchObject({
      items: [{ fileId, outcome: 'Skipped', skippedBecause: because }],
    });
    expect([await scene.ids('files'), await scene.ids('documents')]).toEqual([[fileId], documents]);
    expect(await scene.stored(id)).toMatchObject({ status: 'Completed' });
  });

  it('destroys what a released hold contained', async () => {
    const fileId = await scene.dueFile();
    const documentId = await documentIn([fileId], 'text');
    const hold = await saveHold(scene.tenant, scene.maker, { fileIds: [fileId], documentIds: [documentId] });
    await releaseHold(scene.tenant, hold.id);
    await execute(await approved([fileId]));
    expect(await scene.ids('files')).toEqual([]);
  });

  it('keeps a file until the day of the decision Keep, also a held one', async () => {
    const [one, held] = [await scene.dueFile(), await scene.dueFile()];
    await saveHold(scene.tenant, scene.maker, { fileIds: [held] });
    const id = await approved([one, held], { decision: 'Keep' });
    await execute(id);
    expect((await lines(id)).map(({ outcome }) => outcome)).toEqual(['Kept', 'Kept']);
    for (const fileId of [one, held])
      expect((await scene.maker.get(`/files/${fileId}/retention`)).body).toMatchObject({
        ...{ state: 'Running', dueOn: '2099-12-31', keepUntil: '2099-12-31' },
      });
  });

  it('destroys many documents in several transactions, and continues after an interruption', async () => {
    const fileId = await scene.dueFile();
    await scene.tenant.query(
      `WITH d AS (
         INSERT INTO documents (tenant_id, id, title, status, status_before_deletion, is_confidential, created_by)
         SELECT $1, gen_random_uuid(), 'D ' || n, 'Active', NULL, false, $3 FROM generate_series(1, 1201) n
         RETURNING tenant_id, id, created_at)
       INSERT INTO document_files (tenant_id, document_id, file_id, created_at, file_type_id)
       SELECT d.tenant_id, d.id, $2, d.created_at, $4 FROM d`,
      fileId,
      scene.maker.userId,
      scene.fileTypeId,
    );
    const id = await approved([fileId]);
    const stop = new AbortController();
    const contents = jest.spyOn(
      execution as unknown as { removeContents: () => Promise<void> },
      'removeContents',
    );
    let rounds = 0;
    contents.mockImplementation(() => {
      rounds += 1;
      if (rounds === 2) stop.abort(new Error('killed'));
      return Promise.resolve();
    });
    try {
      await expect(execute(id, stop.signal)).rejects.toThrow('killed');
    } finally {
      contents.mockRestore();
    }
    expect(await scene.ids('documents')).toHaveLength(201);
    expect(await lines(id)).toMatchObject([{ outcome: 'Destroying' }]);
    expect((await scene.maker.get(`/files/${fileId}/retention`)).body).toMatchObject({ state: 'InDisposal' });
    // Neither a hold nor a reopening stops it now.
    const { id: holdId } = await saveHold(scene.tenant, scene.maker);
    const [documentId = ''] = await scene.ids('documents');
    expectProblem(await scene.maker.put(`/holds/${holdId}/files/${fileId}`), 'disposal.running');
    expectProblem(await scene.maker.put(`/holds/${holdId}/documents/${documentId}`), 'disposal.running');
    expectProblem(
      await scene.maker.post(`/holds/${holdId}/items`, { fileIds: [fileId] }),
      'disposal.running',
    );
    expectProblem(await scene.approver.post(`/files/${fileId}/reopen`), 'disposal.running');
    await saveRetention(scene.tenant, scene.fileTypeId, null);
    await execute(id);
    expect(await scene.ids('documents')).toEqual([]);
    const purged = (await scene.tenant.audit()).filter(({ action }) => action === 'DocumentPurged');
    expect([purged.length, new Set(purged.map((entry) => entry.subject_id)).size]).toEqual([1201, 1201]);
    expect((await scene.maker.get(`/disposals/${id}/certificate`)).body).toMatchObject({
      destroyedDocuments: 1201,
    });
  });

  it('ends exports with a destroyed document before it is completed, and removes their packages', async () => {
    const [fileId, kept] = [await scene.dueFile(), await scene.dueFile()];
    const [gone, stays] = [await documentIn([fileId], 'gone'), await documentIn([kept], 'stays')];
    const save = (documentIds: string[], status: 'Ready' | 'Running' = 'Ready') =>
      saveExport(scene.tenant, scene.maker, {
        documentIds,
        status,
        bytes: `package of ${documentIds.join()}`,
      });
    const [outdated, running, other] = [
      await save([stays, gone]),
      await save([gone], 'Running'),
      await save([stays]),
    ];
    await execute(await approved([fileId]));
    const statuses = await scene.tenant.query<{ id: string; status: string }>(
      'SELECT id, status FROM exports WHERE tenant_id = $1',
    );
    expect(Object.fromEntries(statuses.map(({ id, status }) => [id, status]))).toEqual({
      [outdated.id]: 'Expired',
      [running.id]: 'Expired',
      [other.id]: 'Ready',
    });
    expect(await bytesOf(`package of ${stays},${gone}`)).toBeNull();
    expect(await bytesOf(`package of ${stays}`)).not.toBeNull();
  });

  it('removes bytes that an interrupted attempt has left', async () => {
    const fileId = await scene.dueFile();
    await documentIn([fileId], 'left bytes');
    const id = await approved([fileId]);
    const store = service.app.get(ContentStore);
    const remove = jest.spyOn(store, 'remove').mockRejectedValueOnce(new Error('store unavailable'));
    try {
      await expect(execute(id)).rejects.toThrow('store unavailable');
    } finally {
      remove.mockRestore();
    }
    expect([await scene.ids('files'), await bytesOf('left bytes')]).toEqual([[], 10]);
    expect(await scene.stored(id)).toMatchObject({ status: 'Approved' });
    await execute(id);
    expect([await bytesOf('left bytes'), (await scene.stored(id)).status]).toEqual([null, 'Completed']);
  });

  it('does everything once when two jobs run at the same time', async () => {
    const fileIds = [await scene.dueFile(), await scene.dueFile(), await scene.dueFile()];
    for (const fileId of fileIds) for (const n of [1, 2]) await documentIn([fileId], `text ${fileId} ${n}`);
    const id = await approved(fileIds);
    await Promise.all([execute(id), execute(id)]);
    const actions = (await scene.tenant.audit()).map(({ action }) => action);
    const count = (name: string) => actions.filter((action) => action === name).length;
    expect(['DocumentPurged', 'FileDisposed', 'DisposalCompleted'].map(count)).toEqual([6, 3, 1]);
    expect(await lines(id)).toEqual(fileIds.map(() => expect.objectContaining({ outcome: 'Destroyed' })));
    await execute(id);
    expect(await scene.tenant.audit()).toHaveLength(10);
  });

  it.each(['Draft', 'Submitted'] as const)(
    'does nothing for a disposal with the status %s',
    async (status) => {
      const fileId = await scene.dueFile();
      const id = await scene.save({ fileIds: [fileId], status });
      await execute(id);
      expect([await scene.ids('files'), await scene.tenant.audit()]).toEqual([[fileId], []]);
      expect(await scene.stored(id)).toMatchObject({ status });
    },
  );

  it('gets a new job if its job is lost, once', async () => {
    const id = await approved([]);
    await scene.tenant.query(
      `UPDATE disposals SET approved_at = now() - interval '2 minutes' WHERE tenant_id = $1`,
    );
    for (let n = 0; n < 2; n += 1) await execution.requeue();
    expect(await scene.tenant.jobs()).toMatchObject([{ payload: { disposalId: id } }]);
  });
});

describe('A file in a disposal', () => {
  let scene: DisposalScene;
  beforeEach(async () => {
    scene = await DisposalScene.create(service);
  });

  it.each(['Draft', 'Submitted'] as const)(
    'leaves it when it is reopened, in the status %s',
    async (status) => {
      const fileId = await scene.dueFile();
      const id = await scene.save({ fileIds: [fileId], status });
      expect((await scene.maker.get(`/files/${fileId}/retention`)).body).toMatchObject({
        state: 'InDisposal',
      });
      await scene.approver.post(`/files/${fileId}/reopen`).expect(200);
      expect((await scene.stored(id)).files).toEqual({});
      const actions = (await scene.tenant.audit()).map((entry) => [entry.action, entry.subject_id]);
      expect(actions).toEqual([
        ['DisposalUpdated', id],
        ['FileReopened', fileId],
      ]);
    },
  );

  it('can be held until its destruction begins', async () => {
    const fileId = await scene.dueFile();
    await scene.save({ fileIds: [fileId], status: 'Approved' });
    const { id: holdId } = await saveHold(scene.tenant, scene.maker);
    await scene.maker.put(`/holds/${holdId}/files/${fileId}`).expect(204);
  });
});
