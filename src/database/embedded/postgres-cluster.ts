import {
  chown,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { DatabaseStartError, reasonOf } from './database-start-error.js';
import { canEnter, type PostgresAccount, spawnOptions } from './postgres-account.js';
import { type PostgresBinaries } from './postgres-binaries.js';
import { run } from './processes.js';

/** The superuser, who owns the databases and runs migrations; requests are served under another role. */
export const OWNER = 'postgres';

/** How the names of folders begin in which clusters are made. */
const UNFINISHED = 'postgres.unfinished';

/** Character types matter to pg_trgm only (what is a letter); the first of these that the machine knows is taken. */
const CHARACTER_TYPES = ['C.UTF-8', 'en_US.UTF-8', 'C'];

/**
 * Where the cluster of a data folder is, or shall be: `<directory>/postgres`, or where that points to. For a folder that
 * the account cannot enter (a checkout below /root) a new cluster gets a place in the folder `shared`.
 */
export async function locateCluster(
  directory: string,
  account: PostgresAccount | undefined,
  shared: string,
  log: (line: string) => void,
): Promise<string> {
  const place = path.join(directory, 'postgres');
  const found = await lstat(place).catch(() => undefined);
  if (found?.isSymbolicLink()) return path.resolve(directory, await readlink(place));
  if (!account || (await canEnter(directory, account))) {
    return path.join(await realpath(directory), 'postgres');
  }
  if (found) {
    throw new DatabaseStartError(
      `PostgreSQL does not run as root, and its user (${account.uid}) cannot enter ${place}: give it the right to pass ` +
        'through the folders above, move the data folder, or start the service as the user who owns it.',
    );
  }
  await mkdir(shared, { recursive: true, mode: 0o755 });
  const home = await mkdtemp(path.join(shared, 'data-'));
  await chown(home, account.uid, account.gid);
  if (!(await canEnter(home, account))) {
    throw new DatabaseStartError(
      `The user of the embedded PostgreSQL (${account.uid}) can enter neither ${directory} nor ${home}; set DATA_DIR to ` +
        'a folder that it can enter, or set DATABASE_URL.',
    );
  }
  const cluster = path.join(home, 'postgres');
  // The link comes first, so that no crash leaves a cluster that nothing points to.
  await symlink(cluster, place);
  log(`the user of the embedded PostgreSQL cannot enter ${directory}; the database is kept in ${cluster}`);
  return cluster;
}

/** Whether there is a cluster; one that cannot be used, or something else in its place, is an error. */
async function isInitialised(cluster: string, major: number): Promise<boolean> {
  let version: string;
  try {
    version = (await readFile(path.join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') {
      throw new DatabaseStartError(`The database in ${cluster} cannot be read (${reasonOf(error)}).`, {
        cause: error,
      });
    }
    const files = await readdir(cluster).catch(() => []);
    if (files.length === 0) return false;
    throw new DatabaseStartError(
      `The folder ${cluster} is not empty and holds no PostgreSQL data; move it away.`,
    );
  }
  if (version === String(major)) return true;
  throw new DatabaseStartError(
    `The folder ${cluster} holds data of PostgreSQL ${version}, and this service brings PostgreSQL ${major}; ` +
      `start it with the former release and dump the data, or set DATABASE_URL to a PostgreSQL ${version}.`,
  );
}

async function initdb(
  target: string,
  passwordFile: string,
  binaries: PostgresBinaries,
  account: PostgresAccount | undefined,
  sync: boolean,
): Promise<void> {
  const args = [
    ...['--pgdata', target, '--username', OWNER, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
    // The built-in provider sorts by code point and knows Unicode's letters, the same on every machine.
    ...['--encoding', 'UTF8', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'],
    ...(sync ? [] : ['--no-sync']),
  ];
  for (const characters of CHARACTER_TYPES) {
    try {
      await run(binaries.initdb, [...args, '--lc-ctype', characters], spawnOptions(account));
      return;
    } catch (error) {
      if (characters !== 'C' && String(error).includes('invalid locale name')) continue;
      throw error;
    }
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** What interrupted attempts left. Where the initdb of one is still at it, some of that may stay until the next start. */
async function clearUnfinished(home: string): Promise<void> {
  const names = await readdir(home).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(UNFINISHED))) {
    await rm(path.join(home, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/**
 * Makes the cluster if there is none. That happens in a folder of its own, which gets its name when it is complete:
 * whatever an interrupted attempt left is cleared away by the next. It is another one each time: initdb outlives a
 * service that is killed, and neither of the two is to meet, or to clear away, what the other one makes.
 */
export async function ensureCluster(
  cluster: string,
  password: string,
  binaries: PostgresBinaries,
  account: PostgresAccount | undefined,
  sync: boolean,
  log: (line: string) => void,
): Promise<void> {
  const home = path.dirname(cluster);
  await clearUnfinished(home);
  if (await isInitialised(cluster, binaries.major)) return;
  log(`making the database in ${cluster}`);
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    const unfinished = await mkdtemp(path.join(home, `${UNFINISHED}-`));
    const passwordFile = path.join(unfinished, 'password');
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    if (account) {
      await chown(unfinished, account.uid, account.gid);
      await chown(passwordFile, account.uid, account.gid);
    }
    const data = path.join(unfinished, 'data');
    await initdb(data, passwordFile, binaries, account, sync);
    await rename(data, cluster);
    if (sync) await syncFolder(home);
  } catch (error) {
    throw new DatabaseStartError(`The database in ${cluster} could not be made (${reasonOf(error)}).`, {
      cause: error,
    });
  } finally {
    await clearUnfinished(home);
  }
}
