import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createFilingClient } from '../../clients/typescript/client.js';
import { clientTypes } from '../support/client-types.js';
import { service } from '../support/service/shared-service.js';

jest.setTimeout(1_200_000);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CLIENT = path.join(ROOT, 'clients/typescript');
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);

async function compile(folder: string): Promise<void> {
  await run(process.execPath, [TSC], { cwd: folder }).catch((error: { stdout: string }) => {
    throw new Error(error.stdout);
  });
}

describe('clients/typescript', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'filing-client-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('has the types of the served OpenAPI document (npm run client:types)', async () => {
    const document = await (await fetch(`${service.url}/openapi.json`)).text();
    const committed = await readFile(path.join(CLIENT, 'schema.ts'), 'utf8');
    // A boolean comparison: a line diff of this text would take minutes.
    expect(committed === (await clientTypes(document))).toBe(true);
  });

  it('is a package whose README examples compile under strict and run', async () => {
    const modules = path.join(directory, 'node_modules');
    await mkdir(modules);
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types', 'undici-types'])
      await symlink(path.join(ROOT, 'node_modules', name), path.join(modules, name));
    // Build before the installation: packages in node_modules are not built.
    const built = path.join(directory, 'built');
    await cp(CLIENT, built, { recursive: true });
    await compile(built);
    await cp(built, path.join(modules, 'filing-client'), {
      recursive: true,
      filter: (file) => !file.endsWith('.ts') || file.endsWith('.d.ts'),
    });

    const readme = await readFile(path.join(CLIENT, 'README.md'), 'utf8');
    const program = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, example]) => example).join('\n');
    const compilerOptions = {
      target: 'ES2022',
      module: 'NodeNext',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      types: ['node'],
      strict: true,
      skipLibCheck: true,
    };
    await writeFile(path.join(directory, 'package.json'), '{ "type": "module" }');
    await writeFile(
      path.join(directory, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['example.ts'] }),
    );
    await writeFile(path.join(directory, 'example.ts'), program);
    await cp(path.join(CLIENT, 'README.md'), path.join(directory, 'README.md'));
    await compile(directory);

    const tenant = await service.tenant();
    const { token } = await tenant.as('administrator');
    await createFilingClient({ url: service.url, tenant: tenant.slug, token }).POST('/file-types', {
      body: { key: 'building', nameDe: 'Bauakte', nameEn: 'Building file' },
    });
    const { stdout } = await run(process.execPath, ['example.js'], {
      cwd: directory,
      env: {
        PATH: process.env.PATH,
        FILING_URL: service.url,
        FILING_TENANT: tenant.slug,
        FILING_TOKEN: token,
      },
    });
    expect(stdout.split('\n')).toEqual([
      '# filing-client',
      'BAU-2026-0200 Neubau Bauhof West',
      'Anleitung',
      '409 File number taken',
      `[ '${tenant.slug}' ]`,
      '',
    ]);
  });

  it('has the same dependency versions as the service', async () => {
    const read = async (file: string) =>
      JSON.parse(await readFile(file, 'utf8')) as Record<
        'dependencies' | 'devDependencies',
        Record<string, string>
      >;
    const own = await read(path.join(CLIENT, 'package.json'));
    const all = await read(path.join(ROOT, 'package.json'));
    expect({ ...all.dependencies, ...all.devDependencies }).toMatchObject({
      ...own.dependencies,
      ...own.devDependencies,
    });
  });
});
