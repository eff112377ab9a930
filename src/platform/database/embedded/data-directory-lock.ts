import { randomUUID } from 'node:crypto';
import { link, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemErrorReason } from '../../../common/system-error-reason.js';
import { DatabaseStartError } from './database-start-error.js';
import { processIdentity } from './processes.js';

interface Holder {
  readonly pid: number;
  readonly identity: string;
  /** The folder that it holds: what is copied or moved still names the former one. */
  readonly directory?: string;
}

/** The data folder is held by another running process. */
export class DataDirectoryInUseError extends DatabaseStartError {
  constructor(
    directory: string,
    readonly pid: number,
  ) {
    super(
      `The data folder ${directory} is in use by another running service (process ${pid}); ` +
        'stop that one, or set DATA_DIR to another folder.',
    );
  }
}

interface DataDirectoryLock {
  release(): Promise<void>;
}

function lockFile(directory: string): string {
  return path.join(directory, 'postgres.lock');
}

/** What the lock file says; null when that is nothing usable (the machine lost its power), undefined when there is none. */
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

/** The process that holds the folder now, if there is one. */
export async function dataDirectoryHolder(directory: string): Promise<number | undefined> {
  const holder = await readHolder(lockFile(directory));
  return holder && (await isAlive(holder)) ? holder.pid : undefined;
}

/** Gives the living holder when there is one; otherwise `own` holds the lock from now on. */
async function claim(file: string, own: Holder): Promise<Holder | undefined> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(own), { mode: 0o600 });
  try {
    for (;;) {
      try {
        // Atomic, and with its content: nobody ever sees a lock that does not name its holder.
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
 * Takes away a lock that a dead process left. Removing takes a lock of its own, under which the file is read once more:
 * otherwise a slow process would remove the lock of a quick one that has taken over in the meantime.
 */
async function removeStale(file: string, stale: Holder | null, own: Holder): Promise<void> {
  const right = `${file}.takeover`;
  if (await claim(right, own)) {
    await sleep(10);
    return;
  }
  try {
    if (isSame(await readHolder(file), stale)) await rm(file, { force: true });
  } finally {
    await rm(right, { force: true });
  }
}

/**
 * Holds a data folder for this process until `release`. The lock is a file that names its holder by number and
 * start time: what a killed process left is taken over at once, and a number that the system has since given to
 * another process is not mistaken for the holder. It does not see across containers that share a folder.
 *
 * @throws DataDirectoryInUseError when a running process holds it (this one, too)
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
    throw new DatabaseStartError(
      `The data folder ${directory} cannot be written (${systemErrorReason(error)}).`,
      {
        cause: error,
      },
    );
  }
  if (holder?.directory !== undefined && holder.directory !== own.directory) {
    throw new DatabaseStartError(
      `The data folder ${directory} was copied or moved from ${holder.directory} while a service ran there (process ${holder.pid}); ` +
        'stop that service. A copy of a running database may be damaged: copy the folder again.',
    );
  }
  if (holder) throw new DataDirectoryInUseError(directory, holder.pid);
  return {
    async release() {
      // Only our own: after a pause of the machine somebody may have judged us dead.
      if (isSame(await readHolder(file), own)) await rm(file, { force: true });
    },
  };
}
