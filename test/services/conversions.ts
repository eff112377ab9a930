import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { type ConversionRequest } from '../../src/platform/extraction/conversion/converter.js';

export const QUIET = { debug: () => undefined, warn: () => undefined };

/** A request with limits for busy machines. */
export function requestFor(bytes: Buffer, options: Partial<ConversionRequest> = {}): ConversionRequest {
  return {
    size: bytes.length,
    open: () => Readable.from([bytes]),
    from: 'fodt',
    to: 'pdf',
    timeMs: 240_000,
    maxBytes: 64 * 1024 * 1024,
    ...options,
  };
}

/** A folder in which other users may read files. */
export class SharedFolder {
  private constructor(readonly path: string) {}

  static async create(): Promise<SharedFolder> {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'conversion-test-')));
    await chmod(folder, 0o755);
    return new SharedFolder(folder);
  }

  /** Writes a program that is called like LibreOffice, with this script; returns its path. */
  async writeProgram(script: string, name = 'soffice.bin'): Promise<string> {
    const folder = path.join(this.path, 'program');
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, name);
    // A program that still runs cannot be overwritten, only replaced.
    await rm(file, { force: true });
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
    return file;
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true });
  }
}
