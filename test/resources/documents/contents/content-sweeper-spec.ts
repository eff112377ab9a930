import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { ContentStore } from '../../../../src/platform/content/content-store.js';
import { ScheduledTasks } from '../../../../src/platform/database/scheduled-tasks.js';
import { UnitOfWork } from '../../../../src/platform/database/transactions/unit-of-work.js';
import { ContentSweeper } from '../../../../src/resources/documents/contents/content-sweeper.js';
import { ContentsRepository } from '../../../../src/resources/documents/contents/contents.repository.js';
import { serviceContext } from '../../../../src/platform/tenancy/access/access.directory.js';
import { putContent, saveDocument, saveVersion, upload } from '../../../factories/documents.js';
import { type Actor } from '../../../support/actor.js';
import { sha256Of } from '../../../support/content-fixtures.js';
import { duringTransaction } from '../../../support/locks.js';
import { SecondInstance } from '../../../support/service/second-instance.js';
import { TestService } from '../../../support/service/service.js';
import { asBytes, storedHashes, storedPath, temporaryFiles } from '../../../support/stored-content.js';
import { type TestTenant } from '../../../support/tenant.js';

const HOUR_MS = 3_600_000;

describe('ContentSweeper', () => {
  let service: TestService;
  let sweeper: ContentSweeper;
  let tenant: TestTenant;
  let editor: Actor;
  beforeAll(async () => {
    service = await TestService.start();
    sweeper = service.app.get(ContentSweeper);
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
  });

  async function age(file: string, hours: number): Promise<void> {
    const then = new Date(Date.now() - hours * HOUR_MS);
    await utimes(file, then, then);
  }

  /** Uploads a document whose content looks this many hours old, both row and bytes; returns its id. */
  async function uploadAged(bytes: string, hours = 25, where = tenant, actor = editor): Promise<string> {
    const response = await upload(actor, { title: bytes }, { bytes });
    expect(response.status).toBe(201);
    await service.query(
      `UPDATE contents SET linked_at = now() - $3 * interval '1 hour' WHERE tenant_id = $1 AND sha256 = $2`,
      [where.id, sha256Of(bytes), hours],
    );
    await age(storedPath(where, sha256Of(bytes)), hours);
    return (response.body as { id: string }).id;
  }

  /** Makes all rows of contents this many hours older. */
  const ageContents = (hours: number) =>
    service.query(
      `UPDATE contents SET linked_at = (linked_at AT TIME ZONE 'UTC' - $2 * interval '1 hour') AT TIME ZONE 'UTC'
        WHERE tenant_id = $1`,
      [tenant.id, hours],
    );

  /** Deletes the document row, as a purge does. */
  const purge = (id: string, where = tenant) =>
    service.query('DELETE FROM documents WHERE tenant_id = $1 AND id = $2', [where.id, id]);
  const contents = async (where = tenant) =>
    (
      await service.query<{ sha256: string }>('SELECT sha256 FROM contents WHERE tenant_id = $1', [where.id])
    ).map((row) => row.sha256);

  it('removes bytes and row of content that no document has, in every tenant, also twice at once', async () => {
    const elsewhere = await service.tenant();
    const actor = await elsewhere.as('editor');
    await purge(await uploadAged('gone'));
    await purge(await uploadAged('gone', 25, elsewhere, actor), elsewhere);
    const kept = await uploadAged('kept');

    await Promise.all([sweeper.sweep(), sweeper.sweep()]);

    expect([await storedHashes(tenant), await contents()]).toEqual([[sha256Of('kept')], [sha256Of('kept')]]);
    expect([await storedHashes(elsewhere), await contents(elsewhere)]).toEqual([[], []]);
    expect((await asBytes(editor.get(`/documents/${kept}/content`))).status).toBe(200);
  });

  it('looks up the references of old contents in batches of each tenant', async () => {
    const elsewhere = await service.tenant();
    await uploadAged('theirs', 25, elsewhere, await elsewhere.as('editor'));
    await uploadAged('young', 1);
    const mine = Array.from({ length: 501 }, (_, n) => sha256Of(`mine ${n}`)).sort();
    for (const file of mine.map((hash) => storedPath(tenant, hash))) {
      await mkdir(path.dirname(file), { recursive: true });
      await copyFile(storedPath(elsewhere, sha256Of('theirs')), file);
      await age(file, 25);
    }
    const referenced = jest
      .spyOn(service.app.get(ContentsRepository), 'referenced')
      .mockImplementation((_, hashes) => Promise.resolve(new Set(hashes)));
    try {
      await sweeper.sweep();
      const askedOf = ({ id }: TestTenant) =>
        referenced.mock.calls.filter(([{ tenantId }]) => tenantId === id).map(([, hashes]) => hashes);
      expect(askedOf(tenant).map((batch) => batch.length)).toEqual([500, 1]);
      expect(askedOf(tenant).flat().sort()).toEqual(mine);
      expect(askedOf(elsewhere)).toEqual([[sha256Of('theirs')]]);
    } finally {
      referenced.mockRestore();
      await service.app.get(ContentStore).removeAll(tenant.id);
    }
  });

  it('keeps content that another document has, even one in the bin', async () => {
    await purge(await uploadAged('shared'));
    const other = await uploadAged('shared');
    await editor.delete(`/documents/${other}`);
    await sweeper.sweep();
    expect(await storedHashes(tenant)).toEqual([sha256Of('shared')]);
  });

  it('keeps content that lost its last document less than a day ago', async () => {
    await purge(await uploadAged('recent', 0));
    await age(storedPath(tenant, sha256Of('recent')), 25);
    await ageContents(23);
    await sweeper.sweep();
    expect(await storedHashes(tenant)).toEqual([sha256Of('recent')]);
  });

  it('removes bytes without a row after a day, left by a failed transaction', async () => {
    await service.query('ALTER TABLE audit_entries ADD CONSTRAINT ck_test CHECK (false) NOT VALID');
    try {
      expect((await upload(editor, { title: 'x' }, { bytes: 'failed' })).status).toBe(500);
    } finally {
      await service.query('ALTER TABLE audit_entries DROP CONSTRAINT ck_test');
    }
    expect([await storedHashes(tenant), await contents()]).toEqual([[sha256Of('failed')], []]);
    await sweeper.sweep();
    expect(await storedHashes(tenant)).toEqual([sha256Of('failed')]);

    await age(storedPath(tenant, sha256Of('failed')), 25);
    await sweeper.sweep();

    expect([await storedHashes(tenant), await contents()]).toEqual([[], []]);
  });

  it('removes temporary files that are a day old', async () => {
    const incoming = path.join(service.dataDirectory, 'content', 'incoming');
    await uploadAged('makes the folder');
    const [old, young] = [randomUUID(), randomUUID()];
    for (const token of [old, young]) {
      await copyFile(storedPath(tenant, sha256Of('makes the folder')), path.join(incoming, token));
    }
    await age(path.join(incoming, old), 25);
    await age(path.join(incoming, young), 23);
    await sweeper.sweep();
    expect(await temporaryFiles(service)).toEqual([young]);
  });

  it('keeps files of a tenant that is not in this database', async () => {
    const stranger = Object.create(tenant, { id: { value: randomUUID() } }) as TestTenant;
    await uploadAged('theirs');
    const file = storedPath(stranger, sha256Of('theirs'));
    await mkdir(path.dirname(file), { recursive: true });
    await copyFile(storedPath(tenant, sha256Of('theirs')), file);
    await age(file, 1000);
    await sweeper.sweep();
    expect(await storedHashes(stranger)).toEqual([sha256Of('theirs')]);
  });

  it('keeps the content of every version of a document, and removes them with the document', async () => {
    const id = await uploadAged('first version');
    await service.query(`UPDATE documents SET status = 'Active' WHERE tenant_id = $1 AND id = $2`, [
      tenant.id,
      id,
    ]);
    expect((await putContent(editor, id, 'second version')).status).toBe(200);
    const hashes = ['first version', 'second version'].map((bytes) => sha256Of(bytes)).sort();
    for (const hash of hashes) await age(storedPath(tenant, hash), 25);
    await ageContents(25);
    await sweeper.sweep();
    expect(await storedHashes(tenant)).toEqual(hashes);

    await purge(id);
    await sweeper.sweep();
    expect([await storedHashes(tenant), await contents()]).toEqual([[], []]);
  });

  describe('after a release', () => {
    const release = (...ids: string[]) =>
      service.app
        .get(UnitOfWork)
        .write(serviceContext(tenant.id), (tx) => service.app.get(ContentsRepository).release(tx, ids));

    it('removes the contents of all versions of a purged document 24 hours after the release', async () => {
      const id = await uploadAged('former', 1000);
      await saveVersion(tenant, editor, id, { bytes: 'newest' });
      await age(storedPath(tenant, sha256Of('newest')), 1000);
      await ageContents(1000);

      await release(id);
      await purge(id);

      await ageContents(23);
      await sweeper.sweep();
      expect(await storedHashes(tenant)).toEqual(['former', 'newest'].map((bytes) => sha256Of(bytes)).sort());
      await ageContents(2);
      await sweeper.sweep();
      expect([await storedHashes(tenant), await contents()]).toEqual([[], []]);
    });

    it('restarts the 24 hours only for contents of the released documents in their tenant', async () => {
      const [id, other] = [await uploadAged('mine', 100), await uploadAged('other', 100)];
      const elsewhere = await service.tenant();
      await uploadAged('mine', 100, elsewhere, await elsewhere.as('editor'));
      await release(id, randomUUID());
      const rows = await service.query<{ sha256: string; own: boolean }>(
        `SELECT sha256, tenant_id = $1 AS own FROM contents
          WHERE tenant_id = ANY ($2::uuid[]) AND linked_at > now() - interval '1 hour'`,
        [tenant.id, [tenant.id, elsewhere.id]],
      );
      expect(rows).toEqual([{ sha256: sha256Of('mine'), own: true }]);
      expect(other).not.toBe(id);
    });

    it('allows two concurrent releases of the same contents without a deadlock', async () => {
      const names = Array.from({ length: 12 }, (_, n) => `content ${n}`);
      const documents: string[] = [];
      for (const bytes of names) {
        const { id } = await saveDocument(tenant, editor);
        await saveVersion(tenant, editor, id, { bytes });
        await saveVersion(tenant, editor, id, { bytes: names[(names.indexOf(bytes) + 5) % 12] ?? '' });
        documents.push(id);
      }
      const one = documents.filter((_, n) => n % 2 === 0);
      const two = documents.filter((_, n) => n % 2 === 1).reverse();
      for (let round = 0; round < 5; round += 1) await Promise.all([release(...one), release(...two)]);
    });
  });

  describe('with concurrent changes', () => {
    it('keeps the bytes of a version that is restored during a sweep', async () => {
      const { id } = await saveDocument(tenant, editor);
      await saveVersion(tenant, editor, id, { bytes: 'restored' });
      await saveVersion(tenant, editor, id, { bytes: 'newer' });
      for (const bytes of ['restored', 'newer']) await age(storedPath(tenant, sha256Of(bytes)), 1000);
      await ageContents(1000);
      const [, response] = await Promise.all([
        sweeper.sweep(),
        editor.post(`/documents/${id}/versions/1/restore`),
        sweeper.sweep(),
      ]);
      expect(response.status).toBe(200);
      await sweeper.sweep();
      const bytes = await asBytes(editor.get(`/documents/${id}/content`));
      expect([bytes.status, sha256Of(bytes.body as Buffer)]).toEqual([200, sha256Of('restored')]);
    });

    it('keeps the bytes of a replacement with content that is being swept', async () => {
      const { id } = await saveDocument(tenant, editor);
      const rounds = Array.from({ length: 6 }, (_, n) => `replaced ${n}`);
      for (const bytes of rounds) await purge(await uploadAged(bytes));
      for (const bytes of rounds) {
        const [, response] = await Promise.all([sweeper.sweep(), putContent(editor, id, bytes)]);
        expect(response.status).toBe(200);
        await service.query(`UPDATE documents SET status = 'Active' WHERE tenant_id = $1 AND id = $2`, [
          tenant.id,
          id,
        ]);
        const read = await asBytes(editor.get(`/documents/${id}/content`));
        expect([read.status, sha256Of(read.body as Buffer)]).toEqual([200, sha256Of(bytes)]);
      }
    });
  });

  it('waits for an upload that links the content, and then keeps it', async () => {
    const gone = await uploadAged('relinked');
    await purge(gone);
    const { id } = await saveDocument(tenant, editor);
    // The statements of an upload up to its commit.
    await duringTransaction(
      service,
      `WITH claimed AS (UPDATE contents SET linked_at = linked_at WHERE tenant_id = $1 AND sha256 = $3),
       version AS (
         INSERT INTO document_versions (tenant_id, document_id, number, content_sha256, claimed_media_type, media_type,
                                        size, created_by)
         SELECT tenant_id, id, 1, $3, 'text/plain', 'text/plain', 8, created_by
           FROM documents WHERE tenant_id = $1 AND id = $2
       )
       UPDATE documents
          SET content_sha256 = $3, content_media_type = 'text/plain', content_text = 'None', content_size = 8, content_version = 1
        WHERE tenant_id = $1 AND id = $2`,
      [tenant.id, id, sha256Of('relinked')],
      () => sweeper.sweep(),
    );
    expect([await storedHashes(tenant), await contents()]).toEqual([
      [sha256Of('relinked')],
      [sha256Of('relinked')],
    ]);
    expect((await asBytes(editor.get(`/documents/${id}/content`))).status).toBe(200);
  });

  it('blocks new links to the content while it removes the bytes, with or without a row', async () => {
    await purge(await uploadAged('with row'));
    await purge(await uploadAged('without row'));
    await service.query('DELETE FROM contents WHERE tenant_id = $1 AND sha256 = $2', [
      tenant.id,
      sha256Of('without row'),
    ]);
    const store = service.app.get(ContentStore);
    const remove = store.remove.bind(store);
    const outcomes: unknown[] = [];
    const spy = jest.spyOn(store, 'remove').mockImplementation(async (tenantId, hash) => {
      // The first statement of an upload, with a lock timeout instead of waiting.
      const claim = `INSERT INTO contents AS c (tenant_id, sha256, size) VALUES ('${tenantId}', '${hash}', 1)
                     ON CONFLICT (tenant_id, sha256) DO UPDATE SET linked_at = excluded.linked_at`;
      const client = await service.owner.connect();
      await client.query('BEGIN');
      await client.query(`SET LOCAL lock_timeout = '50ms'`);
      await client
        .query(claim)
        .then(() => outcomes.push('linked'))
        .catch((error: { code: string }) => outcomes.push(error.code));
      await client.query('ROLLBACK');
      client.release();
      return remove(tenantId, hash);
    });
    try {
      await sweeper.sweep();
    } finally {
      spy.mockRestore();
    }
    expect(outcomes).toEqual(['55P03', '55P03']);
    expect([await storedHashes(tenant), await contents()]).toEqual([[], []]);
  });

  it('loses no bytes of uploads during a sweep', async () => {
    const rounds = Array.from({ length: 8 }, (_, n) => `round ${n}`);
    for (const bytes of rounds) await purge(await uploadAged(bytes));
    const [, ...responses] = await Promise.all([
      sweeper.sweep(),
      ...rounds.map((bytes) => upload(editor, { title: bytes }, { bytes })),
    ]);
    for (const { status, body } of responses) {
      expect(status).toBe(201);
      const { id } = body as { id: string };
      expect((await asBytes(editor.get(`/documents/${id}/content`))).status).toBe(200);
    }
    expect(await storedHashes(tenant)).toEqual(rounds.map((bytes) => sha256Of(bytes)).sort());
  });

  it('sweeps when the service starts', async () => {
    await purge(await uploadAged('before the start'));
    const second = await SecondInstance.start(service, { configuration: { workerConcurrency: 2 } });
    await second.app.get(ScheduledTasks).waitForRunning();
    await second.stop();
    expect([await storedHashes(tenant), await contents()]).toEqual([[], []]);
  });

  it('stops between two steps when the service stops', async () => {
    await purge(await uploadAged('later'));
    await expect(sweeper.sweep(AbortSignal.abort())).rejects.toThrow('aborted');
    expect(await storedHashes(tenant)).toEqual([sha256Of('later')]);
  });
});
