import {
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { systemErrorReason } from '../../../common/system-error-reason.js';
import { DatabaseStartError } from './database-start-error.js';
import { canEnter, inDataFolder, type PostgresAccount } from './postgres-account.js';
import { type PostgresBinaries } from './postgres-binaries.js';
import { run } from './processes.js';

/** The superuser, who owns the databases and runs migrations; requests are served under another role. */
export const OWNER = 'postgres';

/** How the names of folders begin in which clusters are made. */
const UNFINISHED = 'postgres.unfinished';

/** Character types matter to pg_trgm only (what is a letter); the first of these that the machine knows is taken. */
const CHARACTER_TYPES = ['C.UTF-8', 'en_US.UTF-8', 'C'];

/**
 * Where the cluster of a data folder is, or shall be: `<directory>/postgres`, or where that link leads.
 *
 * @throws DatabaseStartError when it belongs to another data folder, or the account cannot enter it
 */
export async function locateCluster(
  directory: string,
  account: PostgresAccount | undefined,
): Promise<string> {
  const place = path.join(directory, 'postgres');
  const target = await readlink(place).catch(() => undefined);
  if (target !== undefined) return linkedCluster(directory, path.resolve(directory, target));
  if (!account || process.platform === 'linux' || (await canEnter(directory, account)))
    return path.join(await realpath(directory), 'postgres');
  throw new DatabaseStartError(
    `PostgreSQL does not run as root, and its user (${account.uid}) cannot enter ${directory}: give it the right to pass ` +
      'through the folders above, move the data folder, or start the service as the user who owns it.',
  );
}

/**
 * Release 0.1.0 kept root's clusters elsewhere, where PostgreSQL's user could enter. A copy of such a data folder has the
 * same link, so a file beside the cluster names the folder that it belongs to: the first that starts it.
 */
async function linkedCluster(directory: string, target: string): Promise<string> {
  const home = await realpath(path.dirname(target)).catch(() => undefined);
  if (home === undefined) {
    throw new DatabaseStartError(
      `${directory}/postgres is a link to ${target}, which does not exist; restore the database there, or remove the link ` +
        'to start with an empty one.',
    );
  }
  const cluster = await realpath(target).catch(() => path.join(home, path.basename(target)));
  const ownerFile = `${cluster}.owner`;
  const owner = (await readFile(ownerFile, 'utf8').catch(() => '')).trim();
  if (owner === directory) return cluster;
  const isOwned = owner !== '' && (await realpath(path.join(owner, 'postgres')).catch(() => '')) === cluster;
  if (isOwned) {
    throw new DatabaseStartError(
      `The database of ${directory} is that of ${owner}: ${directory}/postgres is only a link to it (${cluster}). ` +
        `If ${directory} is a copy, stop the service of ${owner}, remove the link, and copy the database: ` +
        `cp -a ${cluster} ${directory}/postgres`,
    );
  }
  // A folder that this user cannot write was set up by an operator; it needs no note of its owner.
  await writeFile(ownerFile, `${directory}\n`, { mode: 0o600 }).catch(() => undefined);
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
      throw new DatabaseStartError(
        `The database in ${cluster} cannot be read (${systemErrorReason(error)}).`,
        {
          cause: error,
        },
      );
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

/** As after a copy that does not preserve owners. */
async function refuseOfRoot(cluster: string, account: PostgresAccount | undefined): Promise<void> {
  if (!account || (await stat(cluster)).uid !== 0) return;
  throw new DatabaseStartError(
    `The database in ${cluster} belongs to root, as whom PostgreSQL does not run; restore its owner: ` +
      `chown -R ${account.uid}:${account.gid} ${cluster}`,
  );
}

async function initdb(
  target: string,
  passwordFile: string,
  binaries: PostgresBinaries,
  account: PostgresAccount | undefined,
  sync: boolean,
): Promise<void> {
  const { argument, options } = inDataFolder(target, account);
  const args = [
    ...['--pgdata', argument, '--username', OWNER, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
    // The built-in provider sorts by code point and knows Unicode's letters, the same on every machine.
    ...['--encoding', 'UTF8', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'],
    ...(sync ? [] : ['--no-sync']),
  ];
  for (const characters of CHARACTER_TYPES) {
    try {
      await run(binaries.initdb, [...args, '--lc-ctype', characters], options);
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
  if (await isInitialised(cluster, binaries.major)) return refuseOfRoot(cluster, account);
  log(`making the database in ${cluster}`);
  try {
    const unfinished = await mkdtemp(path.join(home, `${UNFINISHED}-`));
    const data = path.join(unfinished, 'data');
    await mkdir(data, { mode: 0o700 });
    const passwordFile = path.join(unfinished, 'password');
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    if (account) {
      for (const each of [unfinished, data, passwordFile]) await chown(each, account.uid, account.gid);
    }
    await initdb(data, '../password', binaries, account, sync);
    await rename(data, cluster);
    if (sync) await syncFolder(home);
  } catch (error) {
    throw new DatabaseStartError(
      `The database in ${cluster} could not be made (${systemErrorReason(error)}).`,
      {
        cause: error,
      },
    );
  } finally {
    await clearUnfinished(home);
  }
}
