import { sized } from '../../support/exhaustive.js';

// `npm test` runs a sample of each large set of cases; `npm run test:exhaustive` runs the whole set. The sample is the
// same in every run. It differs between operations, so that the operations together cover most values.

/** Every `step`-th value, starting at `offset`; at least one. In exhaustive mode every `exhaustiveStep`-th value. */
export function everyNth<T>(values: readonly T[], offset: number, step: number, exhaustiveStep = 1): T[] {
  const width = Math.min(sized(step, exhaustiveStep), values.length);
  return values.filter((_, index) => index % width === offset % width);
}

/**
 * Chooses one value for each pair of kind and member. For the first member of a kind it takes the first value, for the
 * next member the second value, and so on.
 */
export class RotatingSample {
  private readonly turns = new Map<string, number>();

  /** Returns all values in exhaustive mode. */
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
    const offset = this.turns.get(kind) ?? 0;
    this.turns.set(kind, offset + 1);
    return everyNth(group, offset, group.length);
  }
}

/** Operations that read a document and write an audit entry, or store a picture. */
export const RECORDED_READS: ReadonlySet<string> = new Set([
  'GetDocumentContent',
  'GetDocumentVersionContent',
  'GetDocumentText',
  'GetDocumentPreview',
  'GetExportContent',
]);

/** Whether a caller can have only a few of these requests in progress. */
export function isLimitedPerCaller(operation: string): boolean {
  return operation.startsWith('Stream') || operation === 'ExportAuditLog';
}
