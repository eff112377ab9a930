import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { findConverter } from '../../src/platform/extraction/conversion/find-converter.js';
import { LibreOffice } from '../../src/platform/extraction/conversion/libreoffice.js';
import { buildFlatText } from '../factories/content/flat-open-document.js';
import { buildDocx } from '../factories/content/office-files.js';
import { upload } from '../factories/documents.js';
import { type Actor } from '../support/actor.js';
import { expectProblem } from '../support/expect-problem.js';
import { hasInk } from '../support/pictures.js';
import { TestService } from '../support/service/service.js';
import { asBytes } from '../support/stored-content.js';
import { type TestTenant } from '../support/tenant.js';
import { waitUntilProcessed } from '../support/wait-until-processed.js';
import { QUIET, requestFor } from './conversions.js';

jest.setTimeout(600_000);

describe('CONVERTER=libreoffice', () => {
  let service: TestService;
  let tenant: TestTenant;
  let editor: Actor;
  let id: string;
  beforeAll(async () => {
    service = await TestService.start({ CONVERTER: 'libreoffice' });
    tenant = await service.tenant();
    editor = await tenant.as('editor');
    const document = { title: 'Bescheid' };
    const response = await upload(editor, document, { bytes: await buildDoc(), fileName: 'bescheid.doc' });
    id = (response.body as { id: string }).id;
    await waitUntilProcessed(tenant, id);
  });
  afterAll(() => service.stop());

  async function buildDoc(): Promise<Buffer> {
    const settings = { converter: 'libreoffice', environment: 'test' } as const;
    const converter = await findConverter(settings, process.env, QUIET);
    const request = requestFor(buildFlatText('Pflegeversicherung', 'Anhang'), { to: 'doc' });
    const converted = await converter?.convert(request, buffer);
    if (!converted?.result) throw new Error('No doc.');
    return converted.result;
  }

  it('finds the words of a doc', async () => {
    expect((await editor.get(`/documents/${id}`)).body).toMatchObject({
      content: { mediaType: 'application/msword', text: 'Available' },
    });
    expect((await editor.get(`/documents/${id}/text`)).text).toContain('Pflegeversicherung');
    const found = await editor.get('/documents?q=pflegeversicherung');
    expect((found.body as { items: { id: string }[] }).items).toMatchObject([{ id }]);
  });

  it('shows its pages', async () => {
    for (const page of [1, 2]) {
      const response = await asBytes(editor.get(`/documents/${id}/preview?page=${page}`));
      expect([response.status, response.headers['content-type']]).toEqual([200, 'image/webp']);
      expect(await hasInk(response.body as Buffer)).toBe(true);
    }
    expectProblem(await editor.get(`/documents/${id}/preview?page=3`), 'document.without-page');
  });

  it('converts a damaged file once for all pages and widths', async () => {
    const convert = jest.spyOn(LibreOffice.prototype, 'convert');
    const bytes = buildDocx({ body: '<w:p>' });
    const response = await upload(editor, { title: 'Beschädigt' }, { bytes, fileName: 'bescheid.docx' });
    const { id: damaged } = response.body as { id: string };
    await waitUntilProcessed(tenant, damaged);
    convert.mockClear();
    for (const query of ['', '?page=2', '?width=800', '?page=5&width=200'])
      expectProblem(await editor.get(`/documents/${damaged}/preview${query}`), 'document.without-preview');
    expect(convert).toHaveBeenCalledTimes(1);
    convert.mockRestore();
  });
});
