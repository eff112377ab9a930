import { HELP, readBenchArguments } from './arguments.js';
import { BenchRun } from './bench-run.js';
import { describeMachine } from './machine.js';
import { MODES } from './modes.js';
import { writeResults } from './report.js';

const print = (text = '') => void process.stdout.write(`${text}\n`);
const log = (line: string) => void process.stderr.write(`${line}\n`);

async function main(): Promise<boolean> {
  const args = readBenchArguments(process.argv.slice(2));
  if (!args) {
    print(HELP);
    return true;
  }
  const run = await BenchRun.open(args, log);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void run.close().finally(() => process.exit(1)));
  try {
    const machine = describeMachine(run.cores);
    const { results, met } = await MODES[args.mode](run, args, print);
    const { mode, quick, rounds, seconds } = args;
    const postgres = run.database.version;
    const at = new Date().toISOString();
    const file = await writeResults(args.json, {
      at,
      machine,
      postgres,
      mode,
      quick,
      rounds,
      seconds,
      results,
    });
    const { processor, cores, system, node, loadBefore } = machine;
    print();
    print(`${processor}, ${cores} cores; ${system}; Node ${node}; PostgreSQL ${postgres}`);
    print(`Load average before the run: ${loadBefore}. Results: ${file}`);
    return met || !args.check;
  } finally {
    await run.close();
  }
}

process.exitCode = (await main()) ? 0 : 1;
