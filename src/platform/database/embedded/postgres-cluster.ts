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
import { DatabaseStartError, startError } from './database-start-error.js';
import { canEnter, inDataFolder, type PostgresAccount } from './postgres-account.js';
import { type PostgresBinaries } from './postgres-binaries.js';
import { run } from './processes.js';

/** The superuser, which owns the databases and runs migrations. Requests use another role. */
export const OWNER = 'postgres';

const UNFINISHED_PREFIX = 'postgres.unfinished';

/**
 * Locales for LC_CTYPE in order of preference; the first one that the machine has is used. Only pg_trgm depends on
 * it.
 */
const CHARACTER_TYPES = ['C.UTF-8', 'en_US.UTF-8', 'C'];

/**
 * Path of the cluster of a data folder, which may not exist yet: `<directory>/postgres`, or the target if that is a
 * link.
 *
 * @throws DatabaseStartError when the cluster belongs to another data folder, or the account cannot enter the folder
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
    `PostgreSQL does not run as root, and its user (${account.uid}) cannot enter ${directory}. Let it enter the folders ` +
      'above, move the data folder, or start the service as the user who owns it.',
  );
}

/**
 * Resolves a linked cluster: release 0.1.0, when run as root, stored clusters in another folder and linked to them. A
 * copy of such a data folder has the same link. Therefore a file next to the cluster names the data folder that it
 * belongs to, which is the first one that starts it.
 */
async function linkedCluster(directory: string, target: string): Promise<string> {
  const home = await realpath(path.dirname(target)).catch(() => undefined);
  if (home === undefined) {
    throw new DatabaseStartError(
      `${directory}/postgres is a link to ${target}, which does not exist. Restore the database there, or remove the link ` +
        'to start with an empty database.',
    );
  }
  const cluster = await realpath(target).catch(() => path.join(home, path.basename(target)));
  const ownerFile = `${cluster}.owner`;
  const owner = (await readFile(ownerFile, 'utf8').catch(() => '')).trim();
  if (owner === directory) return cluster;
  const isOwned = owner !== '' && (await realpath(path.join(owner, 'postgres')).catch(() => '')) === cluster;
  if (isOwned) {
    throw new DatabaseStartError(
      `${directory}/postgres is a link to the database of ${owner} (${cluster}). ` +
        `If ${directory} is a copy, stop the service of ${owner}, remove the link, and copy the database: ` +
        `cp -a ${cluster} ${directory}/postgres`,
    );
  }
  // Ignores errors: an operator set up a folder that this user cannot write to.
  await writeFile(ownerFile, `${directory}\n`, { mode: 0o600 }).catch(() => undefined);
  return cluster;
}

/** Whether the folder has a cluster. Throws for an unusable cluster, and for a folder with other files. */
async function isInitialised(cluster: string, major: number): Promise<boolean> {
  let version: string;
  try {
    version = (await readFile(path.join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') {
      throw startError(`The database in ${cluster} cannot be read`, error);
    }
    const files = await readdir(cluster).catch(() => []);
    if (files.length === 0) return false;
    throw new DatabaseStartError(
      `The folder ${cluster} is not empty and has no PostgreSQL data. Move it to another place.`,
    );
  }
  if (version === String(major)) return true;
  throw new DatabaseStartError(
    `The folder ${cluster} has data of PostgreSQL ${version}, but this release contains PostgreSQL ${major}. ` +
      `Dump the data with the previous release, or set DATABASE_URL to a PostgreSQL ${version}.`,
  );
}

/** A copy that does not preserve owners belongs to root. */
async function throwIfOwnedByRoot(cluster: string, account: PostgresAccount | undefined): Promise<void> {
  if (!account || (await stat(cluster)).uid !== 0) return;
  throw new DatabaseStartError(
    `The database in ${cluster} belongs to root, but PostgreSQL does not run as root. Restore its owner: ` +
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
    // The built-in provider sorts by code point and supports Unicode letters, in the same way on every machine.
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

/**
 * Removes folders of interrupted attempts. If an initdb is still running in one, some files may remain until the next
 * start.
 */
async function clearUnfinished(home: string): Promise<void> {
  const names = await readdir(home).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(UNFINISHED_PREFIX))) {
    await rm(path.join(home, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/**
 * Creates the cluster if there is none: in a temporary folder, which is renamed when the cluster is complete. The
 * next start removes the folder of an interrupted attempt. Each attempt uses another folder, because initdb continues
 * after the service was killed, and two attempts must not write to the same folder.
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
  if (await isInitialised(cluster, binaries.major)) return throwIfOwnedByRoot(cluster, account);
  log(`creating the database in ${cluster}`);
  try {
    const unfinished = await mkdtemp(path.join(home, `${UNFINISHED_PREFIX}-`));
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
    throw startError(`The database in ${cluster} could not be created`, error);
  } finally {
    await clearUnfinished(home);
  }
}
