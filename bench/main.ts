import { HELP, type BenchArguments, readBenchArguments } from './arguments.js';
import { BenchRun } from './bench-run.js';
import { compare } from './compare.js';
import { describeMachine } from './machine.js';
import { measurementTable, table, verdictTable, writeResults } from './report.js';
import { startTimes } from './start-time.js';
import { verdictsOf } from './targets.js';

const print = (text = '') => process.stdout.write(`${text}\n`);
const log = (line: string) => process.stderr.write(`${line}\n`);

async function runComparison(
  run: BenchRun,
  args: BenchArguments,
): Promise<{ results: object; met: boolean }> {
  const start = args.only.length > 0 ? null : await startTimes(run, args.quick ? 3 : 7);
  const comparison = await compare(run, args);
  const verdicts = verdictsOf(comparison, start);
  print(measurementTable(comparison.measurements));
  print();
  const memory = Object.entries(comparison.memory);
  print(
    table(
      ['server', 'RSS after, MiB', 'RSS at most, MiB'],
      memory.map(([name, { now, peak }]) => [name, now.toFixed(0), peak.toFixed(0)]),
    ),
  );
  print();
  print(verdictTable(verdicts));
  return { results: { start, ...comparison, verdicts }, met: verdicts.every(({ met }) => met) };
}

async function main(): Promise<boolean> {
  const args = readBenchArguments(process.argv.slice(2));
  if (!args) {
    print(HELP);
    return true;
  }
  const run = await BenchRun.open(args, log);
  try {
    const machine = describeMachine(run.cores);
    const { results, met } = await runComparison(run, args);
    const about = { mode: args.mode, quick: args.quick, rounds: args.rounds, seconds: args.seconds };
    const file = await writeResults(args.json, {
      ...{ at: new Date().toISOString(), machine, postgres: run.database.version, ...about },
      results,
    });
    print();
    print(
      `${machine.processor}, ${machine.cores} cores; ${machine.system}; Node ${machine.node}; PostgreSQL ${run.database.version}`,
    );
    print(`load average before: ${machine.loadBefore}; results: ${file}`);
    return met || !args.check;
  } finally {
    await run.close();
  }
}

process.exitCode = (await main()) ? 0 : 1;
