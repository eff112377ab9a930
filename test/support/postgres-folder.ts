import { chmod, mkdtemp, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { canEnter, postgresAccount } from '../../src/platform/database/embedded/postgres-account.js';

/**
 * Creates a temporary folder that PostgreSQL's user can enter. Under root that is another user, which may have no
 * access to TMPDIR (for example below /root).
 */
export async function postgresFolder(prefix: string): Promise<string> {
  const account = await postgresAccount('', () => undefined);
  const parent = (await canEnter(os.tmpdir(), account)) ? os.tmpdir() : '/tmp';
  const folder = await realpath(await mkdtemp(path.join(parent, prefix)));
  await chmod(folder, 0o755);
  return folder;
}
