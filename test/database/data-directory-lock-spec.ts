import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  dataDirectoryHolder,
  DataDirectoryInUseError,
  lockDataDirectory,
} from '../../src/database/data-directory-lock.js';
import { processIdentity } from '../../src/database/embedded/processes.js';
import { Workshop } from './embedded-postgres-support.js';

const workshop = new Workshop();
afterAll(() => workshop.clear());

describe('The lock of a data folder', () => {
  let directory: string;
  let file: string;

  beforeEach(async () => {
    directory = await workshop.folder();
    file = path.join(directory, 'postgres.lock');
  });

  it('is held until it is released', async () => {
    const lock = await lockDataDirectory(directory);
    expect(await dataDirectoryHolder(directory)).toBe(process.pid);
    await expect(lockDataDirectory(directory)).rejects.toThrow(DataDirectoryInUseError);
    await lock.release();
    expect(await dataDirectoryHolder(directory)).toBeUndefined();
    await (await lockDataDirectory(directory)).release();
    expect(await readdir(directory)).toEqual([]);
  });

  it('goes to exactly one of many that ask at once, over a stale lock too', async () => {
    await writeFile(file, JSON.stringify({ pid: 2 ** 22 + 1, identity: 'long gone' }));
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDirectory(directory)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readdir(directory)).toEqual(['postgres.lock']);
  });

  it('of an ended process is taken over', async () => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const pid = child.pid!;
    await writeFile(file, JSON.stringify({ pid, identity: await processIdentity(pid) }));
    await expect(lockDataDirectory(directory)).rejects.toMatchObject({ pid });
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await lockDataDirectory(directory)).release();
  });

  it('is not mistaken for that of a later process with the same number', async () => {
    await writeFile(file, JSON.stringify({ pid: process.ppid, identity: 'a former process' }));
    await (await lockDataDirectory(directory)).release();
  });

  it('without content is somebody’s who is just writing it, or of a crash when it is old', async () => {
    await writeFile(file, '');
    const soon = lockDataDirectory(directory);
    const holder = { pid: process.ppid, identity: await processIdentity(process.ppid) };
    await writeFile(file, JSON.stringify(holder));
    await expect(soon).rejects.toMatchObject({ pid: process.ppid });
    await writeFile(file, '');
    await utimes(file, new Date(0), new Date(0));
    const lock = await lockDataDirectory(directory);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ pid: process.pid });
    await lock.release();
  });
});
