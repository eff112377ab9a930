import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseStartError, reasonOf } from './embedded/database-start-error.js';
import { processIdentity } from './embedded/processes.js';

/** How long a lock file without content may be somebody's who is just writing it. */
const WRITING_MS = 2000;

interface Holder {
  readonly pid: number;
  readonly identity: string;
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

export interface DataDirectoryLock {
  release(): Promise<void>;
}

function lockFile(directory: string): string {
  return path.join(directory, 'postgres.lock');
}

/** What the lock file says; null while it says nothing usable, undefined when there is none. */
async function readHolder(file: string): Promise<Holder | null | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { pid, identity } = JSON.parse(text) as Partial<Holder>;
    return typeof pid === 'number' && typeof identity === 'string' ? { pid, identity } : null;
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

/** Takes away the lock that `stale` left, unless somebody else did so in the meantime and holds it now. */
async function removeStale(file: string, stale: Holder | null): Promise<void> {
  const aside = `${file}.${process.pid}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const taken = await readHolder(aside);
  if (isSame(taken, stale)) await rm(aside, { force: true });
  else await rename(aside, file);
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
  const own: Holder = { pid: process.pid, identity: (await processIdentity(process.pid)) ?? '' };
  for (;;) {
    try {
      const handle = await open(file, 'wx', 0o600);
      try {
        await handle.writeFile(JSON.stringify(own));
      } finally {
        await handle.close();
      }
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw new DatabaseStartError(`The data folder ${directory} cannot be written (${reasonOf(error)}).`, {
          cause: error,
        });
      }
    }
    const holder = await readHolder(file);
    if (holder === undefined) continue;
    if (holder && (await isAlive(holder))) throw new DataDirectoryInUseError(directory, holder.pid);
    if (holder === null) {
      const age = await stat(file).then(
        (stats) => Date.now() - stats.mtimeMs,
        () => 0,
      );
      if (age < WRITING_MS) {
        await sleep(50);
        continue;
      }
    }
    await removeStale(file, holder);
  }
  return {
    async release() {
      // Only our own: after a pause of the machine somebody may have judged us dead.
      if (isSame(await readHolder(file), own)) await rm(file, { force: true });
    },
  };
}
