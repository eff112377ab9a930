import { type BenchArguments, type Mode } from './arguments.js';
import { type BenchRun } from './bench-run.js';
import { compare } from './compare.js';
import { growth } from './growth/growth.js';
import { profile } from './profile.js';
import { measurementTable, table, verdictTable } from './report.js';
import { startTimes } from './start-time.js';
import { verdictsOf } from './targets.js';

/** Results of a mode, already printed. `met` tells whether all targets were met. */
export interface Outcome {
  readonly results: object;
  readonly met: boolean;
}

type Print = (text?: string) => void;

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

export const MODES: Readonly<
  Record<Mode, (run: BenchRun, args: BenchArguments, print: Print) => Promise<Outcome>>
> = {
  async compare(run, args, print) {
    const start = args.only.length > 0 ? null : await startTimes(run, args.quick ? 3 : 7);
    const comparison = await compare(run, args);
    const verdicts = verdictsOf(comparison, start);
    print(measurementTable(comparison.measurements));
    print();
    const memory = Object.entries(comparison.memory);
    print(
      table(
        ['server', 'RSS after the load, MiB', 'RSS maximum, MiB'],
        memory.map(([name, { now, peak }]) => [name, now.toFixed(0), peak.toFixed(0)]),
      ),
    );
    print();
    print(verdictTable(verdicts));
    return { results: { start, ...comparison, verdicts }, met: verdicts.every(({ met }) => met) };
  },

  async growth(run, args, print) {
    const results = await growth(run, args);
    const { sizes, cases } = results;
    print(
      table(
        [
          'request: ms over HTTP (ms in the database)',
          ...sizes.map((size) => size.toLocaleString('en')),
          ...['ratio', 'database ratio', 'limit', 'result'],
        ],
        cases.map(({ name, costs, ratio, databaseRatio, limit, met }) => [
          name,
          ...costs.map(({ http, database }) => `${http.toFixed(1)} (${database.toFixed(1)})`),
          ...[ratio.toFixed(2), databaseRatio.toFixed(2), String(limit), met ? 'met' : 'MISSED'],
        ]),
      ),
    );
    for (const { name, plans } of cases) {
      for (const plan of plans) print(`\n${name}:\n\n${plan}`);
    }
    return { results, met: cases.every(({ met }) => met) };
  },

  async profile(run, args, print) {
    const profiles = await profile(run, args);
    for (const { operation, busy, byPart, byFunction } of profiles) {
      print(`${operation}: ${busy.toFixed(0)} µs of CPU time per request`);
      print();
      print(
        table(
          ['module', 'self time'],
          byPart.slice(0, 16).map(({ name, share }) => [name, percent(share)]),
        ),
      );
      print();
      print(
        table(
          ['function', 'self time'],
          byFunction.map(({ name, share }) => [name, percent(share)]),
        ),
      );
      print();
    }
    return { results: { profiles }, met: true };
  },
};
