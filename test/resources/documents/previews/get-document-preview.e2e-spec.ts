import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response, type Test } from 'supertest';
import { buildEncryptedPdf } from '../../../factories/content/encrypted-pdf.js';
import { buildPdf } from '../../../factories/content/pdf-files.js';
import { buildPicture, buildTiffPictures, quarterBits } from '../../../factories/content/pictures.js';
import { putContent, saveDocument, saveVersion, upload } from '../../../factories/documents.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { shownIn } from '../../../support/pictures.js';
import { service } from '../../../support/service/shared-service.js';
import { asBytes } from '../../../support/stored-content.js';
import { type TestTenant } from '../../../support/tenant.js';
import { waitUntilProcessed } from '../../../support/wait-until-processed.js';

const PDF = buildPdf([['Erste Seite'], ['Zweite Seite']]);

describe('GetDocumentPreview', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let viewer: Actor;
  let picture: Buffer;
  let existing: string;
  beforeAll(async () => {
    picture = buildPicture('png', 1000, 500);
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
    viewer = await tenant.as('viewer', 'Vera Viewer');
    existing = await saved(picture, 'image/png');
  });

  const get = (id: string, query = '', actor = viewer): Test =>
    asBytes(actor.get(`/documents/${id}/preview${query}`));
  const shown = async (test: PromiseLike<Response>) => {
    const response = await test;
    expect(response.status).toBe(200);
    return shownIn(response.body as Buffer);
  };
  const downloads = async () =>
    (await tenant.audit()).filter(({ action }) => action === 'DocumentDownloaded');
  const rows = () =>
    service.query<{ page: number; width: number; version: number; rendered: boolean }>(
      `SELECT page, width, version, image IS NOT NULL AS rendered FROM document_previews
        WHERE tenant_id = $1 ORDER BY page, width`,
      [tenant.id],
    );

  /** Inserts a document with a content that has been read. */
  async function saved(
    bytes: Buffer | string,
    mediaType: string,
    of = tenant,
    creator = editor,
  ): Promise<string> {
    const { id } = await saveDocument(of, creator, { title: 'Bescheid' });
    await saveVersion(of, creator, id, { bytes, mediaType });
    return id;
  }

  /** Replaces the content of the existing document by another picture. */
  const replace = () =>
    saveVersion(tenant, editor, existing, { bytes: buildPicture('png', 60, 30), mediaType: 'image/png' });

  async function uploaded(bytes: Buffer | string, fileName: string): Promise<string> {
    const response = await upload(editor, { title: 'Bescheid' }, { bytes, fileName });
    const { id } = response.body as { id: string };
    await waitUntilProcessed(tenant, id);
    return id;
  }

  it('returns 200 with a picture of an uploaded PDF, without audit entry and notification', async () => {
    const id = await uploaded(PDF, 'bescheid.pdf');
    const response = await get(id, '?width=200');
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String((response.body as Buffer).length),
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'") as unknown,
    });
    expect(await shownIn(response.body as Buffer)).toMatchObject({ width: 200, height: 283 });
    expect(await downloads()).toEqual([]);
    expect(await tenant.notifications()).toEqual([]);
  });

  it.each([
    ['', 400],
    ['?width=1', 200],
    ['?width=200', 200],
    ['?width=201', 400],
    ['?width=401', 800],
    ['?width=801', 1000],
    ['?width=1600', 1000],
  ])('returns 200 with the width for %j rounded up, and never enlarged', async (query, width) => {
    expect(await shown(get(existing, query))).toMatchObject({ width, height: width / 2 });
  });

  it('returns 200 with another page of a TIFF', async () => {
    const page = { width: 160, height: 80, bits: quarterBits(160, 80) };
    const id = await saved(buildTiffPictures([page, { ...page, orientation: 6 }]), 'image/tiff');
    expect(await shown(get(id, '?page=2'))).toMatchObject({ width: 80, height: 160 });
    expectProblem(await viewer.get(`/documents/${id}/preview?page=3`), 'document.without-page');
    expect(await rows()).toMatchObject([{ page: 2 }]);
  });

  it('returns 200 and writes one audit entry for the legible previews of an hour', async () => {
    const id = await saved(PDF, 'application/pdf');
    for (const query of ['', '?width=1600&page=2', '']) await get(id, query);
    expect(await downloads()).toEqual([
      viewer.entry('DocumentDownloaded', 'Document', id, 'Bescheid: preview'),
    ]);
  });

  it('returns 200 and writes an audit entry for a small picture of a receipt or an image, stored or not', async () => {
    const receipt = await saved(buildPdf([['Summe']], [227, 567]), 'application/pdf');
    for (const id of [receipt, existing, receipt]) await get(id, '?width=200');
    await get(existing, '?width=200', editor);
    expect((await downloads()).map(({ subject_id, actor_id }) => [subject_id, actor_id])).toEqual([
      [receipt, viewer.userId],
      [existing, viewer.userId],
      [existing, editor.userId],
    ]);
  });

  it('returns 200 that may be kept for an hour, by this user, if the address names the version', async () => {
    const { headers } = await get(existing, '?version=1');
    expect(headers).toMatchObject({
      'cache-control': 'private, max-age=3600, immutable',
      vary: 'Authorization',
    });
  });

  it.each([
    ['the document has another version', () => '?version=2', 404],
    ['the page does not exist', () => '?version=1&page=2', 404],
    ['the version is not a number', () => '?version=a', 400],
  ])('does not let a problem be kept: %s', async (_, query, status) => {
    const response = await viewer.get(`/documents/${existing}/preview${query()}`);
    expect(response.status).toBe(status);
    expect(response.headers['cache-control']).toBe('private, no-cache');
  });

  it('returns 404 for a version that the address names and that is not the newest', async () => {
    await replace();
    expectProblem(await viewer.get(`/documents/${existing}/preview?version=1`), 'resource.not-found');
    expect((await get(existing, '?version=2')).status).toBe(200);
  });

  it('returns 200 without a body and without an audit entry for HEAD', async () => {
    const { headers } = await get(existing, '?width=800');
    const before = await downloads();
    const response = await viewer.send('head', `/documents/${existing}/preview?width=800`);
    expect([response.status, response.text]).toEqual([200, undefined]);
    expect(response.headers).toMatchObject({
      'content-length': headers['content-length'] as string,
      etag: headers.etag as string,
    });
    expect(await downloads()).toEqual(before);
  });

  it('returns 200 with the new picture for a new version, and removes that of the former one', async () => {
    await get(existing);
    await replace();
    expect(await shown(get(existing))).toMatchObject({ width: 60, height: 30 });
    expect(await rows()).toEqual([{ page: 1, width: 400, version: 2, rendered: true }]);
  });

  it('returns 304 if the client has this picture, also after it was rendered again', async () => {
    const { etag = '' } = (await get(existing)).headers as { etag?: string };
    const getAgain = () => viewer.get(`/documents/${existing}/preview`).set('If-None-Match', etag);
    const unchanged = await getAgain();
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    await service.query('DELETE FROM document_previews WHERE tenant_id = $1', [tenant.id]);
    expect((await getAgain()).status).toBe(304);
    await replace();
    expect((await getAgain()).status).toBe(200);
  });

  it('returns 404 for a document that is confidential to others, also with a known entity tag', async () => {
    const { etag = '' } = (await get(existing)).headers as { etag?: string };
    await editor.put(`/documents/${existing}/confidentiality`, { isConfidential: true });
    const manager = await tenant.as('administrator');
    for (const actor of [viewer, manager])
      expectProblem(
        await actor.get(`/documents/${existing}/preview`).set('If-None-Match', etag),
        'resource.not-found',
      );
    expect((await get(existing, '', editor)).status).toBe(200);
  });

  it.each(['0', '-1', '1.5', 'a', '1601', '', '400&width=800'])('returns 400 for width=%s', async (width) => {
    expectProblem(await viewer.get(`/documents/${existing}/preview?width=${width}`), 'request.invalid', [
      'width',
    ]);
  });

  it.each(['0', 'a', '1000001'])('returns 400 for page=%s', async (page) => {
    expectProblem(await viewer.get(`/documents/${existing}/preview?page=${page}`), 'request.invalid', [
      'page',
    ]);
  });

  it('returns 404 document.without-page for a page after the last one', async () => {
    expectProblem(await viewer.get(`/documents/${existing}/preview?page=2`), 'document.without-page');
    const pdf = await uploaded(PDF, 'bescheid.pdf');
    expectProblem(await viewer.get(`/documents/${pdf}/preview?page=3`), 'document.without-page');
  });

  it('returns 404 document.without-content for a document without content', async () => {
    const { id } = await saveDocument(tenant, editor);
    expectProblem(await viewer.get(`/documents/${id}/preview`), 'document.without-content');
  });

  it.each([
    ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['text/html', '<!doctype html><p>Text'],
  ])('returns 404 document.without-preview for %s, without rendering', async (mediaType, bytes) => {
    const id = await saved(bytes, mediaType);
    expectProblem(await viewer.get(`/documents/${id}/preview`), 'document.without-preview');
    expect(await rows()).toEqual([]);
  });

  it.each([
    ['encrypted', buildEncryptedPdf('secret', ['Text'])],
    ['damaged', '%PDF-1.7 this is not one'],
    ['of another type than stated', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
  ])('returns 404 document.without-preview for a file that is %s, and tries it once', async (_, bytes) => {
    const id = await saved(bytes, 'application/pdf');
    const failures = () =>
      service.query<{ at: string }>(
        'SELECT preview_failed_at AS at FROM contents WHERE tenant_id = $1 AND preview_failed_at IS NOT NULL',
        [tenant.id],
      );
    expectProblem(await viewer.get(`/documents/${id}/preview?width=800`), 'document.without-preview');
    const before = await failures();
    expect(before).toHaveLength(1);
    expectProblem(await viewer.get(`/documents/${id}/preview?page=2`), 'document.without-preview');
    expect(await failures()).toEqual(before);
    expect(await rows()).toEqual([]);
    expect(await downloads()).toEqual([]);
  });

  it('returns 409 document.processing while the media type is not known', async () => {
    const response = await upload(editor, { title: 'Neu' }, { bytes: PDF, fileName: 'neu.pdf' });
    const { id } = response.body as { id: string };
    expectProblem(await viewer.get(`/documents/${id}/preview`), 'document.processing');
    await waitUntilProcessed(tenant, id);
    expect((await get(id)).status).toBe(200);
    await putContent(editor, id, PDF);
    expectProblem(await viewer.get(`/documents/${id}/preview`), 'document.processing');
  });
});
