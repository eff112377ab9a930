import { afterAll, describe, expect, it } from '@jest/globals';
import { chmod, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { canEnter } from '../../../src/platform/database/embedded/postgres-account.js';
import { run } from '../../../src/platform/database/embedded/processes.js';
import { runningPostmaster, sql, EmbeddedPostgresFixture } from './embedded-postgres-fixture.js';

const fixture = new EmbeddedPostgresFixture();
afterAll(() => fixture.clear());

const isRoot = process.getuid?.() === 0;

/** A data folder. As root, PostgreSQL's user cannot enter the folder above, as in a checkout below /root. */
async function dataFolder(): Promise<string> {
  const folder = await fixture.folder();
  if (isRoot) await chmod(folder, 0o700);
  return path.join(folder, '.data');
}

const copy = (from: string, to: string) => run('cp', ['-a', from, to]);

describe('The data folder of the embedded PostgreSQL', () => {
  it('contains the database, even if PostgreSQL’s user cannot enter the folder', async () => {
    const directory = await dataFolder();
    const database = await fixture.start(directory);
    await sql(database.url, 'CREATE TABLE kept (what text)', 'CHECKPOINT');
    const { uid, gid } = await stat(path.join(directory, 'postgres'));
    expect(uid === 0).toBe(false);
    expect(await canEnter(directory, isRoot ? { uid, gid } : undefined)).toBe(!isRoot);
    await database.stop();
    const again = await fixture.start(directory);
    expect(await sql(again.url, `SELECT to_regclass('kept') IS NOT NULL`)).toEqual([[true]]);
    await again.stop();
  });

  it('can be copied, and the copy runs beside the original', async () => {
    const directory = await dataFolder();
    const database = await fixture.start(directory);
    await sql(database.url, 'CREATE TABLE kept (what text)', `INSERT INTO kept VALUES ('original')`);
    await database.stop();
    const duplicate = path.join(path.dirname(directory), 'copy');
    await copy(directory, duplicate);

    const original = await fixture.start(directory);
    const other = await fixture.start(duplicate);
    expect(other.port).not.toBe(original.port);
    await sql(other.url, `UPDATE kept SET what = 'copy'`);
    await other.stop();
    expect(await sql(original.url, 'SELECT what FROM kept')).toEqual([['original']]);
    await original.stop();
  });

  it('is refused when it was copied while a service ran', async () => {
    const directory = await dataFolder();
    const database = await fixture.start(directory);
    const pid = await runningPostmaster(directory);
    const duplicate = path.join(path.dirname(directory), 'copy');
    await copy(directory, duplicate);
    await expect(fixture.start(duplicate)).rejects.toMatchObject({
      name: 'DatabaseStartError',
      message:
        `The data folder ${duplicate} was copied or moved from ${directory} while a service ran there (process ${process.pid}). ` +
        'Stop that service. A copy of a running database may be damaged: copy the folder again.',
    });
    expect(await runningPostmaster(directory)).toBe(pid);
    await database.stop();
  });
});

/**
 * Release 0.1.0 created such links when run as root. Operators can create them to have the database on another disk.
 */
describe('A link in place of the database', () => {
  const moveAndLink = async (directory: string): Promise<string> => {
    const elsewhere = path.join(await fixture.folder(), 'postgres');
    await rename(path.join(directory, 'postgres'), elsewhere);
    await symlink(elsewhere, path.join(directory, 'postgres'));
    return elsewhere;
  };

  it('is followed, but refused in a copy of the folder; the original database keeps running', async () => {
    const directory = await dataFolder();
    await (await fixture.start(directory)).stop();
    const elsewhere = await moveAndLink(directory);
    const duplicate = path.join(path.dirname(directory), 'copy');
    await copy(directory, duplicate);

    const original = await fixture.start(directory);
    const pid = await runningPostmaster(directory);
    const message = `${duplicate}/postgres is a link to the database of ${directory} (${elsewhere}).`;
    await expect(fixture.start(duplicate)).rejects.toMatchObject({
      name: 'DatabaseStartError',
      message: expect.stringContaining(message),
    });
    expect(await runningPostmaster(directory)).toBe(pid);
    expect(await sql(original.url, 'SELECT 1')).toEqual([[1]]);
    await original.stop();

    // The commands that the message recommends.
    await rm(path.join(duplicate, 'postgres'));
    await copy(elsewhere, path.join(duplicate, 'postgres'));
    await (await fixture.start(duplicate)).stop();
  });

  it('is followed after the folder was moved', async () => {
    const directory = await dataFolder();
    await (await fixture.start(directory)).stop();
    const elsewhere = await moveAndLink(directory);
    await (await fixture.start(directory)).stop();
    const moved = path.join(path.dirname(directory), 'moved');
    await rename(directory, moved);
    await (await fixture.start(moved)).stop();
    expect(await readFile(`${elsewhere}.owner`, 'utf8')).toBe(`${moved}\n`);
  });

  it('is refused when its target does not exist', async () => {
    const directory = await dataFolder();
    await mkdir(directory);
    await symlink('/nowhere/data-1/postgres', path.join(directory, 'postgres'));
    await expect(fixture.start(directory)).rejects.toMatchObject({
      name: 'DatabaseStartError',
      message: expect.stringMatching(
        /is a link to \/nowhere\/data-1\/postgres, which does not exist\. Restore/,
      ),
    });
  });
});

if (isRoot) {
  it('refuses, as root, a copy without its owners, with the command that restores them', async () => {
    const directory = await dataFolder();
    await (await fixture.start(directory)).stop();
    const { uid, gid } = await stat(path.join(directory, 'postgres'));
    await run('chown', ['-R', '0:0', path.join(directory, 'postgres')]);
    const restore = `chown -R ${uid}:${gid} ${path.join(directory, 'postgres')}`;
    await expect(fixture.start(directory)).rejects.toMatchObject({
      name: 'DatabaseStartError',
      message: expect.stringContaining(restore),
    });
    await run('chown', restore.split(' ').slice(1));
    await (await fixture.start(directory)).stop();
  });
} else {
  it('refuses, as an ordinary user, a folder that it cannot write to', async () => {
    const directory = path.join(await fixture.folder(), 'closed');
    await mkdir(directory, { mode: 0o500 });
    await expect(fixture.start(directory)).rejects.toMatchObject({
      name: 'DatabaseStartError',
      message: `The data folder ${directory} cannot be written (permission denied).`,
    });
  });
}
