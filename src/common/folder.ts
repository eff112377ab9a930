import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Creates a folder and its parents. Not with Node's recursive `mkdir`: it never returns if the system reports ENOENT
 * although the parent exists, as in `/proc`.
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  try {
    await makeOne(folder, mode);
  } catch (error) {
    const above = path.dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === folder) throw error;
    await makeFolder(above, mode);
    await makeOne(folder, mode);
  }
}

async function makeOne(folder: string, mode?: number): Promise<void> {
  await mkdir(folder, { mode }).catch(async (error: unknown) => {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && (await stat(folder)).isDirectory();
    if (!isThere) throw error;
  });
}
