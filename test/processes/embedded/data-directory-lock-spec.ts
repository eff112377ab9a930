import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  dataDirectoryHolder,
  DataDirectoryInUseError,
  lockDataDirectory,
} from '../../../src/platform/database/embedded/data-directory-lock.js';
import { processIdentity } from '../../../src/platform/database/embedded/processes.js';
import { EmbeddedPostgresFixture } from './embedded-postgres-fixture.js';

const fixture = new EmbeddedPostgresFixture();
afterAll(() => fixture.clear());

describe('lockDataDirectory', () => {
  let directory: string;
  let file: string;

  beforeEach(async () => {
    directory = await fixture.folder();
    file = path.join(directory, 'postgres.lock');
  });

  it('locks the folder until the lock is released', async () => {
    const lock = await lockDataDirectory(directory);
    expect(await dataDirectoryHolder(directory)).toBe(process.pid);
    await expect(lockDataDirectory(directory)).rejects.toThrow(DataDirectoryInUseError);
    await lock.release();
    expect(await dataDirectoryHolder(directory)).toBeUndefined();
    await (await lockDataDirectory(directory)).release();
    expect(await readdir(directory)).toEqual([]);
  });

  it.each(['no process', 'an ended process', 'an ended process during a takeover'])(
    'gives the lock to exactly one of many concurrent callers, when it was held by %s',
    async (former) => {
      const stale = JSON.stringify({ pid: 2 ** 22 + 1, identity: 'long gone' });
      for (let round = 0; round < 20; round++) {
        if (former !== 'no process') await writeFile(file, stale);
        if (former.includes('takeover')) await writeFile(`${file}.takeover`, stale);
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

  it('takes over the lock of an ended process', async () => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const pid = child.pid!;
    await writeFile(file, JSON.stringify({ pid, identity: await processIdentity(pid) }));
    await expect(lockDataDirectory(directory)).rejects.toMatchObject({ pid });
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await lockDataDirectory(directory)).release();
  });

  it('takes over the lock when its process id now belongs to another process', async () => {
    await writeFile(file, JSON.stringify({ pid: process.ppid, identity: 'a former process' }));
    await (await lockDataDirectory(directory)).release();
  });

  it('takes over an empty lock file, as after a power failure', async () => {
    await writeFile(file, '');
    const lock = await lockDataDirectory(directory);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ pid: process.pid });
    await lock.release();
  });
});
