import { spreadText } from './report.js';
import { type Spread } from './statistics.js';

const MAX_MEMORY_MIB = 220;
const MAX_START_SECONDS = 1.5;

export interface Measurement {
  readonly operation: string;
  /** Targets of the operation for the ratios of the service. */
  readonly minRatio: number;
  readonly maxP99Ratio: number;
  readonly target: string;
  readonly perSecond: Spread;
  /** Ratio of requests per second to the bare server in the same round. */
  readonly ratio: Spread;
  readonly p50: number;
  readonly p99: number;
  readonly p99Ratio: Spread;
  /** CPU time of the server per request, in microseconds. */
  readonly processor: number;
  /** Maximum resident memory after a round, in MiB. */
  readonly memory: number;
}

interface Verdict {
  readonly name: string;
  readonly target: string;
  readonly measured: string;
  readonly met: boolean;
}

/**
 * @param memory maximum resident memory of the service, in MiB
 * @param start start times of the service in milliseconds; null when they were not measured
 */
export function verdictsOf(
  measurements: readonly Measurement[],
  memory: number,
  start: Spread | null,
): Verdict[] {
  const ofService = measurements.filter(({ target }) => target === 'service');
  const atMost = (name: string, max: number, value: number, measured = value.toFixed(2)): Verdict => ({
    ...{ name, target: `≤ ${max}`, measured, met: value <= max },
  });
  const verdicts = [
    ...ofService.map(({ operation, minRatio, ratio }) => ({
      name: `${operation}, requests/s relative to bare`,
      target: `≥ ${minRatio}`,
      measured: spreadText(ratio),
      met: ratio.median >= minRatio,
    })),
    ...ofService.map(({ operation, maxP99Ratio, p99Ratio }) =>
      atMost(`${operation}, p99 relative to bare`, maxP99Ratio, p99Ratio.median, spreadText(p99Ratio)),
    ),
    atMost('maximum memory under load, MiB', MAX_MEMORY_MIB, memory, memory.toFixed(0)),
  ];
  if (start) verdicts.push(atMost('start until the first 200, s', MAX_START_SECONDS, start.median / 1000));
  return verdicts;
}
