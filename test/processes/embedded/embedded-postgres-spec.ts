import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import pg from 'pg';
import {
  type EmbeddedDatabase,
  runningEmbeddedPostgres,
} from '../../../src/platform/database/embedded/embedded-postgres.js';
import { processIdentity } from '../../../src/platform/database/embedded/processes.js';
import { waitUntil } from '../../support/wait-until.js';
import {
  postmasterPid,
  runningPostmaster,
  signalIfRunning,
  sql,
  EmbeddedPostgresFixture,
} from './embedded-postgres-fixture.js';

const fixture = new EmbeddedPostgresFixture();
afterAll(() => fixture.clear());

describe('The embedded PostgreSQL', () => {
  let directory: string;
  let database: EmbeddedDatabase;

  beforeAll(async () => {
    directory = await fixture.folderWithPort();
    database = await fixture.start(directory);
  });

  it('is durable, listens on loopback only, and requires a password', async () => {
    const names = [
      'fsync',
      'synchronous_commit',
      'full_page_writes',
      'data_checksums',
      'listen_addresses',
      'unix_socket_directories',
    ];
    const settings = await sql(
      database.url,
      `SELECT ${names.map((name) => `current_setting('${name}')`).join(', ')}`,
    );
    expect(settings).toEqual([['on', 'on', 'on', 'on', '127.0.0.1', '']]);
    const stranger = new pg.Client({ connectionString: database.url.replace(/:[^:@]+@/, ':guess@') });
    await expect(stranger.connect()).rejects.toMatchObject({ code: '28P01' });
    const methods = await sql(database.url, 'SELECT DISTINCT auth_method FROM pg_hba_file_rules');
    expect(methods).toEqual([['scram-sha-256']]);
  });

  it('stores its password in a file that only the owner can read', async () => {
    const { mode } = await stat(path.join(directory, 'postgres.secret'));
    expect(mode & 0o777).toBe(0o600);
    const secret = (await readFile(path.join(directory, 'postgres.secret'), 'utf8')).trim();
    expect(secret.length).toBeGreaterThanOrEqual(40);
    expect(database.url).toBe(`postgres://postgres:${secret}@127.0.0.1:${database.port}/filing`);
  });

  it('sorts and case-folds in the same way on every machine', async () => {
    const [about] = await sql(
      database.url,
      `SELECT pg_encoding_to_char(encoding), datlocprovider, datlocale, datcollate FROM pg_database WHERE datname = 'filing'`,
    );
    expect(about).toEqual(['UTF8', 'b', 'C.UTF-8', 'C']);
    const order = `SELECT array_to_string(array_agg(x ORDER BY x), '') , array_to_string(array_agg(x ORDER BY x COLLATE "und-x-icu"), ''),
      lower('ÄÉЖ') FROM unnest('{b,A,ä,a,Z,z}'::text[]) x`;
    expect(await sql(database.url, order)).toEqual([['AZabzä', 'aAäbzZ', 'äéж']]);
  });

  it('has the extensions for search, and builds trigrams from letters of any script', async () => {
    const rows = await sql(
      database.url,
      'CREATE EXTENSION pg_trgm',
      'CREATE EXTENSION btree_gin',
      `SELECT cardinality(show_trgm('акт')), cardinality(show_trgm('文書番')), cardinality(show_trgm('Öl'))`,
    );
    expect(rows).toEqual([[4, 4, 3]]);
  });

  it('can be found by other programs while it is running', async () => {
    expect(await runningEmbeddedPostgres(directory)).toBe(database.url);
    expect(await runningEmbeddedPostgres(await fixture.folder())).toBeUndefined();
  });

  it('restarts a killed server with all committed data', async () => {
    const former = await postmasterPid(directory);
    const before = fixture.log.length;
    await sql(database.url, 'CREATE TABLE kept (what text)', `INSERT INTO kept VALUES ('before the kill')`);
    process.kill(former, 'SIGKILL');
    await waitUntil(
      async () => (await sql(database.url, 'SELECT what FROM kept').catch(() => [])).length === 1,
    );
    expect(await postmasterPid(directory)).not.toBe(former);
    const said = () => fixture.log.slice(before);
    await waitUntil(() => said().includes('the database server is running again'));
    expect(said()[0]).toBe('the database server ended unexpectedly (SIGKILL); restarting it (attempt 1)');
  });

  it('stops its server, and starts again with the same data and address', async () => {
    const pid = await postmasterPid(directory);
    await Promise.all([database.stop(), database.stop()]);
    expect(await processIdentity(pid)).toBeUndefined();
    expect(await runningEmbeddedPostgres(directory)).toBeUndefined();
    const { url } = database;
    database = await fixture.start(directory);
    expect(database.url).toBe(url);
    expect(await sql(url, 'SELECT what FROM kept')).toEqual([['before the kill']]);
  });

  it('stops while its server is being restarted', async () => {
    const before = fixture.log.length;
    process.kill(await postmasterPid(directory), 'SIGKILL');
    await waitUntil(() => fixture.log.slice(before).some((line) => line.includes('ended unexpectedly')));
    await database.stop();
    expect(await runningPostmaster(directory)).toBeUndefined();
    expect(await runningEmbeddedPostgres(directory)).toBeUndefined();
  });

  it('takes another port when its own is in use', async () => {
    const intruder = createServer();
    intruder.listen(database.port, '127.0.0.1');
    await once(intruder, 'listening');
    const other = await fixture.start(directory);
    expect(other.port).not.toBe(database.port);
    expect(await sql(other.url, 'SELECT what FROM kept')).toEqual([['before the kill']]);
    await other.stop();
    intruder.close();
  });

  it('sets a new password when the password file is missing', async () => {
    await rm(path.join(directory, 'postgres.secret'));
    const again = await fixture.start(directory);
    expect(again.url).not.toBe(database.url);
    expect(await sql(again.url, 'SELECT what FROM kept')).toEqual([['before the kill']]);
    await again.stop();
  });

  it('starts when the old process id now belongs to another program', async () => {
    const pidFile = path.join(directory, 'postgres', 'postmaster.pid');
    // PostgreSQL ignores processes of other users by itself.
    const { uid, gid } = await stat(path.join(directory, 'postgres'));
    const other = spawn('sleep', ['600'], { uid, gid, stdio: 'ignore' });
    await once(other, 'spawn');
    const lines = [
      other.pid,
      path.join(directory, 'postgres'),
      1,
      database.port,
      '',
      '127.0.0.1',
      '',
      'ready',
    ];
    await writeFile(pidFile, `${lines.join('\n')}\n`);
    await chmod(pidFile, 0o666);
    try {
      const again = await fixture.start(directory);
      expect(await sql(again.url, 'SELECT what FROM kept')).toEqual([['before the kill']]);
      await again.stop();
      expect(other.exitCode ?? other.signalCode).toBeNull();
    } finally {
      other.kill();
    }
  });

  it('refuses data of another major version without changing it', async () => {
    const version = path.join(directory, 'postgres', 'PG_VERSION');
    await writeFile(version, '15\n');
    await expect(fixture.start(directory)).rejects.toMatchObject({
      name: 'DatabaseStartError',
      message: expect.stringMatching(/has data of PostgreSQL 15, but this release contains PostgreSQL 18/),
    });
    expect(await readFile(version, 'utf8')).toBe('15\n');
    await writeFile(version, '18\n');
  });
});

