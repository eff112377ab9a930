import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type ServiceProcess } from '../../support/service/service-process.js';

const run = promisify(execFile);
const SIZE = '96m';
/** Of the files that still fit when there is no room, where the system bounds each instead of all. */
const LIMIT_BYTES = 64 * 1024;

/** A place for contents that a test can leave without room. */
export interface LimitedStore {
  readonly dataDirectory: string;
  /** From now on hardly anything more fits. */
  fill(service: ServiceProcess): Promise<void>;
  freeSpace(service: ServiceProcess): Promise<void>;
  remove(): Promise<void>;
}

function folder(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'filing-small-'));
}

/** A file system of its own. Only root may make one, and not everywhere. */
class SmallFileSystem implements LimitedStore {
  private constructor(readonly dataDirectory: string) {}

  static async make(): Promise<SmallFileSystem> {
    const directory = await folder();
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0700`, 'tmpfs', directory]);
    } catch (error) {
      await rm(directory, { recursive: true });
      throw error;
    }
    return new SmallFileSystem(directory);
  }

  /** With up to 300 KB left, so that contents find no more room at their beginning, or in their middle. */
  async fill(): Promise<void> {
    const ballast = await open(this.ballast, 'w');
    let size = 0;
    try {
      for (const bytes of [Buffer.alloc(1024 * 1024), Buffer.alloc(4096)]) {
        try {
          for (;;) size += (await ballast.write(bytes)).bytesWritten;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
      await ballast.truncate(size - Math.floor(Math.random() * 300_000));
    } finally {
      await ballast.close();
    }
  }

  async freeSpace(): Promise<void> {
    await rm(this.ballast);
  }

  async remove(): Promise<void> {
    await run('umount', [this.dataDirectory]);
    await rm(this.dataDirectory, { recursive: true });
  }

  private get ballast(): string {
    return path.join(this.dataDirectory, 'ballast');
  }
}

/** The system's limit of what a process may write to one file (RLIMIT_FSIZE), which needs no rights. */
class LimitedFileSize implements LimitedStore {
  private constructor(readonly dataDirectory: string) {}

  static async make(): Promise<LimitedFileSize> {
    return new LimitedFileSize(await folder());
  }

  async fill({ pid }: ServiceProcess): Promise<void> {
    await run('prlimit', [`--pid=${pid}`, `--fsize=${LIMIT_BYTES}:`]);
  }

  async freeSpace({ pid }: ServiceProcess): Promise<void> {
    await run('prlimit', [`--pid=${pid}`, '--fsize=unlimited:']);
  }

  async remove(): Promise<void> {
    await rm(this.dataDirectory, { recursive: true, force: true });
  }
}

export type StoreVariant = readonly [name: string, make: () => Promise<LimitedStore>];

/** Each way that this machine allows: bounded files everywhere, a small file system besides where one can be made. */
export async function storeVariants(): Promise<StoreVariant[]> {
  const ways: StoreVariant[] = [['files may not grow any more', () => LimitedFileSize.make()]];
  const trial = await SmallFileSystem.make().catch(() => null);
  if (trial) {
    await trial.remove();
    ways.push(['the file system is full', () => SmallFileSystem.make()]);
  }
  return ways;
}
