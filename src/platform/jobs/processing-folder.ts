import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { makeFolder } from '../../common/folder.js';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { Log } from '../logging/log.js';
import { DeadWorkers } from './dead-workers.js';

/**
 * The folder for the temporary files of jobs, such as local copies of contents. It has one subfolder per worker, so that
 * leftovers of dead workers can be found.
 */
@Injectable()
export class ProcessingFolder implements OnApplicationBootstrap {
  private readonly directory: string;

  constructor(
    @Inject(CONFIGURATION) { dataDirectory }: Configuration,
    private readonly workers: DeadWorkers,
    private readonly log: Log,
  ) {
    this.directory = path.join(dataDirectory, 'processing');
  }

  /** Passes the path of a new file to `work`, and deletes the file afterwards. */
  async withFile<T>(workerId: string, work: (file: string) => Promise<T>): Promise<T> {
    const folder = path.join(this.directory, path.basename(workerId));
    await makeFolder(folder, 0o700);
    const file = path.join(folder, randomUUID());
    try {
      return await work(file);
    } finally {
      await rm(file, { recursive: true, force: true });
    }
  }

  /** Passes the path of a new folder to `work`, and deletes the folder afterwards. */
  withFolder<T>(workerId: string, work: (folder: string) => Promise<T>): Promise<T> {
    return this.withFile(workerId, async (folder) => {
      await makeFolder(folder, 0o700);
      return work(folder);
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.removeLeftovers().catch((err: unknown) =>
      this.log.warn({ err }, 'cannot remove the files of dead workers'),
    );
  }

  /** Removes the files of dead workers of this machine. */
  async removeLeftovers(): Promise<void> {
    const workers = await readdir(this.directory).catch(() => []);
    if (workers.length === 0) return;
    for (const dead of await this.workers.findDead(workers)) {
      await rm(path.join(this.directory, dead), { recursive: true, force: true });
    }
  }
}
