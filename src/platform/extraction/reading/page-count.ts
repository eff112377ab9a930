export function plausiblePageCount(count: number): number | null {
  return Number.isInteger(count) && count > 0 && count <= 1_000_000 ? count : null;
}

/** The page count in the first group of `pattern`; null if it does not match or is implausible. */
export function matchPageCount(text: string, pattern: RegExp): number | null {
  return plausiblePageCount(Number(pattern.exec(text)?.[1] ?? NaN));
}
