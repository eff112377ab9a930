import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchArguments, isSelected } from '../arguments.js';
import { type BenchRun } from '../bench-run.js';
import { CONNECTIONS } from '../compare.js';
import { runLoad } from '../load.js';
import { processorTimeOfTree } from '../machine.js';
import { table } from '../report.js';
import { type Spread, median, spread } from '../statistics.js';
import { spreadText } from '../targets.js';
import { type ScaleLoad, manyTenantsLoads } from './many-tenants.js';
import { type ScaleTarget } from './scale-variant.js';
import { SCALE_VARIANTS } from './variants.js';

const SETTLE_SECONDS = 0.5;
const SETTLE_LIMIT_SECONDS = 20;
/** Share of one core that all variants together use without requests. */
const IDLE = 0.3;

export interface ScaleResult {
  readonly operation: string;
  readonly variant: string;
  readonly perSecond: Spread;
  /** To the first variant, in the same round. */
  readonly ratio: Spread;
  /** CPU time per request of the service with all its processes, in µs. */
  readonly service: number;
  /** CPU time per request of each server of the database, in µs. */
  readonly nodes: readonly { readonly name: string; readonly processor: number }[];
}

interface Round {
  readonly perSecond: number;
  readonly service: number;
  readonly nodes: readonly number[];
}

/** Measures all variants in alternating rounds, so that other load of the machine affects all alike. */
export async function scale(
  run: BenchRun,
  { rounds, seconds, only, variants }: BenchArguments,
): Promise<ScaleResult[]> {
  const [base, ...others] = SCALE_VARIANTS;
  const targets: { name: string; target: ScaleTarget }[] = [];
  for (const variant of [base, ...others.filter(({ name }) => isSelected(name, variants))]) {
    try {
      if (variant) targets.push({ name: variant.name, target: await variant.start(run) });
    } catch (error) {
      // Programs of this variant may be missing on this machine.
      if (variant === base) throw error;
      run.log(`${variant?.name}: left out. ${String(error)}`);
    }
  }
  const results: ScaleResult[] = [];
  const loads = Object.entries(manyTenantsLoads(run.manyTenants));
  for (const [operation, load] of loads.filter(([name]) => isSelected(name, only))) {
    const measured = new Map<string, Round[]>(targets.map(({ name }) => [name, []]));
    // The first round warms up.
    for (let round = -1; round < rounds; round += 1) {
      for (const { name, target } of targets) {
        await settle(targets.map((one) => one.target));
        const figures = await measure(run, target, load, seconds);
        if (round >= 0) measured.get(name)?.push(figures);
      }
    }
    const reference = measured.get(targets[0]?.name ?? '') ?? [];
    for (const { name, target } of targets) {
      const figures = measured.get(name) ?? [];
      results.push({
        operation,
        variant: name,
        perSecond: spread(figures.map(({ perSecond }) => perSecond)),
        ratio: spread(
          figures.map(({ perSecond }, round) => perSecond / (reference[round]?.perSecond ?? Number.NaN)),
        ),
        service: median(figures.map(({ service }) => service)),
        nodes: target.nodes.map((node, index) => ({
          name: node.name,
          processor: median(figures.map(({ nodes }) => nodes[index] ?? Number.NaN)),
        })),
      });
    }
    run.log(`${operation}: measured`);
  }
  return results;
}

/** Waits until no variant works any more: after writes, events get their sequences, and PostgreSQL vacuums. */
async function settle(targets: readonly ScaleTarget[]): Promise<void> {
  const pids = new Set(targets.flatMap(({ pid, nodes }) => [pid, ...nodes.map((node) => node.pid)]));
  const used = () => [...pids].reduce((sum, pid) => sum + processorTimeOfTree(pid), 0);
  for (let waited = 0; waited < SETTLE_LIMIT_SECONDS; waited += SETTLE_SECONDS) {
    const before = used();
    await sleep(SETTLE_SECONDS * 1000);
    if ((used() - before) / SETTLE_SECONDS < IDLE) return;
  }
}

async function measure(
  run: BenchRun,
  { origin, pid, nodes }: ScaleTarget,
  { next, status }: ScaleLoad,
  seconds: number,
): Promise<Round> {
  const times = () => [pid, ...nodes.map((node) => node.pid)].map(processorTimeOfTree);
  const before = times();
  const { perSecond, answers } = await runLoad({
    ...{ origin, headers: run.headers(), seconds, next, status },
    connections: CONNECTIONS,
  });
  const [service = Number.NaN, ...others] = times().map(
    (time, index) => ((time - (before[index] ?? Number.NaN)) / answers) * 1e6,
  );
  return { perSecond, service, nodes: others };
}

export function scaleTable(results: readonly ScaleResult[]): string {
  return table(
    ['operation', 'variant', 'requests/s', 'ratio', 'service, CPU µs/request', 'database, CPU µs/request'],
    results.map(({ operation, variant, perSecond, ratio, service, nodes }) => [
      ...[operation, variant, spreadText(perSecond, 0), spreadText(ratio), service.toFixed(0)],
      nodes.map(({ name, processor }) => `${name} ${processor.toFixed(0)}`).join(', '),
    ]),
  );
}