describe('The first start of the embedded PostgreSQL', () => {
  /** Temporary folders in which clusters are created. */
  const unfinished = async (directory: string): Promise<string[]> =>
    (await readdir(directory)).filter((name) => name.startsWith('postgres.unfinished'));
  /** Names in a folder of the cluster that is being created. */
  const createdFiles = async (directory: string, folder: string): Promise<string[]> => {
    const [name = ''] = await unfinished(directory);
    return readdir(path.join(directory, name, 'data', folder)).catch(() => []);
  };

  it('removes the files of an interrupted start', async () => {
    const directory = await fixture.folder();
    // With this option the process never finishes, so it does not matter when it is killed.
    const child = fixture.spawn(directory, '--unfinished');
    const exited = once(child, 'exit');
    await waitUntil(async () => (await createdFiles(directory, '.')).includes('PG_VERSION'));
    process.kill(-child.pid!, 'SIGKILL');
    await exited;
    await expect(stat(path.join(directory, 'postgres'))).rejects.toMatchObject({ code: 'ENOENT' });
    const database = await fixture.start(directory);
    expect(await sql(database.url, 'SELECT current_database()')).toEqual([['filing']]);
    expect(await unfinished(directory)).toEqual([]);
    await database.stop();
    // A folder that could not be removed at that time.
    await mkdir(path.join(directory, 'postgres.unfinished-1', 'data'), { recursive: true });
    const again = await fixture.start(directory);
    expect(await unfinished(directory)).toEqual([]);
    await again.stop();
  });

  it('is independent of an initdb that continues after its service was killed', async () => {
    const directory = await fixture.folder();
    const child = fixture.spawn(directory, '--unfinished');
    const exited = once(child, 'exit');
    await waitUntil(async () => (await createdFiles(directory, 'base/1')).length > 50);
    process.kill(-child.pid!, 'SIGSTOP');
    child.kill('SIGKILL');
    await exited;
    await writeFile(path.join(directory, (await unfinished(directory))[0]!, 'data', 'left'), '');
    let hasStarted = false;
    const starting = fixture.start(directory).finally(() => (hasStarted = true));
    // The stopped initdb continues when the second start has created its own cluster folder.
    const continued = waitUntil(async () => {
      const names = await createdFiles(directory, '.');
      return hasStarted || (names.includes('PG_VERSION') && !names.includes('left'));
    }).then(() => signalIfRunning(-child.pid!, 'SIGCONT'));
    try {
      const [database] = await Promise.all([starting, continued]);
      expect(await sql(database.url, 'SELECT current_database()')).toEqual([['filing']]);
      await database.stop();
    } finally {
      signalIfRunning(-child.pid!, 'SIGKILL');
    }
  });

  it('does not change a folder with other files', async () => {
    const directory = await fixture.folder();
    await mkdir(path.join(directory, 'postgres'));
    await writeFile(path.join(directory, 'postgres', 'letter.txt'), 'Dear Alice');
    await expect(fixture.start(directory)).rejects.toMatchObject({
      name: 'DatabaseStartError',
      message: expect.stringMatching(/is not empty and has no PostgreSQL data/),
    });
    expect(await readFile(path.join(directory, 'postgres', 'letter.txt'), 'utf8')).toBe('Dear Alice');
  });

  it('reports a folder that cannot be created in one sentence', async () => {
    const file = path.join(await fixture.folder(), 'file');
    await writeFile(file, '');
    await expect(fixture.start(path.join(file, 'data'))).rejects.toMatchObject({
      name: 'DatabaseStartError',
      message: expect.stringMatching(/^The data folder .* cannot be created \(.*\)\.$/),
    });
  });

  it('stops the server when the start is aborted', async () => {
    const directory = await fixture.folder();
    const aborted = new AbortController();
    // The cluster is still completed; the server that starts on it is stopped.
    const log = (line: string) => void (line.startsWith('creating the database') && aborted.abort());
    await expect(fixture.start(directory, { signal: aborted.signal, log })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(await runningPostmaster(directory)).toBeUndefined();
    const before = fixture.log.length;
    const database = await fixture.start(directory);
    expect(fixture.log.slice(before).join('\n')).not.toContain('was still running');
    expect(await sql(database.url, 'SELECT 1')).toEqual([[1]]);
    await database.stop();
  });
});
