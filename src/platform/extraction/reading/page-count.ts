/** A number of pages that a file claims to have; null where nobody can mean it. */
export function plausiblePageCount(count: number): number | null {
  return Number.isInteger(count) && count > 0 && count <= 1_000_000 ? count : null;
}

/** A number that an Office program wrote about its document. */
export function matchPageCount(text: string, pattern: RegExp): number | null {
  return plausiblePageCount(Number(pattern.exec(text)?.[1] ?? NaN));
}
