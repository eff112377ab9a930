import { type Comparison, type TargetName } from './compare.js';
import { type OperationName } from './operations.js';
import { type StartTimes } from './start-time.js';
import { type Spread } from './statistics.js';

export interface Verdict {
  readonly name: string;
  readonly target: string;
  readonly measured: string;
  readonly met: boolean;
}

const MEMORY_MIB = 250;
const START_MS = 2000;
const START_RATIO = 2.5;
const P99_RATIO = 2.5;

const MIN_RATIOS: readonly (readonly [OperationName, number])[] = [
  ['ListFiles', 0.85],
  ['GetFile', 0.35],
  ['CreateFile', 0.33],
  ['CreateFile (synchronous_commit off)', 0.33],
  ['ListFileDocuments', 0.8],
  ['SearchDocuments', 0.8],
];
const MIN_RATIO_TO_TEXT = 0.5;

export function verdictsOf(
  { measurements, ratioToBareText, memory }: Comparison,
  start: StartTimes | null,
): Verdict[] {
  const of = (operation: OperationName, target: TargetName) =>
    measurements.find((one) => one.operation === operation && one.target === target);
  const verdicts: Verdict[] = [];
  for (const [operation, min] of MIN_RATIOS) {
    const measured = of(operation, 'service');
    if (measured) verdicts.push(atLeast(`${operation}, requests/s relative to bare`, min, measured.ratio));
  }
  if (ratioToBareText) {
    verdicts.push(
      atLeast(
        `ListFiles, requests/s relative to bare with timestamps as text`,
        MIN_RATIO_TO_TEXT,
        ratioToBareText,
      ),
    );
  }
  for (const [operation] of MIN_RATIOS) {
    const measured = of(operation, 'service');
    if (measured) verdicts.push(atMost(`${operation}, p99 relative to bare`, P99_RATIO, measured.p99Ratio));
  }
  const { now = Number.NaN, peak = Number.NaN } = memory.service ?? {};
  verdicts.push({
    name: 'memory under load',
    target: `≤ ${MEMORY_MIB} MiB`,
    measured: `maximum ${Math.round(peak)} MiB, afterwards ${Math.round(now)} MiB`,
    met: peak <= MEMORY_MIB,
  });
  if (start) {
    const { service, ratio } = start;
    verdicts.push({
      name: 'start time until the first 200',
      target: `≤ ${START_MS / 1000} s, or ≤ ${START_RATIO} × the minimal Nest application`,
      measured: `${(service.median / 1000).toFixed(2)} s, ${spreadText(ratio)} ×`,
      met: service.median <= START_MS || ratio.median <= START_RATIO,
    });
  }
  return verdicts;
}

function atLeast(name: string, min: number, ratio: Spread): Verdict {
  return { name, target: `≥ ${min.toFixed(2)}`, measured: spreadText(ratio), met: ratio.median >= min };
}

function atMost(name: string, max: number, ratio: Spread): Verdict {
  return { name, target: `≤ ${max.toFixed(2)}`, measured: spreadText(ratio), met: ratio.median <= max };
}

export function spreadText({ median, min, max }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}
