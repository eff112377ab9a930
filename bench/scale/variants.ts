import { withClient } from '../database.js';
import { parentOf } from '../machine.js';
import { CITUS_VARIANTS } from './citus.js';
import { type ScaleVariant, startVariant } from './scale-variant.js';

/** The first variant is the one that the others are compared with. */
export const SCALE_VARIANTS: readonly ScaleVariant[] = [
  processes(1, '1 process'),
  processes(2, '2 processes'),
  processes(4, '4 processes'),
  ...CITUS_VARIANTS,
];

function processes(count: number, name: string): ScaleVariant {
  return {
    name,
    async start(run) {
      const { origin, pid } = await startVariant(run, { INSTANCES: String(count) });
      return { origin, pid, nodes: [{ name: 'PostgreSQL', pid: await postmasterOf(run.database.ownerUrl) }] };
    },
  };
}

/** Process id of a PostgreSQL server on this machine: the parent process of every connection's process. */
function postmasterOf(ownerUrl: string): Promise<number> {
  return withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return parentOf(rows[0]?.pid ?? 0);
  });
}
