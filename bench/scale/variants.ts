import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type BenchRun } from '../bench-run.js';
import { withClient } from '../database.js';

/** A server of the database whose CPU time is measured. */
interface DatabaseNode {
  readonly name: string;
  /** Process id of the first process; its descendants belong to it. */
  readonly pid: number;
}

/** A running service and the servers that it uses. */
export interface ScaleTarget {
  readonly origin: string;
  readonly pid: number;
  readonly nodes: readonly DatabaseNode[];
  /** URL of the database with the seed data. */
  readonly ownerUrl: string;
}

export interface ScaleVariant {
  readonly name: string;
  /** The services of all variants run at the same time; only one at a time is under load. */
  start(run: BenchRun): Promise<ScaleTarget>;
}

/** The first variant is the one that the others are compared with. */
export const SCALE_VARIANTS: readonly ScaleVariant[] = [
  processes(1, '1 process'),
  processes(2, '2 processes'),
  processes(4, '4 processes'),
];

/** Not pinned: several processes on one core would only share it. */
function processes(count: number, name: string): ScaleVariant {
  return {
    name,
    async start(run) {
      const { ownerUrl } = run.database;
      const environment = { INSTANCES: String(count) };
      const { origin, pid } = await run.startService({ unpinned: true, environment });
      return { origin, pid, ownerUrl, nodes: [{ name: 'PostgreSQL', pid: await postmasterOf(ownerUrl) }] };
    },
  };
}

/** Process id of a PostgreSQL server on this machine. */
async function postmasterOf(ownerUrl: string): Promise<number> {
  const folder = await withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ folder: string }>(
      `SELECT current_setting('data_directory') AS folder`,
    );
    return rows[0]?.folder ?? '';
  });
  const text = await readFile(path.join(folder, 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}
