import { CITUS_VARIANTS } from './citus.js';
import { PGBOUNCER_VARIANTS } from './pgbouncer.js';
import { postmasterOf } from './postmaster.js';
import { type ScaleVariant, startVariant } from './scale-variant.js';

/** The first variant is the one that the others are compared with. */
export const SCALE_VARIANTS: readonly ScaleVariant[] = [
  processes(1, '1 process'),
  processes(2, '2 processes'),
  processes(4, '4 processes'),
  ...PGBOUNCER_VARIANTS,
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
