import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { STORY_USERS } from '../../examples/story/story.js';
import { TestService } from '../support/service/service.js';

jest.setTimeout(1_200_000);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

const STRICT = {
  target: 'ES2022',
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
};

/** For generators whose imports have no file extension, which needs a bundler. */
const BUNDLED = { module: 'ESNext', moduleResolution: 'bundler' };

/** The error message contains the output of the script. */
async function tool(cwd: string, script: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await run(process.execPath, [path.join(ROOT, 'node_modules', script), ...args], {
      cwd,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${script} ${args.join(' ')}\n${stdout}\n${stderr}`.slice(0, 8000), { cause: error });
  }
}

describe('A client generated from the OpenAPI document', () => {
  let service: TestService;
  let directory: string;
  beforeAll(async () => {
    service = await TestService.start();
    directory = await mkdtemp(path.join(tmpdir(), 'filing-clients-'));
    await symlink(path.join(ROOT, 'node_modules'), path.join(directory, 'node_modules'));
    await writeFile(path.join(directory, 'package.json'), '{ "type": "module" }');
    const document = await (await fetch(`${service.url}/openapi.json`)).text();
    await writeFile(path.join(directory, 'openapi.json'), document);
  });
  afterAll(async () => {
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function project(name: string, options: object = {}): Promise<string> {
    const folder = path.join(directory, name);
    await mkdir(folder);
    const compilerOptions = { ...STRICT, ...options, rootDir: '.', outDir: 'made' };
    await writeFile(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['**/*.ts'] }),
    );
    return folder;
  }

  it('with openapi-typescript and openapi-fetch compiles under strict and runs the story', async () => {
    const folder = await project('openapi-fetch');
    // Without this option, members with a default would be required in request bodies.
    const options = ['--output', 'schema.d.ts', '--default-non-nullable', 'false'];
    await tool(folder, 'openapi-typescript/bin/cli.js', '../openapi.json', ...options);
    await copyFile(path.join(ROOT, 'test/clients/story/story.ts'), path.join(folder, 'story.ts'));
    await tool(folder, 'typescript/bin/tsc');

    const tenant = await service.tenant();
    await service.query(
      `INSERT INTO expected_members (tenant_id, email_key, email, role_id)
       SELECT $1, $2, $2, id FROM roles WHERE tenant_id = $1 AND key = 'administrator'`,
      [tenant.id, STORY_USERS.paula],
    );
    const tokens: Record<string, string> = {};
    for (const [name, email] of Object.entries(STORY_USERS))
      tokens[name] = await service.issuer.token({ sub: email, email, email_verified: true, name: email });
    const { stdout } = await run(process.execPath, [
      path.join(folder, 'made/story.js'),
      service.url,
      tenant.slug,
      JSON.stringify(tokens),
    ]);
    expect(stdout.match(/^## /gm)).toHaveLength(10);
    const actions = (await tenant.audit()).map(({ action }) => action);
    expect(actions).toContain('AccessRevoked');
    expect(actions.at(-1)).toBe('TenantSlugChanged');
  });

  interface Uploaded {
    readonly created: { readonly id: string; readonly title: string; readonly content: { fileName: string } };
    readonly listed: readonly { readonly id: string }[];
    /** Content as stored by the service. */
    readonly text: string;
  }

  /** Compiles the program with its generated client and runs it; it uploads a document. */
  async function uploadWith(name: string, folder: string): Promise<Uploaded> {
    await copyFile(path.join(ROOT, `test/clients/upload/${name}.ts`), path.join(folder, 'upload.ts'));
    await tool(folder, 'typescript/bin/tsc');
    const tenant = await service.tenant();
    const { token } = await tenant.as('administrator');
    const program = path.join(folder, 'made/upload.js');
    const { stdout } = await run(process.execPath, [program, service.url, tenant.slug, token]);
    const uploaded = JSON.parse(stdout) as Omit<Uploaded, 'text'>;
    const content = `${service.url}/api/v1/t/${tenant.slug}/documents/${uploaded.created.id}/content`;
    const stored = await fetch(content, { headers: { authorization: `Bearer ${token}` } });
    process.stderr.write(`${name}: compiled and uploaded ${uploaded.created.content.fileName}\n`);
    return { ...uploaded, text: await stored.text() };
  }

  function expectUploaded({ created, listed, text }: Uploaded, by: string): void {
    expect(created).toMatchObject({
      title: 'Plan',
      content: { fileName: 'Plan.txt', mediaType: 'text/plain', size: text.length },
    });
    expect(listed.map(({ id }) => id)).toEqual([created.id]);
    expect(text).toBe(`uploaded by ${by}`);
  }

  /** Writes the configuration files shown in docs/generated-clients.md. */
  async function configure(folder: string, ...names: string[]): Promise<void> {
    const page = await readFile(path.join(ROOT, 'docs/generated-clients.md'), 'utf8');
    for (const name of names) {
      const [, file] = new RegExp(`^// ${name}\\n([^]*?)^\`\`\`$`, 'm').exec(page) ?? [];
      if (file === undefined) throw new Error(`docs/generated-clients.md does not have ${name}`);
      await writeFile(path.join(folder, name), file.replace('http://127.0.0.1:3000', service.url));
    }
  }

  it('with openapi-typescript compiles under strict and uploads a document', async () => {
    const folder = await project('openapi-fetch-upload');
    const options = ['--output', 'schema.d.ts', '--default-non-nullable', 'false'];
    await tool(folder, 'openapi-typescript/bin/cli.js', '../openapi.json', ...options);
    expectUploaded(await uploadWith('openapi-fetch', folder), 'openapi-fetch');
  });

  it('with @hey-api/openapi-ts compiles under strict and uploads a document', async () => {
    const folder = await project('hey-api', BUNDLED);
    await configure(folder, 'forms-only.mjs', 'openapi-ts.config.mjs');
    await tool(folder, '@hey-api/openapi-ts/bin/run.js', '--file', 'openapi-ts.config.mjs', '--silent');
    expectUploaded(await uploadWith('hey-api', folder), 'hey-api');
  });

  it('with orval compiles under strict and uploads a document', async () => {
    const folder = await project('orval', BUNDLED);
    await configure(folder, 'forms-only.mjs', 'orval.config.mjs');
    await tool(folder, 'orval/dist/bin/orval.js');
    expectUploaded(await uploadWith('orval', folder), 'orval');
  });

  it.each([
    ['hey-api', ['@hey-api/openapi-ts/bin/run.js', '--output', 'client', '--silent']],
    ['orval', ['orval/dist/bin/orval.js', '--output', 'client/index.ts', '--client', 'fetch']],
  ])('with %s also compiles under strict without configuration', async (name, [script = '', ...options]) => {
    const folder = await project(`${name}-plain`, BUNDLED);
    await tool(folder, script, '--input', '../openapi.json', ...options);
    await tool(folder, 'typescript/bin/tsc');
  });
});
