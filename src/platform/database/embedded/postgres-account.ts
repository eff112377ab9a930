import { stat } from 'node:fs/promises';
import { systemErrorReason } from '../../../common/system-error-reason.js';
import { DatabaseStartError } from './database-start-error.js';
import { run } from './processes.js';

/** The user that PostgreSQL runs as when it cannot be our own. */
export interface PostgresAccount {
  readonly uid: number;
  readonly gid: number;
}

/** macOS has one with an underscore. */
const NAMES = ['postgres', '_postgres'];

/**
 * How PostgreSQL's programs are run: under the account, from a folder that everybody can enter, and with nothing of
 * our environment, which may hold secrets, or PG… and LC_… variables that would change how the server behaves.
 * LC_ALL must be there: without it macOS starts threads in the postmaster, which then refuses to run.
 */
export function spawnOptions(account: PostgresAccount | undefined): {
  cwd: string;
  env: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
} {
  return { cwd: '/', env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }, ...account };
}

/**
 * How a program is given a data folder. The account may be unable to pass through the folders above (a checkout below
 * /root). On Linux it gets the folder as its working directory, which is entered before the process becomes the account.
 */
export function inDataFolder(
  folder: string,
  account: PostgresAccount | undefined,
): { argument: string; options: ReturnType<typeof spawnOptions> } {
  const isGiven = account !== undefined && process.platform === 'linux';
  return {
    argument: isGiven ? '/proc/self/cwd' : folder,
    options: { ...spawnOptions(account), cwd: folder },
  };
}

async function lookUp(name: string): Promise<PostgresAccount | undefined> {
  try {
    return { uid: Number(await run('id', ['-u', name])), gid: Number(await run('id', ['-g', name])) };
  } catch {
    return undefined;
  }
}

/**
 * Whose PostgreSQL is: undefined (our own) for everybody but root, as whom it refuses to run. For root it is the owner of
 * the data folder, when there is one, or the user postgres, made when missing.
 */
export async function postgresAccount(
  dataDirectory: string,
  log: (line: string) => void,
): Promise<PostgresAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataDirectory).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of NAMES) {
    const account = await lookUp(name);
    if (account) return account;
  }
  try {
    await run('groupadd', ['--system', '--force', 'postgres']);
    await run('useradd', [
      ...['--system', '--gid', 'postgres', '--no-create-home', '--home-dir', '/nonexistent'],
      ...['--shell', '/usr/sbin/nologin', 'postgres'],
    ]);
  } catch (error) {
    throw new DatabaseStartError(
      `PostgreSQL does not run as root, and the user postgres could not be made (${systemErrorReason(error)}); ` +
        'make that user, start the service as an ordinary user, or set DATABASE_URL.',
      { cause: error },
    );
  }
  const account = await lookUp('postgres');
  if (!account) throw new DatabaseStartError('The user postgres was made but cannot be found.');
  log('PostgreSQL does not run as root: made the user postgres for it');
  return account;
}

/** Whether the account can enter a folder: asked of the system, because modes alone do not tell (ACLs, mounts). */
export async function canEnter(directory: string, account: PostgresAccount | undefined): Promise<boolean> {
  return run('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], spawnOptions(account)).then(
    () => true,
    () => false,
  );
}
