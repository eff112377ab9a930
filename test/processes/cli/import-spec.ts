import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, open, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createFilingClient } from '../../../clients/typescript/client.js';
import { FolderImport } from '../../../src/tools/cli/import/folder-import.js';
import { readFolders } from '../../../src/tools/cli/import/folders.js';
import { Progress } from '../../../src/tools/cli/import/progress.js';
import { SkippedNames } from '../../../src/tools/cli/import/skipped-names.js';
import { type Actor } from '../../support/actor.js';
import { ServiceProcess } from '../../support/service/service-process.js';
import { TestService } from '../../support/service/service.js';
import { waitUntil } from '../../support/wait-until.js';
import { TcpProxy } from '../../support/servers/tcp-proxy.js';

/** Records what is written, as a terminal or as a file. */
class Written {
  text = '';

  constructor(readonly isTTY: boolean) {}

  write(text: string): void {
    this.text += text;
  }
}

describe('npm run import', () => {
  let service: TestService;
  let administrator: Actor;
  let directory: string;
  let folder: string;
  beforeAll(async () => {
    service = await TestService.shared();
  });
  beforeEach(async () => {
    administrator = await (await service.tenant()).as('administrator');
    await administrator.post('/file-types', { key: 'letters', nameDe: 'Schriftverkehr', nameEn: 'Letters' });
    directory = await mkdtemp(path.join(tmpdir(), 'filing-import-'));
    folder = path.join(directory, 'Registratur');
    await mkdir(folder);
  });
  afterEach(() => rm(directory, { recursive: true }));

  const run = (...args: string[]) => {
    const { token, tenant } = administrator;
    const options = ['--url', service.url, '--tenant', tenant.slug, ...args];
    return ServiceProcess.run({ FILING_TOKEN: token }, 'tools/cli/import', ...options, folder);
  };
  const put = async (name: string, text = name) => {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  };
  /** Titles of the documents of each file, by its number. */
  async function filed(): Promise<Record<string, string[]>> {
    const files = (await administrator.get('/files')).body as { items: { id: string; number: string }[] };
    const titles: Record<string, string[]> = {};
    for (const { id, number } of files.items) {
      const { items } = (await administrator.get(`/files/${id}/documents`)).body as {
        items: { title: string }[];
      };
      titles[number] = items.map(({ title }) => title).sort();
    }
    return titles;
  }

  it('imports each folder, and in a second run only what is new', async () => {
    await put('lose.txt');
    await put('Bauamt/Brief.txt');
    await put('Bauamt/2025/Antrag.txt');
    expect(await run('--file-type', 'letters')).toEqual({
      code: 0,
      output:
        'Files: 2 created, 0 already existed.\n' +
        'Documents: 3 imported, 0 already existed, 0 failed.\n' +
        'Still being processed: 3.\n',
      errors: expect.stringMatching(/^0\/3\n(\d\/3\n)*3\/3\n$/) as unknown,
    });
    await put('Bauamt/Antwort.txt');
    expect((await run('--file-type', 'letters')).output).toContain(
      'Documents: 1 imported, 3 already existed, 0 failed',
    );
    expect(await filed()).toEqual({
      Registratur: ['lose.txt'],
      'Registratur/Bauamt': ['2025/Antrag.txt', 'Antwort.txt', 'Brief.txt'],
    });
  });

  it('imports folders whose names differ only in case into one file, also in later runs', async () => {
    const types = (await administrator.get('/file-types')).body as { items: { id: string }[] };
    await administrator.post('/files', {
      fileTypeId: types.items[0]?.id,
      number: 'registratur/BAUAMT',
      name: 'Bauamt',
    });
    await put('Bauamt/Brief.txt');
    await put('bauamt/Antrag.txt');
    expect((await run('--file-type', 'letters')).output).toContain(
      'Files: 0 created, 2 already existed.\nDocuments: 2 imported, 0 already existed, 0 failed.\n',
    );
    await put('bauamt/Antwort.txt');
    expect((await run('--file-type', 'letters')).output).toContain(
      'Documents: 1 imported, 2 already existed, 0 failed.\n',
    );
    expect(await filed()).toEqual({ 'registratur/BAUAMT': ['Antrag.txt', 'Antwort.txt', 'Brief.txt'] });
  });

  it('skips system files and names matching --skip, and prints how many', async () => {
    for (const name of ['.git/config', '.DS_Store', 'A/thumbs.DB', 'A/~$Brief.docx', 'A/Desktop.ini'])
      await put(name);
    for (const name of ['A/Brief.docx', 'A/gitter.txt', 'A/entwurf.tmp', 'A/Entwürfe/1.txt']) await put(name);
    const { code, output } = await run('--file-type', 'letters', '--skip', '*.tmp', '--skip', 'Entwürfe');
    expect(code).toBe(0);
    expect(output).toContain(
      'Skipped: 7 (1 .DS_Store, 1 .git, 1 desktop.ini, 1 Entwürfe, 1 *.tmp, 1 Thumbs.db, 1 ~$*). ' +
        'See --skip and --no-default-skips.\n',
    );
    expect(await filed()).toEqual({ 'Registratur/A': ['Brief.docx', 'gitter.txt'] });

    const all = await run('--file-type', 'letters', '--no-default-skips');
    expect(all.output).not.toContain('Skipped');
    expect(await filed()).toMatchObject({ 'Registratur/.git': ['config'], Registratur: ['.DS_Store'] });
  });

  it('lists symbolic links as skipped and other special files as failed, and follows none', async () => {
    await put('A/Brief.txt');
    await symlink('/etc', path.join(folder, 'etc'));
    await symlink('Brief.txt', path.join(folder, 'A/Kopie.txt'));
    await promisify(execFile)('mkfifo', [path.join(folder, 'A/fifo')]);
    const { code, output } = await run('--file-type', 'letters');
    expect(code).toBe(1);
    expect(output).toContain(
      'Documents: 1 imported, 0 already existed, 1 failed.\n' +
        `  ${folder}/A/fifo: neither a file nor a folder\n` +
        'Symbolic links, not followed: 2.\n' +
        `  ${folder}/etc\n` +
        `  ${folder}/A/Kopie.txt\n`,
    );
    expect(await filed()).toEqual({ 'Registratur/A': ['Brief.txt'] });
  });

  it('imports names that are not UTF-8 and lists them', async () => {
    const bytes = (...parts: string[]) => Buffer.from(path.join(folder, ...parts), 'latin1');
    await put('Büro/Grüße.txt');
    await mkdir(bytes('M\xfcller'));
    await writeFile(bytes('M\xfcller', '10 \x80.txt'), 'Euro');
    const { code, output } = await run('--file-type', 'letters');
    expect(code).toBe(0);
    expect(output).toContain(
      `Names not in UTF-8, decoded as Windows-1252: 1.\n  ${folder}/Müller/10 €.txt\n`,
    );
    expect(await filed()).toEqual({
      'Registratur/Büro': ['Grüße.txt'],
      'Registratur/Müller': ['10 €.txt'],
    });
    expect((await run('--file-type', 'letters')).output).toContain(
      'Documents: 0 imported, 2 already existed',
    );
  });

  it('keeps a name with a backslash: in the title as it is, in the file name with an underscore', async () => {
    await put('A/Antrag 1\\2.txt');
    await run('--file-type', 'letters');
    expect((await administrator.get('/documents')).body).toMatchObject({
      items: [{ title: 'Antrag 1\\2.txt', content: { fileName: 'Antrag 1_2.txt' } }],
    });
  });

  it('prints the limit for a file that is too large, and imports the rest', async () => {
    await put('A/Brief.txt');
    const large = await open(path.join(folder, 'A/groß.bin'), 'w');
    await large.truncate(service.configuration.uploadLimit + 1);
    await large.close();
    const huge = await open(path.join(folder, 'A/riesig.bin'), 'w');
    await huge.truncate(service.configuration.uploadLimit + 4 * 1024 * 1024);
    await huge.close();
    const { code, output } = await run('--file-type', 'letters');
    expect(code).toBe(1);
    const limit = String(service.configuration.uploadLimit);
    for (const name of ['groß.bin', 'riesig.bin'])
      expect(output).toContain(`/A/${name}: Request too large: The content is larger than ${limit} bytes.\n`);
    expect(await filed()).toEqual({ 'Registratur/A': ['Brief.txt'] });
  });

  it('prints one sentence when no service runs or the file type does not exist', async () => {
    expect(await run('--file-type', 'letters', '--url', 'http://127.0.0.1:1')).toEqual({
      code: 2,
      output: '',
      errors:
        'No service is running at http://127.0.0.1:1. Start it (npm start) or set its address with --url. See --help.\n',
    });
    expect(await run('--file-type', 'numbers')).toMatchObject({
      code: 2,
      output: '',
      errors: 'The file type numbers does not exist. Existing file types: letters. See --help.\n',
    });
  });

  it('stops when the service becomes unavailable, and can be run again for the rest', async () => {
    for (let index = 0; index < 9; index += 1) await put(`A/${index}.txt`);
    const { proxy, url } = await TcpProxy.start(service.url);
    const { token, tenant } = administrator;
    const client = createFilingClient({ url, token, tenant: tenant.slug, retries: 0 });
    const folders = await readFolders(folder, new SkippedNames([]));
    const progress = new Progress(new Written(false));
    progress.step = () => void proxy.stop();
    const result = await new FolderImport(client, progress, new AbortController().signal, 4).run(
      folders,
      'letters',
    );
    expect(result.isComplete).toBe(false);
    expect(result.failures).toEqual([]);
    expect(result.summary(null)).toMatch(
      /\nNo answer from .+\nInterrupted\. Run the command again to import the rest\.\n$/,
    );
    expect((await run('--file-type', 'letters')).code).toBe(0);
    expect((await filed())['Registratur/A']).toHaveLength(9);
  });

  it('uploads as many documents at the same time as it is told, also from several folders', async () => {
    for (let index = 0; index < 12; index += 1) await put(`Ordner ${index}/Brief.txt`);
    const { token, tenant } = administrator;
    let uploading = 0;
    let most = 0;
    const client = createFilingClient({
      url: service.url,
      token,
      tenant: tenant.slug,
      fetch: async (request) => {
        const isUpload = new URL(request.url).pathname.endsWith('/documents') && request.method === 'POST';
        uploading += Number(isUpload);
        most = Math.max(most, uploading);
        // The first upload waits for the others.
        if (isUpload && most < 3) await waitUntil(() => most >= 3);
        return fetch(request).finally(() => (uploading -= Number(isUpload)));
      },
    });
    const result = await new FolderImport(
      client,
      new Progress(new Written(false)),
      new AbortController().signal,
      3,
    ).run(await readFolders(folder, new SkippedNames([])), 'letters');
    expect([result.isComplete, most]).toEqual([true, 3]);
    expect(Object.values(await filed())).toEqual(Array.from({ length: 12 }, () => ['Brief.txt']));
  });

  it.each(['0', '33', '1.5', 'viele'])('refuses --parallel %s', async (value) => {
    const { code, errors } = await run('--file-type', 'letters', '--parallel', value);
    expect({ code, errors }).toEqual({
      code: 2,
      errors: '--parallel must be a whole number from 1 to 32. See --help.\n',
    });
  });

  it('draws a progress bar on a terminal and writes lines to other outputs', () => {
    const terminal = new Written(true);
    const file = new Written(false);
    for (const written of [terminal, file]) {
      const progress = new Progress(written);
      progress.start(2);
      progress.step('eins.txt');
      progress.note('waiting 1 s');
      progress.step('zwei.txt');
      progress.end();
    }
    const last = terminal.text.split('\r').at(-1);
    expect(terminal.text).toContain(`[${'#'.repeat(15)}${'.'.repeat(15)}] 1/2 eins.txt`);
    expect(last).toContain(`[${'#'.repeat(30)}] 2/2 zwei.txt`);
    expect(last?.endsWith('\n')).toBe(true);
    expect(file.text).toBe('0/2\n1/2\nwaiting 1 s\n2/2\n');
  });
});
