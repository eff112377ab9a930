import { beforeEach, describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { saveDocument, saveVersion } from '../../../factories/documents.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { service } from '../../../support/service/shared-service.js';
import { sha256Of } from '../../../support/content-fixtures.js';
import { asBytes, storedPath } from '../../../support/stored-content.js';
import { type TestTenant } from '../../../support/tenant.js';

describe('GetDocumentVersionContent', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let viewer: Actor;
  let id: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
    viewer = await tenant.as('viewer', 'Vera Viewer');
    id = (await saveDocument(tenant, editor, { title: 'Bauplan' })).id;
    await saveVersion(tenant, editor, id, { bytes: 'the first', fileName: 'Plan.txt' });
    await saveVersion(tenant, editor, id, { bytes: 'second', fileName: 'Plan.html', mediaType: 'text/html' });
  });

  const get = (number: number | string, actor = viewer, documentId = id) =>
    actor.get(`/documents/${documentId}/versions/${number}/content`);
  const downloads = async () =>
    (await tenant.audit())
      .filter(({ action }) => action === 'DocumentDownloaded')
      .map(({ summary }) => summary);

  it('returns 200 with the bytes of each version and writes an audit entry with its number', async () => {
    const first = await asBytes(get(1));
    expect([first.status, (first.body as Buffer).toString()]).toEqual([200, 'the first']);
    expect(first.headers).toMatchObject({
      'content-type': 'text/plain',
      'content-disposition': 'attachment; filename=Plan.txt',
      'accept-ranges': 'bytes',
      etag: `"${sha256Of('the first')}"`,
      'x-content-type-options': 'nosniff',
    });
    const second = await asBytes(get(2));
    expect([second.status, (second.body as Buffer).toString(), second.headers['content-type']]).toEqual([
      200,
      'second',
      'text/html',
    ]);
    expect(
      (await tenant.audit()).map(({ action, actor_id, subject_id, summary }) => [
        action,
        actor_id,
        subject_id,
        summary,
      ]),
    ).toEqual([
      ['DocumentDownloaded', viewer.userId, id, 'Bauplan: version 1'],
      ['DocumentDownloaded', viewer.userId, id, 'Bauplan: version 2'],
    ]);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('returns 200 inline on request, unless the media type can run scripts', async () => {
    const shown = await asBytes(viewer.get(`/documents/${id}/versions/1/content?disposition=inline`));
    expect(shown.headers['content-disposition']).toBe('inline; filename=Plan.txt');
    expect(shown.headers['content-type']).toBe('text/plain; charset=utf-8');
    const kept = await asBytes(viewer.get(`/documents/${id}/versions/2/content?disposition=inline`));
    expect(kept.headers['content-disposition']).toBe('attachment; filename=Plan.html');
  });

  it('returns 200 to HEAD with the headers, without an audit entry', async () => {
    const response = await viewer.send('head', `/documents/${id}/versions/1/content`);
    expect([response.status, response.headers['content-length']]).toEqual([200, '9']);
    expect(await downloads()).toEqual([]);
  });

  it('returns 206 and writes one audit entry for the ranges of each version', async () => {
    const range = async (number: number, bytes: string) => {
      const response = await asBytes(get(number).set('Range', `bytes=${bytes}`));
      expect(response.status).toBe(206);
      return (response.body as Buffer).toString();
    };
    expect([await range(1, '0-2'), await range(1, '4-'), await range(2, '1-')]).toEqual([
      'the',
      'first',
      'econd',
    ]);
    expect(await range(2, '2-')).toBe('cond');
    expect(await downloads()).toEqual(['Bauplan: version 1', 'Bauplan: version 2']);
  });

  it('returns 206 without a second audit entry after GetDocumentContent of the same version', async () => {
    await asBytes(viewer.get(`/documents/${id}/content`));
    await asBytes(get(2).set('Range', 'bytes=1-'));
    await asBytes(get(1).set('Range', 'bytes=1-'));
    await asBytes(viewer.get(`/documents/${id}/content`).set('Range', 'bytes=1-'));
    expect(await downloads()).toEqual(['Bauplan: version 2', 'Bauplan: version 1']);
  });

  it('returns 304 for a current If-None-Match, without an audit entry', async () => {
    const response = await get(1).set('If-None-Match', `"${sha256Of('the first')}"`);
    expect([response.status, response.text]).toEqual([304, '']);
    expect(await downloads()).toEqual([]);
    expect((await asBytes(get(2).set('If-None-Match', `"${sha256Of('the first')}"`))).status).toBe(200);
  });

  it('returns 400 for an invalid disposition', async () => {
    for (const query of ['disposition=shown', 'disposition=', 'disposition=inline&disposition=inline']) {
      expectProblem(await viewer.get(`/documents/${id}/versions/1/content?${query}`), 'request.invalid', [
        'disposition',
      ]);
    }
    expect(await downloads()).toEqual([]);
  });

  describe('404', () => {
    it.each(['0', '3', '-1', '01', '1.0', '1e0', '%201', '99999999999', 'x', '%00', 'newest'])(
      'returns 404 for the version %s',
      async (number) => {
        expectProblem(await get(number), 'resource.not-found');
      },
    );

    it('returns 404 for a confidential document to a caller who is not on its access list', async () => {
      const { id: secret } = await saveDocument(tenant, editor, { confidentialTo: [editor] });
      await saveVersion(tenant, editor, secret, { bytes: 'secret' });
      expect((await asBytes(get(1, editor, secret))).status).toBe(200);
      expectProblem(await get(1, await tenant.as('administrator'), secret), 'resource.not-found');
    });

    it('returns 404 for a document in the bin, unless the caller may restore it', async () => {
      await service.query(
        `UPDATE documents SET status = 'Deleted', status_before_deletion = 'Active', deleted_at = now()
          WHERE tenant_id = $1 AND id = $2`,
        [tenant.id, id],
      );
      expectProblem(await get(1), 'resource.not-found');
      expect((await asBytes(get(1, editor))).status).toBe(200);
    });
  });

  it('returns 412 for another If-Match, without an audit entry', async () => {
    expectProblem(await get(1).set('If-Match', `"${sha256Of('second')}"`), 'request.precondition-failed');
    expect(await downloads()).toEqual([]);
    expect((await asBytes(get(1).set('If-Match', `"${sha256Of('the first')}"`))).status).toBe(200);
  });

  it('returns 416 for a range after the end, without an audit entry', async () => {
    const response = await get(1).set('Range', 'bytes=9-');
    expectProblem(response, 'content.range-not-satisfiable');
    expect(response.headers['content-range']).toBe('bytes */9');
    expect(await downloads()).toEqual([]);
  });

  it('returns 500 when the bytes are missing, without an audit entry', async () => {
    await rm(storedPath(tenant, sha256Of('the first')));
    expectProblem(await get(1), 'service.error');
    expect(await downloads()).toEqual([]);
  });
});
