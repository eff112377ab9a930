import { PgBouncer } from '../../test/support/servers/pgbouncer.js';
import { type BenchRun } from '../bench-run.js';
import { postmasterOf } from './postmaster.js';
import { type ScaleVariant, startVariant } from './scale-variant.js';

/** One for all variants. */
let started: Promise<PgBouncer> | undefined;

export const PGBOUNCER_VARIANTS: readonly ScaleVariant[] = [
  {
    name: '1 process, unnamed statements',
    async start(run) {
      const { origin, pid } = await startVariant(run, { DATABASE_PREPARED: 'false' });
      const nodes = [{ name: 'PostgreSQL', pid: await postmasterOf(run.database.ownerUrl) }];
      return { origin, pid, nodes };
    },
  },
  pgbouncer(1),
  pgbouncer(2),
];

function pgbouncer(processes: number): ScaleVariant {
  return {
    name: `PgBouncer, ${processes} process${processes > 1 ? 'es' : ''}`,
    async start(run) {
      const { ownerUrl } = run.database;
      started ??= start(run);
      const pooler = await started;
      const { origin, pid } = await startVariant(run, {
        INSTANCES: String(processes),
        DATABASE_URL: pooler.through(ownerUrl),
        DATABASE_DIRECT_URL: ownerUrl,
        DATABASE_PREPARED: 'false',
      });
      return {
        origin,
        pid,
        nodes: [
          { name: 'PostgreSQL', pid: await postmasterOf(ownerUrl) },
          { name: 'PgBouncer', pid: pooler.pid },
        ],
      };
    },
  };
}

/** Has half as many connections to the server as a service to it. */
async function start(run: BenchRun): Promise<PgBouncer> {
  const pooler = await PgBouncer.startFor(run.database.ownerUrl, { default_pool_size: '10' });
  run.onClose(() => pooler.stop());
  return pooler;
}
