import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from './folder.js';

/**
 * Reads a file that only its owner may read. If it does not exist, creates it and its folder: writes a temporary file
 * and links it to the final name, which fails if that exists. So of several processes that generate a secret at the same
 * time, all use the one that was linked first.
 */
export async function readOrCreate(file: string, create: () => string | Promise<string>): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const text = await create();
  const folder = path.dirname(file);
  await makeFolder(folder, 0o700);
  const draft = path.join(folder, `${randomUUID()}.draft`);
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(file, 'utf8');
}
