/**
 * Parses a URL; null if it is invalid. Not with `URL.canParse`: after many calls, Node 20 rejects every text with a
 * non-ASCII letter, because its optimized version reads Latin-1 as UTF-8.
 */
export function readUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
