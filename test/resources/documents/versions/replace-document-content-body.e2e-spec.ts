import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Test } from 'supertest';
import { putContent } from '../../../factories/documents.js';
import { type Actor } from '../../../support/actor.js';
import { waitUntil } from '../../../support/wait-until.js';
import { withRawBody } from '../../../support/raw-body.js';
import { waitUntilProcessed } from '../../../support/wait-until-processed.js';
import { TestService } from '../../../support/service/service.js';
import { sha256Of } from '../../../support/content-fixtures.js';
import { temporaryFiles } from '../../../support/stored-content.js';
import { type TestTenant } from '../../../support/tenant.js';
import {
  type ExpectedProblem,
  contentOf,
  expectRefusedWithoutChange,
  saveDocumentWithContent,
} from './document-content.js';

const LIMIT = 300_000;

describe('ReplaceDocumentContent with a body or a form', () => {
  let service: TestService;
  let tenant: TestTenant;
  let editor: Actor;
  let id: string;
  beforeAll(async () => {
    service = await TestService.start({ UPLOAD_LIMIT_BYTES: String(LIMIT) });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda Editor');
    id = await saveDocumentWithContent(tenant, editor, 'first');
  });
  // No test may leave temporary content behind.
  afterEach(() => waitUntil(async () => (await temporaryFiles(service)).length === 0));

  const put = (bytes: Buffer | string) => putContent(editor, id, bytes);
  const form = () => editor.put(`/documents/${id}/content`);
  const expectRefused = (test: PromiseLike<unknown>, ...problem: ExpectedProblem) =>
    expectRefusedWithoutChange(tenant, test, ...problem);

  describe('200', () => {
    it('returns 200 with the file of a form', async () => {
      const response = await form()
        .field('document', 'is ignored')
        .attach('content', Buffer.from('second'), { filename: 'Neu.csv', contentType: 'text/csv' });
      expect([response.status, response.body]).toMatchObject([
        200,
        { content: { fileName: 'Neu.csv', mediaType: 'text/csv', sha256: sha256Of('second') } },
      ]);
      expect((await contentOf(editor, id)).toString()).toBe('second');
    });

    it.each([
      ['without Content-Disposition', (test: Test) => test],
      [
        'for a Content-Disposition without a file name',
        (test: Test) => test.set('Content-Disposition', 'inline'),
      ],
      [
        'for an invalid file name',
        (test: Test) => test.set('Content-Disposition', 'attachment; filename=".."'),
      ],
    ])('returns 200 and keeps the former file name %s', async (_, prepare) => {
      const response = await prepare(put('second'));
      expect(response.body).toMatchObject({ content: { fileName: 'Plan.txt' } });
    });

    it.each([
      ['application/octet-stream', undefined],
      ['application/octet-stream', 'nonsense'],
      ['application/octet-stream', '*/*'],
      ['application/octet-stream', `text/${'x'.repeat(300)}`],
      ['application/json', 'application/json'],
      ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded'],
      ['multipart/mixed', 'multipart/mixed; boundary=x'],
    ])('returns 200 with the media type %s for the Content-Type %s', async (mediaType, contentType) => {
      const test = form();
      const sent = contentType === undefined ? withoutType(test, '{}') : withRawBody(test, '{}', contentType);
      expect((await sent).body).toMatchObject({ content: { mediaType, size: 2 } });
    });

    it('returns 200 for empty content with a Content-Type', async () => {
      const response = await put('');
      expect([response.status, response.body]).toMatchObject([200, { content: { size: 0 } }]);
    });

    it('returns 200 for content of exactly the allowed size, as a body and as a form', async () => {
      expect((await put(Buffer.alloc(LIMIT, 'x'))).body).toMatchObject({ content: { size: LIMIT } });
      await waitUntilProcessed(tenant, id);
      const second = await form().attach('content', Buffer.alloc(LIMIT, 'y'), 'y.txt');
      expect([second.status, second.body]).toMatchObject([200, { content: { size: LIMIT } }]);
    });
  });

  describe('400', () => {
    it('returns 400 without content', async () => {
      await expectRefused(withoutType(form(), ''), 'request.malformed-body', ['$']);
    });

    it('returns 400 for a form without a file', async () => {
      await expectRefused(form().field('document', '{}'), 'request.invalid', ['content']);
      const empty = '--b\r\nContent-Disposition: form-data; name="content"; filename=""\r\n\r\n\r\n--b--\r\n';
      await expectRefused(withRawBody(form(), empty, 'multipart/form-data; boundary=b'), 'request.invalid', [
        'content',
      ]);
    });

    it('returns 400 for an invalid form', async () => {
      await expectRefused(withRawBody(form(), 'x', 'multipart/form-data'), 'request.malformed-body', ['$']);
      await expectRefused(
        withRawBody(form(), 'x', 'multipart/form-data; boundary=b'),
        'request.malformed-body',
        ['$'],
      );
    });

    it('returns 400 for a wrongly encoded file name', () =>
      expectRefused(
        put('second').set('Content-Disposition', `attachment; filename*=UTF-8''%FF.txt`),
        'request.invalid',
        ['Content-Disposition'],
      ));

    it('returns 400 for Content-Range, since content is replaced as a whole', () =>
      expectRefused(put('second').set('Content-Range', 'bytes 0-5/100'), 'request.invalid', [
        'Content-Range',
      ]));
  });

  describe('413', () => {
    it('returns 413 for content that is one byte too large, as a body and as a form', async () => {
      const bytes = Buffer.alloc(LIMIT + 1, 'x');
      await expectRefused(put(bytes), 'request.too-large');
      await expectRefused(form().attach('content', bytes, 'x.txt'), 'request.too-large');
    });
  });

  it('returns 415 for encoded content, as a body and as a form', async () => {
    await expectRefused(put('second').set('Content-Encoding', 'gzip'), 'request.unsupported-media-type');
    const encoded = form().set('Content-Encoding', 'gzip').attach('content', Buffer.from('x'), 'x.txt');
    await expectRefused(encoded, 'request.unsupported-media-type');
    expect((await put('second').set('Content-Encoding', 'identity')).status).toBe(200);
  });
});

function withoutType(test: Test, bytes: string): Test {
  return withRawBody(test, Buffer.from(bytes)).unset('Content-Type');
}
