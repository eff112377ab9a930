import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import yauzl from 'yauzl';

/** Unpacks a package into a temporary folder and returns what `examples/package/tree.mjs` prints about it. */
export async function packageTree(bytes: Buffer): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'filing-story-'));
  try {
    // yauzl refuses names that lead out of the folder.
    const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      const target = path.join(folder, entry.fileName);
      await mkdir(path.dirname(target), { recursive: true });
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target));
    }
    const { stdout } = await promisify(execFile)(process.execPath, ['examples/package/tree.mjs', folder]);
    return stdout.trimEnd();
  } finally {
    await rm(folder, { recursive: true });
  }
}
