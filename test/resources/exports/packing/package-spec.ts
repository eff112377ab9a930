import { beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocumentType } from '../../../factories/document-types.js';
import { saveDocument, saveTag, saveVersion } from '../../../factories/documents.js';
import { saveFile, saveFileType } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { contentPaths, createExport, damaged, lines, packageOf, valuesOf } from '../support/packages.js';

const TREE = new URL('../../../../examples/package/tree.mjs', import.meta.url).pathname;

describe('The package of an export', () => {
  let tenant: TestTenant;
  let admin: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
  });

  const packed = async (body: object, actor = admin) => {
    const { id, status } = await createExport(actor, body);
    expect(status).toBe('Ready');
    return packageOf(actor, id);
  };
  const document = async (title: string, overrides: object = {}, contents = ['Text']): Promise<string> => {
    const { id } = await saveDocument(tenant, admin, { title, ...overrides });
    for (const bytes of contents)
      await saveVersion(tenant, admin, id, { bytes, fileName: 'scan.txt', mediaType: 'text/plain' });
    return id;
  };

  it('is a bag whose manifests name every file with its hash', async () => {
    const file = await saveFile(tenant, admin, { number: 'AZ-1' });
    await document('Vermerk', { fileIds: [file.id] }, ['first', 'second']);
    const files = await packed({ fileIds: [file.id], name: 'Neubau' });
    expect(damaged(files)).toEqual([]);
    expect(files.get('bagit.txt')?.toString()).toBe(
      'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
    );
    const payload = [...files].filter(([path]) => path.startsWith('data/'));
    const bytes = payload.reduce((sum, [, content]) => sum + content.length, 0);
    expect(files.get('bag-info.txt')?.toString()).toContain(`Payload-Oxum: ${bytes}.${payload.length}\n`);
    expect(files.get('bag-info.txt')?.toString()).toContain('External-Description: Neubau\n');
  });

  it('has all versions of the contents, each document once, and those without a file', async () => {
    const one = await saveFile(tenant, admin, { number: 'AZ-1' });
    const two = await saveFile(tenant, admin, { number: 'AZ-2' });
    await document('Vermerk', { fileIds: [one.id, two.id] }, ['first', 'second']);
    await document('Vermerk', { fileIds: [two.id] });
    await document('Notiz.TXT');
    await document('Ohne Inhalt', { fileIds: [one.id] }, []);
    await document('Papierkorb', { status: 'Deleted' });
    const files = await packed({ all: true });
    expect(contentPaths(files)).toEqual([
      ...['AZ-2/Vermerk (2).txt', 'AZ-2/Vermerk (version 1).txt', 'AZ-2/Vermerk.txt', '_unfiled/Notiz.txt'],
    ]);
    const versions = lines<{ path: string; isNewest: boolean }>(files, 'versions');
    expect(versions).toHaveLength(4);
    const texts = versions.map(({ path }) => files.get(path)?.toString()).sort();
    expect(texts).toEqual(['Text', 'Text', 'first', 'second']);
    expect(valuesOf(files, 'documents', 'title')).toEqual(['Notiz.TXT', 'Ohne Inhalt', 'Vermerk', 'Vermerk']);
    expect(damaged(files)).toEqual([]);
  });

  it('has the data in the shapes of the API, with schemas that describe every line', async () => {
    const fileTypeId = (await saveFileType(tenant)).id;
    const file = await saveFile(tenant, admin, { fileTypeId });
    const tag = await saveTag(tenant);
    const type = await saveDocumentType(tenant, { nameDe: 'Brief', nameEn: 'Letter' });
    const id = await document('Vermerk', { fileIds: [file.id], tagIds: [tag.id] });
    await admin.put(`/documents/${id}`, { title: 'Brief', documentTypeId: type.id }).expect(200);
    await admin.put(`/files/${file.id}`, { name: 'Umbau' }).expect(200);
    const files = await packed({ fileIds: [file.id] });
    const shown = async (path: string) => (await admin.get(path).expect(200)).body as object;
    expect(lines(files, 'files')).toEqual([await shown(`/files/${file.id}`)]);
    expect(lines(files, 'file-types')).toEqual([await shown(`/file-types/${fileTypeId}`)]);
    expect(lines(files, 'documents')).toEqual([await shown(`/documents/${id}`)]);
    expect(lines(files, 'document-types')).toEqual([await shown(`/document-types/${type.id}`)]);
    expect(lines(files, 'tags')).toEqual([await shown(`/tags/${tag.id}`)]);
    const { items } = (await shown(`/documents/${id}/versions`)) as { items: object[] };
    const number = lines<{ number: string }>(files, 'files')[0]?.number ?? '';
    const contentPath = `data/${number.replaceAll('/', '_')}/Brief.txt`;
    expect(lines(files, 'versions')).toEqual([{ documentId: id, path: contentPath, ...items[0] }]);
    expect(valuesOf(files, 'audit-entries', 'action')).toEqual(['DocumentUpdated', 'FileRenamed']);
    for (const kind of [
      ...['files', 'file-types', 'documents', 'versions', 'document-types', 'tags', 'audit-entries'],
    ]) {
      const schema = JSON.parse(files.get(`data/_metadata/${kind}.schema.json`)?.toString() ?? '') as object;
      const ajv = new Ajv2020({ strict: false });
      addFormats.default(ajv);
      const validate = ajv.compile(schema);
      for (const line of lines(files, kind)) expect([validate(line), validate.errors]).toEqual([true, null]);
      expect(validate({})).toBe(false);
    }
  });

  it('has names that every system accepts, which differ without regard to case', async () => {
    const numbers = 'CON az-1 ../x AZ%41 Ende.. a:b a_b _unfiled _metadata index.html'.split(' ');
    const fileIds: string[] = [];
    for (const number of numbers) fileIds.push((await saveFile(tenant, admin, { number })).id);
    const [con = '', second = ''] = fileIds;
    for (const fileId of fileIds.slice(2)) await document('x', { fileIds: [fileId] });
    const long = '😀'.repeat(200);
    const titles = [
      ...['Übergröße', 'übergröße', '<script>', '"><img onerror>', '..', 'nul.txt', long, `${long}!`],
      ...['aux', 'a\u202etxt.exe', '…', '%2e%2e', 'C:\\temp'],
    ];
    for (const title of titles) await document(title, { fileIds: [con] });
    await document('.', { fileIds: [second] });
    const files = await packed({ fileIds });
    const paths = contentPaths(files);
    expect(paths).toHaveLength(numbers.length - 1 + titles.length);
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
    for (const name of paths.flatMap((path) => path.split('/'))) {
      expect(name).not.toMatch(/[<>:"\\|?*%\u0000-\u001f\u202e]|[. ]$|^\./);
      expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    }
    expect(paths.filter((path) => path.split('/').length !== 2)).toEqual([]);
    expect(lines(files, 'documents').map(({ title }) => title)).toEqual(expect.arrayContaining(titles));
    expect(damaged(files)).toEqual([]);
  });

  it('has a page without scripts, in which no text of the tenant is markup', async () => {
    const hostile = `<script>alert(1)</script>"><img src=x onerror=alert(1)>'&amp;`;
    const file = await saveFile(tenant, admin, { number: '<b>1</b>', name: hostile });
    const id = await document(hostile, { fileIds: [file.id] }, ['one', 'two']);
    const type = await saveDocumentType(tenant, { nameDe: hostile, nameEn: hostile });
    await admin.put(`/documents/${id}`, { title: hostile, documentTypeId: type.id }).expect(200);
    const files = await packed({ fileIds: [file.id], name: hostile });
    const html = files.get('data/index.html')?.toString() ?? '';
    const tags = new Set([...html.matchAll(/<\/?([a-z!]\w*)/gi)].map(([, name]) => name?.toLowerCase()));
    expect([...tags].sort().join(' ')).toBe(
      '!doctype a body code h1 h2 head html li meta p section small style title ul',
    );
    expect(html).not.toMatch(/<script|javascript:|<[^>]*\son\w+=/i);
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(
      ([, href = '']) => `data/${decodeURIComponent(href.replaceAll('&#39;', "'"))}`,
    );
    expect(links.sort()).toEqual(valuesOf(files, 'versions', 'path'));
  });

  it('has what its creator sees: files by grants, documents on whose list they are, no audit entries', async () => {
    const member = await tenant.with('exports.create', 'documents.read');
    const seen = await saveFile(tenant, admin, { number: 'SEEN' });
    const hidden = await saveFile(tenant, admin, { number: 'HIDDEN' });
    await saveAccessGrant(tenant, member, { file: seen.id });
    await document('In beiden', { fileIds: [seen.id, hidden.id] });
    await document('Verborgen', { fileIds: [hidden.id] });
    await document('Geheim', { fileIds: [seen.id], confidentialTo: [admin] });
    await document('Anvertraut', { fileIds: [hidden.id], confidentialTo: [admin, member] });
    const files = await packed({ all: true }, member);
    expect(contentPaths(files)).toEqual(['SEEN/In beiden.txt', '_unfiled/Anvertraut.txt']);
    expect(lines(files, 'files').map(({ number }) => number)).toEqual(['SEEN']);
    expect(lines(files, 'documents').map(({ fileIds }) => fileIds)).toEqual(
      expect.arrayContaining([[seen.id], []]),
    );
    const all = [...files].map(([path, bytes]) => path + bytes.toString()).join();
    for (const text of ['HIDDEN', 'Verborgen', 'Geheim', hidden.id]) expect(all).not.toContain(text);
    expect([...files.keys()].filter((path) => path.includes('audit'))).toEqual([]);
    // Without fileTypes.read.
    expect(lines(files, 'file-types')).toEqual([]);
  });

  it('has the documents of a list with the files that contain them, or all files of a type', async () => {
    const type = await saveFileType(tenant);
    const one = await saveFile(tenant, admin, { number: 'ONE', fileTypeId: type.id });
    const two = await saveFile(tenant, admin, { number: 'TWO' });
    const id = await document('Vermerk', { fileIds: [one.id, two.id] });
    const other = await document('Notiz', { fileIds: [one.id] });
    const loose = await document('Lose');
    const listed = await packed({ documentIds: [id, loose] });
    expect(valuesOf(listed, 'documents', 'id')).toEqual([id, loose].sort());
    expect(contentPaths(listed)).toEqual(['TWO/Vermerk.txt', '_unfiled/Lose.txt']);
    expect(valuesOf(listed, 'files', 'number')).toEqual(['ONE', 'TWO']);
    const typed = await packed({ fileTypeId: type.id });
    expect(valuesOf(typed, 'documents', 'id')).toEqual([id, other].sort());
    expect(contentPaths(typed)).toEqual(['ONE/Notiz.txt', 'ONE/Vermerk.txt']);
  });

  it('is complete across pages of files and documents', async () => {
    const type = await saveFileType(tenant);
    const fileIds: string[] = [];
    for (let n = 0; n < 130; n += 1)
      fileIds.push((await saveFile(tenant, admin, { number: `AZ-${n}`, fileTypeId: type.id })).id);
    const ids: string[] = [];
    for (let n = 0; n < 450; n += 1)
      ids.push(await document(`Dokument ${n}`, n < 430 ? { fileIds: [fileIds[n % 3] ?? ''] } : {}, []));
    const files = await packed({ all: true });
    expect(valuesOf(files, 'documents', 'id')).toEqual(ids.sort());
    expect(valuesOf(files, 'files', 'id')).toEqual(fileIds.sort());
    const html = files.get('data/index.html')?.toString() ?? '';
    expect(html.match(/<section>/g)).toHaveLength(131);
    expect(html.match(/<li>/g)).toHaveLength(450);
  });

  it('is readable by the example with nothing but a JSON parser', async () => {
    const file = await saveFile(tenant, admin, { number: 'AZ-1', name: 'Umbau' });
    await document('Vermerk', { fileIds: [file.id] });
    await document('Notiz');
    const files = await packed({ all: true });
    const folder = await mkdtemp(path.join(tmpdir(), 'filing-package-'));
    try {
      await mkdir(path.join(folder, 'data', '_metadata'), { recursive: true });
      for (const kind of ['files', 'documents', 'versions']) {
        const name = `data/_metadata/${kind}.ndjson`;
        await writeFile(path.join(folder, name), files.get(name) ?? '');
      }
      const { stdout } = await promisify(execFile)(process.execPath, [TREE, folder]);
      expect(stdout).toBe(
        'AZ-1 Umbau\n  Vermerk\n    data/AZ-1/Vermerk.txt\n– without a file\n  Notiz\n    data/_unfiled/Notiz.txt\n',
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('has an audit entry for each packed document, written by the creator', async () => {
    const id = await document('Vermerk');
    const { id: exportId } = await createExport(admin, { documentIds: [id] });
    const rows = await tenant.query(
      `SELECT actor_id, actor_name, action, summary, related FROM audit_entries WHERE tenant_id = $1 AND subject_id = $2`,
      id,
    );
    expect(rows).toEqual([
      {
        actor_id: admin.userId,
        actor_name: 'Ada',
        action: 'DocumentExported',
        summary: 'Vermerk',
        related: { exportId },
      },
    ]);
    expect(await tenant.notifications()).toEqual([
      { user_id: admin.userId, type: 'ExportReady', parameters: { exportId, name: 'Export' } },
    ]);
  });
});
