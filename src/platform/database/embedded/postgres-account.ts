import { stat } from 'node:fs/promises';
import { systemErrorReason } from '../../../common/system-error-reason.js';
import { DatabaseStartError } from './database-start-error.js';
import { run } from './processes.js';

/** User and group that PostgreSQL runs as, when the service runs as root. */
export interface PostgresAccount {
  readonly uid: number;
  readonly gid: number;
}

/** On macOS the name has an underscore. */
const NAMES = ['postgres', '_postgres'];

/**
 * Options to run PostgreSQL's programs as the account, in a folder that every user can enter. They do not inherit the
 * environment: it may contain secrets, and PG… or LC_… variables that change the server's behaviour. LC_ALL must be
 * set: without it, macOS starts threads in the postmaster, which then refuses to run.
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
 * Argument and options to run a program on a data folder. The account may have no access to the folders above (a
 * checkout below /root). On Linux the folder is therefore passed as working directory, which the process enters
 * before it switches to the account.
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
 * The account to run PostgreSQL as: undefined (the user of this process) unless that is root, as which PostgreSQL
 * refuses to run. For root it is the owner of the data folder if it exists, otherwise the user postgres, which is
 * created if missing.
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
      `PostgreSQL does not run as root, and the user postgres could not be created (${systemErrorReason(error)}). ` +
        'Create that user, start the service as an ordinary user, or set DATABASE_URL.',
      { cause: error },
    );
  }
  const account = await lookUp('postgres');
  if (!account) throw new DatabaseStartError('The user postgres was created but cannot be found.');
  log('created the user postgres, because PostgreSQL does not run as root');
  return account;
}

/** Whether the account can enter a folder. Tries it, because file modes alone do not decide (ACLs, mounts). */
export async function canEnter(directory: string, account: PostgresAccount | undefined): Promise<boolean> {
  return run('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], spawnOptions(account)).then(
    () => true,
    () => false,
  );
}
