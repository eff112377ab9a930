/** A number that an Office program wrote about its document; null where it is none to believe. */
export function countIn(text: string, pattern: RegExp): number | null {
  const count = Number(pattern.exec(text)?.[1] ?? NaN);
  return Number.isInteger(count) && count > 0 && count <= 1_000_000 ? count : null;
}
