import { randomUUID } from 'node:crypto';
import { link, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseStartError, startError } from './database-start-error.js';
import { processIdentity } from './processes.js';

interface Holder {
  readonly pid: number;
  readonly identity: string;
  /** Data folder that the lock was created for. In a copied or moved folder, the lock still names the original one. */
  readonly directory?: string;
}

export class DataDirectoryInUseError extends DatabaseStartError {
  constructor(
    directory: string,
    readonly pid: number,
  ) {
    super(
      `The data folder ${directory} is in use by another running service (process ${pid}). ` +
        'Stop that service, or set DATA_DIR to another folder.',
    );
  }
}

interface DataDirectoryLock {
  release(): Promise<void>;
}

function lockFile(directory: string): string {
  return path.join(directory, 'postgres.lock');
}

/** Reads the lock file. Null for an invalid file (for example after a power failure), undefined when there is none. */
async function readHolder(file: string): Promise<Holder | null | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { pid, identity, directory } = JSON.parse(text) as Partial<Holder>;
    return typeof pid === 'number' && typeof identity === 'string' ? { pid, identity, directory } : null;
  } catch {
    return null;
  }
}

function isSame(one: Holder | null | undefined, other: Holder | null | undefined): boolean {
  return one?.pid === other?.pid && one?.identity === other?.identity;
}

async function isAlive(holder: Holder | null | undefined): Promise<boolean> {
  return holder ? (await processIdentity(holder.pid)) === holder.identity : false;
}

/** Id of the running process that has locked the folder; undefined when there is none. */
export async function dataDirectoryHolder(directory: string): Promise<number | undefined> {
  const holder = await readHolder(lockFile(directory));
  return holder && (await isAlive(holder)) ? holder.pid : undefined;
}

/** Takes the lock for `own`. Returns the holder instead when a running process has the lock. */
async function claim(file: string, own: Holder): Promise<Holder | undefined> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(own), { mode: 0o600 });
  try {
    for (;;) {
      try {
        // `link` creates the file with its content at once, so a lock file always names its holder.
        await link(draft, file);
        return undefined;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = await readHolder(file);
      if (holder === undefined) continue;
      if (holder && (await isAlive(holder))) return holder;
      await removeStale(file, holder, own);
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Removes the lock of a process that has ended. Takes a second lock for this and reads the file again. Otherwise two
 * processes could find the same stale lock, and the slower one would remove the new lock of the faster one.
 */
async function removeStale(file: string, stale: Holder | null, own: Holder): Promise<void> {
  const takeoverLock = `${file}.takeover`;
  if (await claim(takeoverLock, own)) {
    await sleep(10);
    return;
  }
  try {
    if (isSame(await readHolder(file), stale)) await rm(file, { force: true });
  } finally {
    await rm(takeoverLock, { force: true });
  }
}

/**
 * Locks a data folder for this process until `release`. The lock is a file with the process id and start time of its
 * holder. So the lock of a killed process is replaced at once, even if the system has given its id to another
 * process. The lock has no effect between containers that share a folder.
 *
 * @throws DataDirectoryInUseError when a running process has locked it (also this process)
 * @throws DatabaseStartError when the folder cannot be written
 */
export async function lockDataDirectory(directory: string): Promise<DataDirectoryLock> {
  const file = lockFile(directory);
  const own: Holder = {
    pid: process.pid,
    identity: (await processIdentity(process.pid)) ?? '',
    directory: await realpath(directory).catch(() => directory),
  };
  let holder: Holder | undefined;
  try {
    holder = await claim(file, own);
  } catch (error) {
    throw startError(`The data folder ${directory} cannot be written`, error);
  }
  if (holder?.directory !== undefined && holder.directory !== own.directory) {
    throw new DatabaseStartError(
      `The data folder ${directory} was copied or moved from ${holder.directory} while a service ran there (process ${holder.pid}). ` +
        'Stop that service. A copy of a running database may be damaged: copy the folder again.',
    );
  }
  if (holder) throw new DataDirectoryInUseError(directory, holder.pid);
  return {
    async release() {
      // Another process may have replaced this lock, for example after the machine was suspended.
      if (isSame(await readHolder(file), own)) await rm(file, { force: true });
    },
  };
}
