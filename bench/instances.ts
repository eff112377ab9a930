import { type BenchArguments } from './arguments.js';
import { type BenchRun } from './bench-run.js';
import { CONNECTIONS } from './compare.js';
import { runLoad } from './load.js';
import { type Operation, operations } from './operations.js';
import { SEED_SLUGS } from './seed/seed.js';
import { seedUserId, roleId } from './seed/tenants.js';
import { type ServerProcess } from './server-process.js';
import { type Spread, spread } from './statistics.js';

export interface InstanceResults {
  readonly throughput: readonly {
    readonly operation: string;
    readonly one: Spread;
    readonly two: Spread;
    readonly ratio: Spread;
  }[];
  /** Rights changed on one instance, and checked with the next request to the other instance. */
  readonly roleChanges: { readonly rounds: number; readonly refused: number; readonly granted: number };
}

const MEASURED = ['ListFiles', 'GetFile', 'CreateFile'];

/**
 * Compares the throughput of two processes on one database with that of one process. Checks that changed rights
 * apply in both at once.
 */
export async function instances(
  run: BenchRun,
  { rounds, seconds }: BenchArguments,
): Promise<InstanceResults> {
  // Not pinned: two processes on one core would only share it.
  const first = await run.startService({ unpinned: true });
  const second = await run.startService({ unpinned: true });
  const throughput: InstanceResults['throughput'][number][] = [];
  const selected = (await operations(run.database.ownerUrl)).filter(({ name }) => MEASURED.includes(name));
  for (const operation of selected) {
    const one: number[] = [];
    const two: number[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const alone = await rate(run, [first], operation, seconds);
      const together = await rate(run, [first, second], operation, seconds);
      if (round < 0) continue;
      one.push(alone);
      two.push(together);
    }
    const ratio = spread(two.map((value, round) => value / (one[round] ?? Number.NaN)));
    throughput.push({ operation: operation.name, one: spread(one), two: spread(two), ratio });
    run.log(
      `${operation.name}: ${Math.round(spread(one).median)}/s alone, ${Math.round(spread(two).median)}/s together`,
    );
  }
  return { throughput, roleChanges: await measureRoleChanges(run, first, second, rounds * 5) };
}

async function rate(
  run: BenchRun,
  servers: readonly ServerProcess[],
  { next, status }: Operation,
  seconds: number,
): Promise<number> {
  const results = await Promise.all(
    servers.map(({ origin }) =>
      runLoad({
        ...{ origin, headers: run.headers(), seconds, next, status },
        connections: CONNECTIONS / servers.length,
      }),
    ),
  );
  return results.reduce((sum, { perSecond }) => sum + perSecond, 0);
}

/** Changes a clerk to the role Auditor, which cannot see files, and back to Administrator, alternating the instances. */
async function measureRoleChanges(
  run: BenchRun,
  first: ServerProcess,
  second: ServerProcess,
  rounds: number,
): Promise<InstanceResults['roleChanges']> {
  const slug = SEED_SLUGS[1] ?? '';
  const clerk = run.headers(await run.tokenOf('clerk-1'));
  const statusFrom = async ({ origin }: ServerProcess) => {
    const response = await fetch(`${origin}/api/v1/t/${slug}/files?limit=1`, { headers: clerk });
    await response.arrayBuffer();
    return response.status;
  };
  const assign = async ({ origin }: ServerProcess, role: string) => {
    const response = await fetch(`${origin}/api/v1/t/${slug}/members/${seedUserId('clerk-1')}`, {
      method: 'PUT',
      headers: { ...run.headers(), 'content-type': 'application/json' },
      body: JSON.stringify({ roleId: roleId(slug, role) }),
    });
    if (!response.ok) throw new Error(`UpdateMember: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  let refused = 0;
  let granted = 0;
  for (let round = 0; round < rounds; round += 1) {
    const [here, there] = round % 2 === 0 ? [first, second] : [second, first];
    // The other instance has cached the right by this request.
    if ((await statusFrom(there)) !== 200) throw new Error('The clerk cannot see files');
    await assign(here, 'auditor');
    if ((await statusFrom(there)) === 403) refused += 1;
    await assign(here, 'administrator');
    if ((await statusFrom(there)) === 200) granted += 1;
  }
  run.log(
    `${refused} of ${rounds} rights revoked on one instance were rejected by the other at the next request`,
  );
  return { rounds, refused, granted };
}
