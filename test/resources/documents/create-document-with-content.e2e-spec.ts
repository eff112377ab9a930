import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { type ClientRequest, request as httpRequest } from 'node:http';
import path from 'node:path';
import { ContentStore } from '../../../src/platform/content/content-store.js';
import { storageProblem } from '../../../src/platform/content/disk-content-store.js';
import { upload } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { waitUntil } from '../../support/wait-until.js';
import { expectProblem } from '../../support/expect-problem.js';
import { duringTransaction, waitForBlockedStatements } from '../../support/locks.js';
import { withRawBody } from '../../support/raw-body.js';
import { TestService } from '../../support/service/service.js';
import { sha256Of } from '../../support/content-fixtures.js';
import { storedHashes, temporaryFiles } from '../../support/stored-content.js';
import { type TestTenant } from '../../support/tenant.js';

const LIMIT = 300_000;

describe('CreateDocument with content', () => {
  let service: TestService;
  let tenant: TestTenant;
  let editor: Actor;
  beforeAll(async () => {
    service = await TestService.start({ UPLOAD_LIMIT_BYTES: String(LIMIT) });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
  });
  // No test may leave temporary content behind.
  afterEach(() => waitUntil(async () => (await temporaryFiles(service)).length === 0));

  const send = (bytes: Buffer | string, document: object = { title: 'Bauplan' }, actor = editor) =>
    upload(actor, document, { bytes });

  async function expectRefused(
    test: PromiseLike<unknown>,
    ...problem: [Parameters<typeof expectProblem>[1], string[]?]
  ) {
    const before = await tenant.fingerprint();
    expectProblem((await test) as Parameters<typeof expectProblem>[0], ...problem);
    expect(await tenant.fingerprint()).toEqual(before);
    expect(await storedHashes(tenant)).toEqual([]);
  }

  describe('201', () => {
    it('returns 201 with name, media type, size and hash, and stores the bytes', async () => {
      const bytes = Buffer.from('%PDF-1.7 not much of one');

      const response = await upload(
        editor,
        { title: 'Bauplan' },
        { bytes, fileName: 'Prüfbericht „neu“.pdf', mediaType: 'Application/PDF; version=1.7' },
      );

      expect(response.status).toBe(201);
      const document = response.body as { id: string };
      expect(document).toMatchObject({
        title: 'Bauplan',
        status: 'Processing',
        content: {
          fileName: 'Prüfbericht „neu“.pdf',
          mediaType: 'application/pdf',
          size: bytes.length,
          sha256: sha256Of(bytes),
          pageCount: null,
        },
      });
      expect(await storedHashes(tenant)).toEqual([sha256Of(bytes)]);
      expect(
        await service.query('SELECT sha256, size FROM contents WHERE tenant_id = $1', [tenant.id]),
      ).toEqual([{ sha256: sha256Of(bytes), size: String(bytes.length) }]);
      expect((await tenant.audit()).map(({ action }) => action)).toEqual(['DocumentCreated']);
      expect(await tenant.jobs()).toEqual([
        {
          key: `ProcessDocument:${document.id}:1`,
          payload: { tenantId: tenant.id, documentId: document.id, version: 1 },
          attempts: 0,
        },
      ]);
      const read = await editor.get(`/documents/${document.id}`);
      // Only uploads return duplicateIds; the entity tag does not depend on them.
      expect([{ ...(read.body as object), duplicateIds: [] }, read.headers.etag]).toEqual([
        document,
        response.headers.etag,
      ]);
    });

    it('returns 201 without content for a form without a chosen file', async () => {
      const disposition = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"`;
      const form = [
        `${disposition('document')}\r\n\r\n{"title":"Bauplan"}`,
        `${disposition('content')}; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n`,
        '--b--\r\n',
      ].join('\r\n');
      const response = await withRawBody(editor.post('/documents'), form, 'multipart/form-data; boundary=b');
      expect([response.status, response.body]).toMatchObject([201, { content: null }]);
      expect(await storedHashes(tenant)).toEqual([]);
    });

    it('returns 201 without content for a form with only the JSON part', async () => {
      const response = await editor.post('/documents').field('document', '{"title":"Bauplan"}');
      expect([response.status, response.body]).toMatchObject([201, { content: null }]);
    });

    it('returns 201 with content for an empty file with a name', async () => {
      const response = await upload(editor, { title: 'Leer' }, { bytes: '', fileName: 'leer.txt' });
      expect([response.status, response.body]).toMatchObject([
        201,
        { content: { fileName: 'leer.txt', size: 0, sha256: sha256Of('') } },
      ]);
    });

    it('returns 201 for content of exactly the allowed size', async () => {
      const response = await send(Buffer.alloc(LIMIT, 'x'));
      expect([response.status, response.body]).toMatchObject([201, { content: { size: LIMIT } }]);
    });

    it('returns 201 and stores the same bytes once in each tenant', async () => {
      const [one, two] = [await send('same'), await send('same', { title: 'Noch einer' })];
      const elsewhere = await service.tenant();
      const three = await send('same', { title: 'Bauplan' }, await elsewhere.as('editor'));
      expect([one.status, two.status, three.status]).toEqual([201, 201, 201]);
      expect(await storedHashes(tenant)).toEqual([sha256Of('same')]);
      expect(await storedHashes(elsewhere)).toEqual([sha256Of('same')]);
      expect(await service.query('SELECT FROM contents WHERE tenant_id = $1', [tenant.id])).toHaveLength(1);
    });

    it('returns 201 to several concurrent uploads of the same bytes', async () => {
      const responses = await Promise.all([1, 2, 3, 4, 5].map((n) => send('same', { title: `Nr. ${n}` })));
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
      expect(await storedHashes(tenant)).toEqual([sha256Of('same')]);
    });

    it('returns 201 after waiting for a sweep of the same bytes', async () => {
      await service.query(
        `INSERT INTO contents (tenant_id, sha256, size, linked_at) VALUES ($1, $2, 4, now() - interval '2 days')`,
        [tenant.id, sha256Of('same')],
      );
      const response = await duringTransaction(
        service,
        'DELETE FROM contents WHERE tenant_id = $1 AND sha256 = $2',
        [tenant.id, sha256Of('same')],
        () => send('same'),
      );
      expect(response.status).toBe(201);
      expect(await service.query('SELECT FROM contents WHERE tenant_id = $1', [tenant.id])).toHaveLength(1);
    });
  });

  describe('with an Idempotency-Key', () => {
    it('returns 201 with the first answer to a repeated upload, and creates nothing', async () => {
      const key = randomUUID();
      const first = await send('bytes').set('Idempotency-Key', key);
      const before = await tenant.fingerprint();
      // File name and media type do not distinguish uploads; the hash of the bytes does.
      const again = upload(editor, { title: 'Bauplan' }, { bytes: 'bytes', fileName: 'other.txt' });
      const second = await again.set('Idempotency-Key', key);
      expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it('returns 201 with one document to several concurrent uploads', async () => {
      const key = randomUUID();
      const responses = await Promise.all([1, 2, 3].map(() => send('bytes').set('Idempotency-Key', key)));
      expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(await tenant.audit()).toHaveLength(1);
    });

    it.each([
      ['other bytes', () => send('other')],
      ['another JSON part', () => send('bytes', { title: 'Anderes' })],
      ['no content', () => editor.post('/documents', { title: 'Bauplan' })],
    ])('returns 409 for %s', async (_, other) => {
      const key = randomUUID();
      await send('bytes').set('Idempotency-Key', key);
      const before = await tenant.fingerprint();
      expectProblem(await other().set('Idempotency-Key', key), 'request.idempotency-conflict');
      expect(await tenant.fingerprint()).toEqual(before);
      expect(await storedHashes(tenant)).toEqual([sha256Of('bytes')]);
    });

    it('returns 400 for an invalid key', () =>
      expectRefused(send('bytes').set('Idempotency-Key', 'with space'), 'request.invalid', [
        'Idempotency-Key',
      ]));
  });

  describe('with an error', () => {
    it('returns 400 for invalid members of the JSON part', async () => {
      await expectRefused(send('bytes', { title: '', fileIds: ['x'] }), 'request.invalid', [
        'fileIds[0]',
        'title',
      ]);
    });

    it('returns 400 for a JSON part that is not a JSON object', async () => {
      const part = (text: string) =>
        editor.post('/documents').field('document', text).attach('content', Buffer.from('bytes'), 'a.txt');
      await expectRefused(part('{"title":'), 'request.malformed-body', ['$']);
      await expectRefused(part('[]'), 'request.invalid', ['$']);
    });

    it('returns 400 without a JSON part before the content', async () => {
      const content = () => editor.post('/documents').attach('content', Buffer.from('bytes'), 'a.txt');
      await expectRefused(content(), 'request.invalid', ['content']);
      await expectRefused(content().field('document', '{"title":"Bauplan"}'), 'request.invalid', ['content']);
      const without = () => editor.post('/documents').field('other', '1');
      await expectRefused(without(), 'request.invalid', ['document']);
      expect((await without()).body).toMatchObject({ errors: { document: ['is required'] } });
      const german = await without().set('Accept-Language', 'de');
      expect(german.body).toMatchObject({ errors: { document: ['ist erforderlich'] } });
    });

    it('returns 400 for an unknown tag', async () => {
      await expectRefused(send('bytes', { title: 'Bauplan', tagIds: [randomUUID()] }), 'request.invalid', [
        'tagIds[0]',
      ]);
    });

    it('returns 403 without the permission, before it stores anything', async () => {
      await expectRefused(
        send('bytes', { title: 'Bauplan' }, await tenant.as('viewer')),
        'permission.missing',
      );
    });

    it('returns 409 for a Closed file', async () => {
      const file = await saveFile(tenant, editor, { status: 'Closed' });
      await expectRefused(send('bytes', { title: 'Bauplan', fileIds: [file.id] }), 'file.closed');
    });

    it('returns 413 for content that is one byte too large', () =>
      expectRefused(send(Buffer.alloc(LIMIT + 1, 'x')), 'request.too-large'));

    it('returns 415 for another multipart type', () =>
      expectRefused(
        editor
          .post('/documents')
          .set('Content-Type', 'multipart/mixed; boundary=x')
          .send('--x\r\n\r\n{}\r\n--x--\r\n'),
        'request.unsupported-media-type',
      ));

    it('returns 503 when the store cannot be written', async () => {
      const incoming = path.join(service.dataDirectory, 'content', 'incoming');
      await send('to make the folder');
      const [kept, before] = [await storedHashes(tenant), await tenant.fingerprint()];
      await waitUntil(async () => (await temporaryFiles(service)).length === 0);
      await rename(incoming, `${incoming}.away`);
      await writeFile(incoming, 'not a folder');
      try {
        expectProblem(await send('bytes'), 'service.unavailable');
      } finally {
        await rm(incoming);
        await rename(`${incoming}.away`, incoming);
      }
      expect([await storedHashes(tenant), await tenant.fingerprint()]).toEqual([kept, before]);
    });

    it('returns 507 when the store is full', async () => {
      // A test cannot fill the disk, so the store's error for a full disk is simulated.
      const full = storageProblem(Object.assign(new Error('full'), { code: 'ENOSPC' }));
      const receive = jest.spyOn(service.app.get(ContentStore), 'receive').mockRejectedValue(full);
      try {
        await expectRefused(send('bytes'), 'content.storage-full');
      } finally {
        receive.mockRestore();
      }
    });
  });

  describe('when the client disconnects', () => {
    /** Sends an incomplete upload and leaves the request open. */
    function startUpload(bytes: Buffer): ClientRequest {
      const boundary = 'boundary';
      const request = httpRequest(`${service.url}/api/v1/t/${tenant.slug}/documents`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${editor.token}`,
          'Content-Type': `multipart/form-data; boundary=${boundary}`,
        },
      });
      request.on('error', () => undefined);
      request.write(
        `--${boundary}\r\nContent-Disposition: form-data; name="document"\r\n\r\n{"title":"Bauplan"}\r\n` +
          `--${boundary}\r\nContent-Disposition: form-data; name="content"; filename="a.bin"\r\n\r\n`,
      );
      request.write(bytes);
      return request;
    }

    it('stores nothing of an incomplete upload', async () => {
      const before = await tenant.fingerprint();
      const request = startUpload(Buffer.alloc(100_000, 'x'));
      await waitUntil(async () => (await temporaryFiles(service)).length === 1);
      request.destroy();
      await waitUntil(async () => (await temporaryFiles(service)).length === 0);
      expect([await storedHashes(tenant), await tenant.fingerprint()]).toEqual([[], before]);
    });

    it('stores a complete upload although nobody reads the answer', async () => {
      // Another transaction blocks the upload until the client has disconnected.
      await service.query('INSERT INTO contents (tenant_id, sha256, size) VALUES ($1, $2, 5)', [
        tenant.id,
        sha256Of('bytes'),
      ]);
      const dbClient = await service.owner.connect();
      await dbClient.query('BEGIN');
      await dbClient.query('SELECT FROM contents WHERE tenant_id = $1 FOR UPDATE', [tenant.id]);
      const request = startUpload(Buffer.from('bytes'));
      request.end('\r\n--boundary--\r\n');
      expect(await waitForBlockedStatements(service)).toBe(true);
      request.destroy();
      await new Promise((resolve) => setTimeout(resolve, 100));
      await dbClient.query('COMMIT');
      dbClient.release();
      await waitUntil(async () => (await tenant.audit()).length === 1);
      expect(await storedHashes(tenant)).toEqual([sha256Of('bytes')]);
    });
  });

  it('returns 500 without a row when the transaction fails at its end', async () => {
    const before = await tenant.fingerprint();
    await service.query('ALTER TABLE audit_entries ADD CONSTRAINT ck_test CHECK (false) NOT VALID');
    try {
      expectProblem(await send('bytes'), 'service.error');
    } finally {
      await service.query('ALTER TABLE audit_entries DROP CONSTRAINT ck_test');
    }
    expect(await tenant.fingerprint()).toEqual(before);
    // The bytes may stay until the sweep removes them (see content-sweeper-spec.ts).
    expect((await send('bytes')).status).toBe(201);
    expect(await storedHashes(tenant)).toEqual([sha256Of('bytes')]);
  });
});
