import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type ServiceProcess } from '../../support/service/service-process.js';
import { waitUntil } from '../../support/wait-until.js';

const run = promisify(execFile);
const SIZE = '96m';
/** Maximum file size of a full store in the variant {@link LimitedFileSize}. */
const LIMIT_BYTES = 64 * 1024;

/** A data folder that a test can fill up. */
export interface LimitedStore {
  readonly dataDirectory: string;
  /** Leaves almost no space. */
  fill(service: ServiceProcess): Promise<void>;
  freeSpace(service: ServiceProcess): Promise<void>;
  remove(): Promise<void>;
}

function folder(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'filing-small-'));
}

/** A small tmpfs. Mounting needs root, and is not possible in every container. */
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

  /** Leaves up to 300 KB, so that writing fails at the beginning or in the middle of a content. */
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
    // A process that reads a file can end a moment after the service.
    const unmount = () =>
      run('umount', [this.dataDirectory]).then(
        () => true,
        () => false,
      );
    await waitUntil(unmount, 'the end of the processes that use the store');
    await rm(this.dataDirectory, { recursive: true });
  }

  private get ballast(): string {
    return path.join(this.dataDirectory, 'ballast');
  }
}

/** Limits the file size of the process (RLIMIT_FSIZE); needs no privileges. */
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

/** The variants that this machine supports: the file size limit always, the small file system only if it can be mounted. */
export async function storeVariants(): Promise<StoreVariant[]> {
  const variants: StoreVariant[] = [['limited file size', () => LimitedFileSize.make()]];
  const trial = await SmallFileSystem.make().catch(() => null);
  if (trial) {
    await trial.remove();
    variants.push(['full file system', () => SmallFileSystem.make()]);
  }
  return variants;
}
