import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

describe('build-if-stale without an installed compiler', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'filing-build-'));
    for (const name of ['scripts', 'ormconfig.ts', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json'])
      await cp(name, path.join(folder, name), { recursive: true });
    for (const name of ['src', 'clients/typescript', 'examples'])
      await mkdir(path.join(folder, name), { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const build = () => {
    const script = path.join(folder, 'scripts', 'build-if-stale.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  it('prints how to install the compiler', () => {
    const { status, stdout, stderr } = build();
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(
      /^The sources in \S+ must be built, .* Run: npm ci --include=dev && npm run build\. .*\n$/,
    );
  });

  it('does nothing when the build is newer than the sources', async () => {
    await mkdir(path.join(folder, 'dist'));
    const built = path.join(folder, 'dist', '.built');
    await writeFile(built, '');
    await utimes(built, new Date(), new Date(Date.now() + 60_000));
    expect(build()).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
