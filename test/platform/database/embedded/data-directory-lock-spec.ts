import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  dataDirectoryHolder,
  DataDirectoryInUseError,
  lockDataDirectory,
} from '../../../../src/platform/database/embedded/data-directory-lock.js';
import { processIdentity } from '../../../../src/platform/database/embedded/processes.js';
import { EmbeddedPostgresFixture } from './embedded-postgres-fixture.js';

const fixture = new EmbeddedPostgresFixture();
afterAll(() => fixture.clear());

describe('The lock of a data folder', () => {
  let directory: string;
  let file: string;

  beforeEach(async () => {
    directory = await fixture.folder();
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

  it.each(['nobody', 'a dead process', 'a dead process that was taking over from another'])(
    'goes to exactly one of many that ask at once, left by %s',
    async (former) => {
      const stale = JSON.stringify({ pid: 2 ** 22 + 1, identity: 'long gone' });
      for (let round = 0; round < 20; round++) {
        if (former !== 'nobody') await writeFile(file, stale);
        if (former.includes('taking over')) await writeFile(`${file}.takeover`, stale);
        const outcomes = await Promise.allSettled(
          Array.from({ length: 12 }, () => lockDataDirectory(directory)),
        );
        const held = outcomes.filter((outcome) => outcome.status === 'fulfilled');
        expect(held).toHaveLength(1);
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(DataDirectoryInUseError);
        }
        expect(await readdir(directory)).toEqual(['postgres.lock']);
        await held[0]!.value.release();
      }
    },
  );

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

  it('is taken over when it says nothing, as after a power failure', async () => {
    await writeFile(file, '');
    const lock = await lockDataDirectory(directory);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ pid: process.pid });
    await lock.release();
  });
});
