import { beforeEach, describe, expect, it } from '@jest/globals';
import { buildPdf } from '../../../factories/content/pdf-files.js';
import { saveContentText } from '../../../factories/document-texts.js';
import { putContent, saveDocument, saveVersion, upload } from '../../../factories/documents.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { waitUntilProcessed } from '../../../support/wait-until-processed.js';

const LINES = ['Bescheid über die Größe', 'der Fläche'];

describe('GetDocumentText', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let viewer: Actor;
  let existing: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
    viewer = await tenant.as('viewer', 'Vera Viewer');
    existing = await saved();
  });

  const get = (id: string, query = '', actor = viewer) => actor.get(`/documents/${id}/text${query}`);
  const downloads = async () =>
    (await tenant.audit()).filter(({ action }) => action === 'DocumentDownloaded');

  /** Inserts a document with a content that has been read. */
  async function saved(text = 'Der Text', of = tenant, creator = editor): Promise<string> {
    const { id } = await saveDocument(of, creator, { title: 'Bescheid' });
    await saveVersion(of, creator, id, { bytes: 'bytes' });
    await saveContentText(of, id, text);
    return id;
  }

  async function uploaded(bytes: Buffer | string, fileName: string): Promise<string> {
    const response = await upload(editor, { title: 'Bescheid' }, { bytes, fileName });
    const { id } = response.body as { id: string };
    await waitUntilProcessed(tenant, id);
    return id;
  }

  it('returns 200 with the pages of a PDF, writes an audit entry and sends no notification', async () => {
    const id = await uploaded(buildPdf([[], LINES, [], ['Vierte Seite'], []]), 'bescheid.pdf');
    const response = await get(id);
    expect(response.status).toBe(200);
    expect(response.text).toBe('\fBescheid über die Größe\nder Fläche\f\fVierte Seite\f');
    expect(response.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(Buffer.byteLength(response.text)),
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
    });
    expect(response.headers).toMatchObject({ 'recognised-pages': 'none' });
    expect(await downloads()).toEqual([viewer.entry('DocumentDownloaded', 'Document', id, 'Bescheid: text')]);
    expect(await tenant.notifications()).toEqual([]);
    const document = await viewer.get(`/documents/${id}`);
    expect(document.body).toMatchObject({ content: { text: 'Available', failure: null, pageCount: 5 } });
  });

  it('returns 200 with one page, and writes one audit entry for the pages of an hour', async () => {
    const id = await uploaded(buildPdf([LINES, [], ['Dritte Seite'], []]), 'bescheid.pdf');
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push((await get(id, `?page=${page}`)).text);
    expect(pages).toEqual([LINES.join('\n'), '', 'Dritte Seite', '']);
    expectProblem(await get(id, '?page=5'), 'document.without-page');
    expect(await downloads()).toHaveLength(1);
  });

  it('returns 200 with a long text exactly as it was read', async () => {
    const lines = Array.from({ length: 400 }, (_, n) => `Zeile ${n} — mit «Zeichen», 12,${n} € u.a.`);
    const text = lines.join('\n');
    const id = await uploaded(text, 'lang.txt');
    expect((await get(id)).text).toBe(text);
  });

  it('returns 200 and names the pages from character recognition', async () => {
    const id = await saved('Eins\fZwei\fDrei\fVier');
    await service.query(
      `UPDATE document_versions SET recognised_pages = '{1,2,4}' WHERE tenant_id = $1 AND document_id = $2`,
      [tenant.id, id],
    );
    expect((await get(id)).headers).toMatchObject({ 'recognised-pages': '1-2, 4' });
    expect((await get(id, '?page=4')).headers).toMatchObject({ 'recognised-pages': '4' });
    expect((await get(id, '?page=3')).headers).toMatchObject({ 'recognised-pages': 'none' });
  });

  it('returns 200 without a body and without an audit entry for HEAD', async () => {
    const id = existing;
    const response = await viewer.send('head', `/documents/${id}/text`);
    expect([response.status, response.headers['content-length'], response.text]).toEqual([
      200,
      '8',
      undefined,
    ]);
    expect(await downloads()).toEqual([]);
  });

  it('returns 304 without an audit entry if the client has this text, and 200 if it has another', async () => {
    const id = existing;
    const { etag = '' } = (await viewer.send('head', `/documents/${id}/text`)).headers as { etag?: string };
    const unchanged = await get(id).set('If-None-Match', etag);
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    expect(await downloads()).toEqual([]);
    expect((await get(id).set('If-None-Match', '"other"')).status).toBe(200);
  });

  it('returns 304 only for callers who can still read the document', async () => {
    const id = existing;
    const { etag = '' } = (await viewer.send('head', `/documents/${id}/text`)).headers as { etag?: string };
    const manager = await tenant.as('administrator');
    await editor.put(`/documents/${id}/confidentiality`, { isConfidential: true });
    expectProblem(await get(id).set('If-None-Match', etag), 'resource.not-found');
    expectProblem(await get(id, '', manager), 'resource.not-found');
  });

  it.each(['0', '-1', '1.5', 'a', '1000001', '', '1&page=2'])('returns 400 for page=%s', async (page) => {
    const id = existing;
    expectProblem(await get(id, `?page=${page}`), 'request.invalid', ['page']);
  });

  it('returns 404 document.without-page for a page after the last one', async () => {
    expectProblem(await get(await saved('Eins\fZwei'), '?page=3'), 'document.without-page');
  });

  it('returns 404 document.without-content for a document without content', async () => {
    const { id } = await saveDocument(tenant, editor);
    expectProblem(await get(id), 'document.without-content');
  });

  it.each([
    ['None', '\u0000\u0001\u0002\u0003', null],
    ['Failed', '%PDF-1.7 this is not one', 'Corrupted'],
  ])('returns 404 document.without-text for a text that is %s', async (text, bytes, failure) => {
    const id = await uploaded(bytes, 'file.bin');
    expectProblem(await get(id), 'document.without-text');
    expect((await viewer.get(`/documents/${id}`)).body).toMatchObject({ content: { text, failure } });
    expect(await downloads()).toEqual([]);
  });

  it('returns 409 document.processing while the content is read', async () => {
    const response = await upload(editor, { title: 'Neu' }, { bytes: 'Text', fileName: 'neu.txt' });
    const { id, content } = response.body as { id: string; content: object };
    expect(content).toMatchObject({ text: 'Pending', failure: null });
    expectProblem(await get(id), 'document.processing');
  });

  it('returns 200 with the former text while the content is read again', async () => {
    const id = await uploaded('Alter Text', 'brief.txt');
    await editor.post(`/documents/${id}/reprocess`).expect(200);
    expect((await get(id)).text).toBe('Alter Text');
  });

  it('returns 409 while a new version is read, and then the new text', async () => {
    const id = await uploaded('Alter Text', 'brief.txt');
    await putContent(editor, id, 'Neuer Text');
    expectProblem(await get(id), 'document.processing');
    await waitUntilProcessed(tenant, id);
    expect((await get(id)).text).toBe('Neuer Text');
  });
});
