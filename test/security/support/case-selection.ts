import { sized } from '../../support/exhaustive.js';

// `npm test` sends a part of each large set of cases, and `npm run test:exhaustive` all of it. The part is the same in
// every run, and differs from operation to operation, so that together the operations try most values.

/** Every `step`-th of the values, beginning at `turn`; at least one. In exhaustive mode every `full`-th. */
export function everyNth<T>(values: readonly T[], turn: number, step: number, full = 1): T[] {
  const width = Math.min(sized(step, full), values.length);
  return values.filter((_, index) => index % width === turn % width);
}

/** Chooses one value for each kind and member: of each kind the first, for the next member the second, and so on. */
export class RotatingSample {
  private readonly turns = new Map<string, number>();

  /** In exhaustive mode all values. */
  choose<T>(values: readonly T[], kindOf: (value: T) => string, memberOf: (value: T) => string): T[] {
    const groups = new Map<string, T[]>();
    for (const value of values) {
      const key = `${kindOf(value)} ${memberOf(value)}`;
      groups.set(key, [...(groups.get(key) ?? []), value]);
    }
    return sized(
      [...groups.values()].flatMap((group) => this.next(group, kindOf)),
      [...values],
    );
  }

  private next<T>(group: readonly T[], kindOf: (value: T) => string): T[] {
    const kind = group.map(kindOf)[0] ?? '';
    const turn = this.turns.get(kind) ?? 0;
    this.turns.set(kind, turn + 1);
    return everyNth(group, turn, group.length);
  }
}
