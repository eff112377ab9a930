import { withClient } from '../database.js';
import { parentOf } from '../machine.js';

/** Process id of a PostgreSQL server on this machine: the parent process of every connection's process. */
export function postmasterOf(ownerUrl: string): Promise<number> {
  return withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return parentOf(rows[0]?.pid ?? 0);
  });
}
