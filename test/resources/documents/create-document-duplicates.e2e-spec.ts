import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { saveAccessGrant } from '../../factories/access-grants.js';
import {
  type DocumentOverrides,
  setCreatedAt,
  saveDocument,
  saveVersion,
  upload,
} from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { waitForBlockedStatements } from '../../support/locks.js';
import { service } from '../../support/service/shared-service.js';
import { sha256Of } from '../../support/content-fixtures.js';
import { type TestTenant } from '../../support/tenant.js';

const BYTES = 'the same bytes';

describe('CreateDocument with duplicates', () => {
  let tenant: TestTenant;
  let editor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
  });

  async function saved(overrides: DocumentOverrides = {}, where = tenant, actor = editor): Promise<string> {
    const { id } = await saveDocument(where, actor, overrides);
    await saveVersion(where, actor, id, { bytes: BYTES });
    return id;
  }

  const send = (actor = editor, document: object = {}) =>
    upload(actor, { title: 'Bauplan', ...document }, { bytes: BYTES });
  async function duplicateIds(actor = editor, document: object = {}): Promise<string[]> {
    const response = await send(actor, document);
    expect(response.status).toBe(201);
    return (response.body as { duplicateIds: string[] }).duplicateIds;
  }

  it('returns 201 with the documents that have the same content, newest first', async () => {
    const ids = [await saved(), await saved({ status: 'Archived' }), await saved({ status: 'Processing' })];
    for (const [n, id] of ids.entries()) await setCreatedAt(tenant, id, `2026-01-0${n + 1}T00:00:00Z`);
    const other = await saveDocument(tenant, editor);
    await saveVersion(tenant, editor, other.id, { bytes: 'other bytes' });
    await saveDocument(tenant, editor);

    expect(await duplicateIds()).toEqual([...ids].reverse());
  });

  it('returns 201 without duplicates for new content, and for a document without content', async () => {
    await saved();
    const fresh = await upload(editor, { title: 'Neu' }, { bytes: randomUUID() });
    expect(fresh.body).toMatchObject({ duplicateIds: [] });
    expect((await editor.post('/documents', { title: 'Ohne' })).body).toMatchObject({ duplicateIds: [] });
  });

  it('returns 201 without documents that only had the content in a former version', async () => {
    const id = await saved();
    await saveVersion(tenant, editor, id, { bytes: 'newer' });
    expect(await duplicateIds()).toEqual([]);
  });

  it('returns 201 with the newest 100 at most', async () => {
    const oldest = await saved();
    await setCreatedAt(tenant, oldest, '2020-01-01T00:00:00Z');
    await service.query(
      `INSERT INTO documents (tenant_id, id, title, status, created_by, content_sha256, content_size, content_media_type,
                              content_text, content_version)
       SELECT $1, gen_random_uuid(), 'n', 'Active', $2, $3, 14, 'text/plain', 'None', 1 FROM generate_series(1, 100)`,
      [tenant.id, editor.userId, sha256Of(BYTES)],
    );
    const ids = await duplicateIds();
    expect(ids).toHaveLength(100);
    expect(ids).not.toContain(oldest);
  });

  describe('visibility', () => {
    it('returns 201 without documents that are confidential to others', async () => {
      const own = await saved({ confidentialTo: [editor] });
      const administrator = await tenant.as('administrator');
      await saved({ confidentialTo: [administrator] });
      expect(await duplicateIds()).toEqual([own]);
    });

    it('returns 201 without documents in the bin, unless the caller may restore them', async () => {
      const binned = await saved({ status: 'Deleted' });
      expect(
        await duplicateIds(await tenant.with('documents.create', 'documents.read', 'files.read')),
      ).toEqual([]);
      expect(await duplicateIds()).toContain(binned);
    });

    it("returns 201 with the caller's own documents and those in granted files without files.read", async () => {
      const guest = await tenant.as('guest');
      const [granted, other] = [await saveFile(tenant, editor), await saveFile(tenant, editor)];
      await saveAccessGrant(tenant, guest, { file: granted.id }, { level: 'Write' });
      const seen = await saved({ fileIds: [granted.id] });
      await saved({ fileIds: [other.id] });
      await saved();
      const own = await saved({}, tenant, guest);
      const ids = await duplicateIds(guest, { fileIds: [granted.id] });
      expect([...ids].sort()).toEqual([seen, own].sort());
    });

    it('returns 201 without duplicates when the caller lacks documents.read', async () => {
      await saved();
      expect(await duplicateIds(await tenant.with('documents.create', 'files.read'))).toEqual([]);
    });

    it('returns 201 without documents of another tenant', async () => {
      const elsewhere = await service.tenant();
      await saved({}, elsewhere, await elsewhere.as('editor'));
      expect(await duplicateIds()).toEqual([]);
    });
  });

  it('returns 201 with the earlier document to the later of two concurrent uploads', async () => {
    const client = await service.owner.connect();
    await client.query('BEGIN');
    // Both uploads wait for the row of the content, after their first look for duplicates.
    await client.query('INSERT INTO contents (tenant_id, sha256, size) VALUES ($1, $2, 14)', [
      tenant.id,
      sha256Of(BYTES),
    ]);
    const both = Promise.all([send(), send()]);
    expect(await waitForBlockedStatements(service)).toBe(true);
    await client.query('COMMIT');
    client.release();
    const answers = (await both).map(({ body }) => body as { id: string; duplicateIds: string[] });
    expect(answers.map(({ duplicateIds }) => duplicateIds.length).sort()).toEqual([0, 1]);
    const later = answers.find(({ duplicateIds }) => duplicateIds.length === 1);
    const earlier = answers.find(({ duplicateIds }) => duplicateIds.length === 0);
    expect(later?.duplicateIds).toEqual([earlier?.id]);
  });

  it('returns 201 with the entity tag of the document, valid for If-Match', async () => {
    await saved();
    const response = await send();
    const { id } = response.body as { id: string };
    const read = await editor.get(`/documents/${id}`);
    expect(read.body).not.toHaveProperty('duplicateIds');
    expect(response.headers.etag).toBe(read.headers.etag);
    const changed = await editor
      .put(`/documents/${id}`, { title: 'Neuer Titel' })
      .set('If-Match', String(response.headers.etag));
    expect(changed.status).toBe(200);
  });

  it('returns 201 with the first answer and entity tag to a repeated Idempotency-Key', async () => {
    const id = await saved();
    const key = randomUUID();
    const first = await send().set('Idempotency-Key', key);
    await saved();
    const second = await send().set('Idempotency-Key', key);
    expect([second.status, second.text, second.headers.etag]).toEqual([201, first.text, first.headers.etag]);
    expect(first.body).toMatchObject({ duplicateIds: [id] });
  });
});
