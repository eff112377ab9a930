import { type BenchRun } from './bench-run.js';
import { type Spread, spread } from './statistics.js';

const PROBE_EVERY_MS = 5;

export interface StartTimes {
  /** Milliseconds from the start of the process to the first 200 to an authenticated request. */
  readonly service: Spread;
  /** The same for a Nest application with one route and a database connection. */
  readonly nest: Spread;
  readonly ratio: Spread;
}

/** Measures the start with an existing database, alternating with a minimal Nest application. */
export async function startTimes(run: BenchRun, rounds: number): Promise<StartTimes> {
  const service: number[] = [];
  const nest: number[] = [];
  // Round -1 is not counted: it loads the programs from the disk.
  for (let round = -1; round < rounds; round += 1) {
    for (const [times, start] of [
      [service, () => run.startService({ probeEvery: PROBE_EVERY_MS })],
      [nest, () => run.startPeer('nest', [], PROBE_EVERY_MS)],
    ] as const) {
      const server = await start();
      if (round >= 0) times.push(server.startMs);
      await server.stop();
    }
  }
  const ratio = spread(service.map((time, round) => time / (nest[round] ?? Number.NaN)));
  run.log(
    `start: service ${Math.round(spread(service).median)} ms, Nest ${Math.round(spread(nest).median)} ms`,
  );
  return { service: spread(service), nest: spread(nest), ratio };
}
