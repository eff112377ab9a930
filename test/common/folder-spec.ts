import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeFolder } from '../../src/common/folder.js';

describe('makeFolder', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'filing-folder-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('creates a folder and its parents, also in simultaneous calls', async () => {
    const folder = path.join(directory, 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 8 }, () => makeFolder(folder, 0o700)));
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await makeFolder(folder);
  });

  it.each([
    ['in a folder in which nothing can be created', '/proc/filing/data', 'ENOENT'],
    ['below a file', 'file/data', 'ENOTDIR'],
    ['in place of a file', 'file', 'EEXIST'],
    ['in place of a broken link', 'link', 'ENOENT'],
  ])('rejects a folder %s', async (_where, name, code) => {
    await writeFile(path.join(directory, 'file'), '');
    await symlink('/nowhere/at/all', path.join(directory, 'link')).catch(() => undefined);
    await expect(makeFolder(path.resolve(directory, name))).rejects.toMatchObject({ code });
  });
});
