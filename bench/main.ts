import { HELP, readBenchArguments } from './arguments.js';
import { attack } from './attacks/run.js';
import { compare } from './compare.js';
import { documentation } from './documentation.js';
import { BenchEnvironment } from './environment.js';
import { exportPackage } from './exports.js';
import { growth } from './growth/growth.js';
import { describeMachine, findCores } from './machine.js';
import { memory } from './memory.js';
import { profile } from './profile.js';
import { print, writeResults } from './report.js';
import { seed } from './seed/seed.js';

const MODES = { compare, growth, profile, memory, exports: exportPackage, attacks: attack, documentation };
/** Modes with the seeded tenants, and with one core for the server. */
const SEEDED: readonly string[] = ['compare', 'growth', 'profile'];

async function main(): Promise<boolean> {
  const args = readBenchArguments(process.argv.slice(2));
  if (!args) {
    print(HELP);
    return true;
  }
  const { mode, quick, rounds, seconds } = args;
  const isSeeded = SEEDED.includes(mode);
  const pinning = isSeeded ? findCores() : null;
  const machine = { ...describeMachine(), pinning };
  const bench = await BenchEnvironment.open(pinning, isSeeded ? args.data : undefined);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void bench.close().finally(() => process.exit(1)));
  try {
    if (isSeeded) await seed(bench.database.ownerUrl, bench.issuer.url);
    const { results, met } = await MODES[mode](bench, args);
    const { version } = bench.database;
    const run = { at: new Date().toISOString(), machine, postgres: version, mode, quick, rounds, seconds };
    const file = await writeResults(args.json, { ...run, results });
    const { processor, cores, system, node, loadBefore } = machine;
    print(`${processor}, ${cores} cores; ${system}; Node ${node}; PostgreSQL ${version}`);
    print(`Load average before the run: ${loadBefore}. Results: ${file}`);
    return met || !args.check;
  } finally {
    await bench.close();
  }
}

// Attacks leave connections open.
process.exit((await main()) ? 0 : 1);
