import { beforeEach, describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocument, upload } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { pseudoRandomBytes, sha256Of } from '../../../support/content-fixtures.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { waitUntilProcessed } from '../../../support/wait-until-processed.js';
import { service } from '../../../support/service/shared-service.js';
import { asBytes, storedPath } from '../../../support/stored-content.js';
import { type TestTenant } from '../../../support/tenant.js';

const BYTES = pseudoRandomBytes(200_000);
const TAG = `"${sha256Of(BYTES)}"`;

describe('GetDocumentContent', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let viewer: Actor;
  let id: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
    viewer = await tenant.as('viewer', 'Vera Viewer');
    id = await uploaded();
  });

  async function uploaded(document: object = {}, actor = editor): Promise<string> {
    const response = await upload(
      actor,
      { title: 'Bauplan', ...document },
      { bytes: BYTES, fileName: 'Plan „2“.pdf' },
    );
    expect(response.status).toBe(201);
    return (response.body as { id: string }).id;
  }

  const get = (actor = viewer, documentId = id) => actor.get(`/documents/${documentId}/content`);
  const head = (actor = viewer, documentId = id) => actor.send('head', `/documents/${documentId}/content`);
  const downloads = async () =>
    (await tenant.audit()).filter(({ action }) => action === 'DocumentDownloaded');

  describe('200', () => {
    it('returns 200 with the bytes and their headers, writes an audit entry and sends no notification', async () => {
      const response = await asBytes(get());

      expect(response.status).toBe(200);
      expect(BYTES.equals(response.body as Buffer)).toBe(true);
      expect(response.headers).toMatchObject({
        'content-type': 'application/pdf',
        'content-length': String(BYTES.length),
        'content-disposition': `attachment; filename="Plan ?2?.pdf"; filename*=UTF-8''Plan%20%E2%80%9E2%E2%80%9C.pdf`,
        'accept-ranges': 'bytes',
        etag: TAG,
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
      });
      expect(await downloads()).toEqual([viewer.entry('DocumentDownloaded', 'Document', id, 'Bauplan')]);
      expect(await tenant.notifications()).toEqual([]);
    });

    it('returns 200 and writes an audit entry for each download', async () => {
      for (const actor of [viewer, viewer, editor]) await asBytes(get(actor));
      expect((await downloads()).map(({ actor_id }) => actor_id)).toEqual([
        viewer.userId,
        viewer.userId,
        editor.userId,
      ]);
    });

    it('returns 200 for empty content', async () => {
      const empty = await upload(
        editor,
        { title: 'Leer' },
        { bytes: '', fileName: 'leer.txt', mediaType: 'text/plain' },
      );
      const response = await get(viewer, (empty.body as { id: string }).id);
      expect([response.status, response.text, response.headers['content-length']]).toEqual([200, '', '0']);
    });

    it('returns 200 for an Archived document, and for one in the bin if the caller may restore it', async () => {
      await waitUntilProcessed(tenant, id);
      await editor.post(`/documents/${id}/archive`);
      expect((await asBytes(get())).status).toBe(200);
      await editor.delete(`/documents/${id}`);
      expect((await asBytes(get(editor))).status).toBe(200);
      expectProblem(await get(viewer), 'resource.not-found');
    });

    it('returns 200 and ignores Accept', async () => {
      expect((await asBytes(get().set('Accept', 'image/png'))).status).toBe(200);
    });

    it('returns 200 to HEAD with the headers, without an audit entry', async () => {
      const response = await head();
      expect([response.status, response.headers['content-length'], response.headers.etag]).toEqual([
        200,
        String(BYTES.length),
        TAG,
      ]);
      expect(await downloads()).toEqual([]);
    });
  });

  it('returns 304 for a current If-None-Match, without an audit entry', async () => {
    for (const known of [TAG, `W/${TAG}`, '*']) {
      const response = await get().set('If-None-Match', known);
      expect([response.status, response.text, response.headers.etag]).toEqual([304, '', TAG]);
    }
    expect(await downloads()).toEqual([]);
    expect((await asBytes(get().set('If-None-Match', '"other"'))).status).toBe(200);
  });

  describe('206', () => {
    it.each([
      ['bytes=0-99', 0, 99],
      ['bytes=100-', 100, BYTES.length - 1],
      ['bytes=-10', BYTES.length - 10, BYTES.length - 1],
      ['bytes=199999-300000', BYTES.length - 1, BYTES.length - 1],
    ])('returns 206 for Range: %s', async (range, start, end) => {
      const response = await asBytes(get().set('Range', range));
      expect(response.status).toBe(206);
      expect(BYTES.subarray(start, end + 1).equals(response.body as Buffer)).toBe(true);
      expect(response.headers).toMatchObject({
        'content-range': `bytes ${start}-${end}/${BYTES.length}`,
        'content-length': String(end - start + 1),
        etag: TAG,
      });
    });

    it('returns 206 and writes one audit entry for several ranges by the same user', async () => {
      for (const range of ['bytes=0-99', 'bytes=100-199', 'bytes=-50', 'bytes=200-']) {
        expect((await asBytes(get().set('Range', range))).status).toBe(206);
      }
      expect(await downloads()).toHaveLength(1);
    });

    it('returns 206 and writes one audit entry when the document is renamed between two ranges', async () => {
      await asBytes(get().set('Range', 'bytes=0-99'));
      expect((await editor.put(`/documents/${id}`, { title: 'Lageplan' })).status).toBe(200);
      expect((await asBytes(get().set('Range', 'bytes=100-199'))).status).toBe(206);
      expect((await downloads()).map(({ summary }) => summary)).toEqual(['Bauplan']);
    });

    it('returns 206 and writes an audit entry for each user, whichever range is read first', async () => {
      await asBytes(get(editor));
      await asBytes(get().set('Range', 'bytes=1-'));
      await asBytes(get().set('Range', 'bytes=2-'));
      expect((await downloads()).map(({ actor_id }) => actor_id)).toEqual([editor.userId, viewer.userId]);
    });

    it('returns 206 and writes another audit entry after an hour, and for another document', async () => {
      const other = await uploaded();
      await asBytes(get());
      await asBytes(get(viewer, other).set('Range', 'bytes=1-'));
      expect((await downloads()).map(({ subject_id }) => subject_id)).toEqual([id, other]);
      await service.query(
        `UPDATE audit_entries SET occurred_at = now() - interval '61 minutes' WHERE tenant_id = $1`,
        [tenant.id],
      );
      await asBytes(get().set('Range', 'bytes=1-'));
      expect(await downloads()).toHaveLength(3);
    });

    it('returns 200 with all bytes for several ranges, an invalid range or another If-Range', async () => {
      for (const range of ['bytes=0-1,5-6', 'items=0-1', 'bytes=5-1', 'bytes=x']) {
        expect((await asBytes(get().set('Range', range))).status).toBe(200);
      }
      const stale = get().set('Range', 'bytes=0-1').set('If-Range', '"other"');
      expect((await asBytes(stale)).status).toBe(200);
      const current = get().set('Range', 'bytes=0-1').set('If-Range', TAG);
      expect((await asBytes(current)).status).toBe(206);
    });
  });

  describe('by disposition', () => {
    const headersFor = async (query: string, mediaType: string) => {
      const response = await upload(editor, { title: 'Bauplan' }, { bytes: BYTES, fileName: 'a', mediaType });
      const { id: documentId } = response.body as { id: string };
      const { headers } = await asBytes(viewer.get(`/documents/${documentId}/content${query}`));
      return [headers['content-disposition'], headers['content-security-policy']];
    };
    const SANDBOX =
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    it('returns 200 as an attachment by default', async () => {
      for (const query of ['', '?disposition=attachment']) {
        expect(await headersFor(query, 'image/png')).toEqual(['attachment; filename=a', SANDBOX]);
      }
    });

    it('returns 200 inline for a media type that cannot run scripts', async () => {
      expect(await headersFor('?disposition=inline', 'image/png')).toEqual(['inline; filename=a', SANDBOX]);
    });

    it.each([
      ['utf-8', Buffer.from('Grüße, 12 €')],
      ['windows-1252', Buffer.from('Gr\xfc\xdfe, 12 \x80', 'latin1')],
      ['utf-16le', Buffer.from('\ufeffGrüße', 'utf16le')],
    ])('returns 200 inline with the encoding %s of a text', async (charset, bytes) => {
      const text = { bytes, fileName: 'a.txt', mediaType: 'text/plain' };
      const created = await upload(editor, { title: 'Bauplan' }, text);
      const path = `/documents/${(created.body as { id: string }).id}/content`;
      const whole = await asBytes(viewer.get(`${path}?disposition=inline`));
      expect(whole.headers['content-type']).toBe(`text/plain; charset=${charset}`);
      expect(whole.body).toEqual(bytes);
      const part = await asBytes(viewer.get(`${path}?disposition=inline`).set('Range', 'bytes=4-'));
      expect([part.status, part.headers['content-type']]).toEqual([206, `text/plain; charset=${charset}`]);
      expect((await asBytes(viewer.get(path))).headers['content-type']).toBe('text/plain');
    });

    it.each(['text/html', 'image/svg+xml', 'application/xhtml+xml'])(
      'returns 200 as an attachment for %s, which can run scripts',
      async (mediaType) => {
        expect(await headersFor('?disposition=inline', mediaType)).toEqual([
          'attachment; filename=a',
          SANDBOX,
        ]);
      },
    );

    it.each(['shown', '', 'INLINE', 'inline&disposition=inline'])(
      'returns 400 for disposition=%s',
      async (disposition) => {
        expectProblem(
          await viewer.get(`/documents/${id}/content?disposition=${disposition}`),
          'request.invalid',
          ['disposition'],
        );
        expect(await downloads()).toEqual([]);
      },
    );
  });

  it('returns 412 for another If-Match, without an audit entry', async () => {
    expectProblem(
      await get().set('Range', 'bytes=9-').set('If-Match', '"other"'),
      'request.precondition-failed',
    );
    expect(await downloads()).toEqual([]);
    expect((await asBytes(get().set('Range', 'bytes=9-').set('If-Match', TAG))).status).toBe(206);
  });

  it('returns 416 for a range after the end, without an audit entry', async () => {
    const response = await get().set('Range', `bytes=${BYTES.length}-`);
    expectProblem(response, 'content.range-not-satisfiable');
    expect(response.headers['content-range']).toBe(`bytes */${BYTES.length}`);
    expect(await downloads()).toEqual([]);
  });

  describe('404', () => {
    it('returns 404 for a document without content, also to HEAD', async () => {
      const plain = await saveDocument(tenant, editor);
      expectProblem(await get(viewer, plain.id), 'document.without-content');
      expect((await head(viewer, plain.id)).status).toBe(404);
    });

    it('returns 404 for a confidential document to a caller who is not on its access list', async () => {
      const secret = await uploaded({ isConfidential: true });
      expect((await asBytes(get(editor, secret))).status).toBe(200);
      expectProblem(await get(await tenant.as('administrator'), secret), 'resource.not-found');
    });

    it('returns 404 without a grant on its file; 200 with one', async () => {
      const guest = await tenant.as('guest');
      const file = await saveFile(tenant, editor);
      const filed = await uploaded({ fileIds: [file.id] });
      expectProblem(await get(guest, filed), 'resource.not-found');
      await saveAccessGrant(tenant, guest, { file: file.id });
      expect((await asBytes(get(guest, filed))).status).toBe(200);
    });

    it('returns 404 for the same bytes in another tenant', async () => {
      const elsewhere = await service.tenant();
      const other = await saveDocument(elsewhere, await elsewhere.as('editor'));
      expectProblem(
        await (await elsewhere.as('viewer')).get(`/documents/${id}/content`),
        'resource.not-found',
      );
      expectProblem(await get(viewer, other.id), 'resource.not-found');
    });
  });

  it('returns 500 when the bytes are missing, without an audit entry', async () => {
    await rm(storedPath(tenant, sha256Of(BYTES)));
    expectProblem(await get(), 'service.error');
    expect(await downloads()).toEqual([]);
  });

  it('returns 500 without content when the audit entry cannot be written', async () => {
    await service.query('ALTER TABLE audit_entries ADD CONSTRAINT ck_test CHECK (false) NOT VALID');
    try {
      expectProblem(await get(), 'service.error');
    } finally {
      await service.query('ALTER TABLE audit_entries DROP CONSTRAINT ck_test');
    }
  });
});
