import { chmod, mkdtemp, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { canEnter, postgresAccount } from '../../../../src/platform/database/embedded/postgres-account.js';

/**
 * A new temporary folder that the PostgreSQL user can enter. As root that is another user, to whom TMPDIR may be closed
 * (one below /root).
 */
export async function postgresFolder(prefix: string): Promise<string> {
  const account = await postgresAccount('', () => undefined);
  const parent = (await canEnter(os.tmpdir(), account)) ? os.tmpdir() : '/tmp';
  const folder = await realpath(await mkdtemp(path.join(parent, prefix)));
  await chmod(folder, 0o755);
  return folder;
}
