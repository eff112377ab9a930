import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { saveDocument, saveVersion } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { contentPaths, damaged, lines, unzip } from '../../resources/exports/support/packages.js';
import { type Actor } from '../../support/actor.js';
import { listen } from '../../support/servers/local-server.js';
import { ServiceProcess } from '../../support/service/service-process.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

const TREE = new URL('../../../examples/package/tree.mjs', import.meta.url).pathname;

/** Forwards requests to the service, but answers 409 export.too-large to the creation of some exports. */
async function refusing(target: string, isTooLarge: (body: never) => boolean) {
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request);
      const { method = 'GET', url = '' } = request;
      if (method === 'POST' && url.endsWith('/exports') && isTooLarge(JSON.parse(body.toString()) as never)) {
        response.writeHead(409, { 'Content-Type': 'application/problem+json' });
        response.end(
          JSON.stringify({ type: '/problems/export.too-large', title: 'Export too large', status: 409 }),
        );
        return;
      }
      const forwarded = httpRequest(new URL(url, target), { method, headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      forwarded.end(body);
    })();
  });
  return {
    url: await listen(server),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe('npm run export', () => {
  let service: TestService;
  let tenant: TestTenant;
  let admin: Actor;
  let folder: string;
  beforeAll(async () => {
    // The command waits for the job.
    service = await TestService.start({ WORKER_CONCURRENCY: '1' });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
    folder = await mkdtemp(path.join(tmpdir(), 'filing-export-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const run = (...args: string[]) => {
    const options = ['--url', service.url, '--tenant', tenant.slug, ...args];
    return ServiceProcess.run({ FILING_TOKEN: admin.token }, 'tools/cli/export', ...options);
  };
  const document = async (title: string, fileIds: string[] = []): Promise<string> => {
    const { id } = await saveDocument(tenant, admin, { title, fileIds });
    await saveVersion(tenant, admin, id, { bytes: title });
    return id;
  };
  const packageOf = async (name: string) => unzip(await readFile(path.join(folder, name)));

  it('writes one package that the example prints as a tree, and deletes the export', async () => {
    const file = await saveFile(tenant, admin, { number: 'AZ-1', name: 'Umbau' });
    await document('Vermerk', [file.id]);
    await document('Notiz');
    const target = path.join(folder, 'package.zip');
    expect(await run('--out', folder)).toEqual({
      code: 0,
      output: `${target}\n1 package is complete in ${folder}\n`,
      errors: '',
    });
    const files = await packageOf('package.zip');
    expect(damaged(files)).toEqual([]);
    expect((await admin.get('/exports')).body).toMatchObject({ items: [] });
    for (const [name, bytes] of files) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), bytes);
    }
    const { stdout } = await promisify(execFile)(process.execPath, [TREE, folder]);
    expect(stdout).toBe(
      'AZ-1 Umbau\n  Vermerk\n    data/AZ-1/Vermerk.txt\n– without a file\n  Notiz\n    data/_unfiled/Notiz.txt\n',
    );
  });

  it('writes several packages when one is too large', async () => {
    const ids: string[] = [];
    for (const number of ['AZ-1', 'AZ-2']) {
      const file = await saveFile(tenant, admin, { number });
      ids.push(await document(`In ${number}`, [file.id]));
    }
    ids.push(await document('Ohne Akte'));
    const proxy = await refusing(
      service.url,
      ({ all, fileIds = [] }: { all?: true; fileIds?: string[] }) => all === true || fileIds.length > 1,
    );
    try {
      expect(await run('--out', folder, '--url', proxy.url)).toMatchObject({ code: 0, errors: '' });
    } finally {
      proxy.close();
    }
    const names = (await readdir(folder)).sort();
    expect(names).toEqual(['package-001.zip', 'package-002.zip', 'package-003.zip']);
    const packages = await Promise.all(names.map(packageOf));
    expect(
      packages
        .flatMap((files) => lines(files, 'documents'))
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids.sort());
    expect(packages.map((files) => contentPaths(files).length)).toEqual([1, 1, 1]);
  });

  it('exits with 2 without --out', async () => {
    expect(await run()).toMatchObject({ code: 2, errors: '--out is missing. See --help.\n' });
  });
});
