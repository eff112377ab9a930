/**
 * The URL that a text is, or null. Not `URL.canParse`: once it is called often, Node 20 refuses every text with a letter
 * beyond ASCII (its fast path takes Latin-1 for UTF-8).
 */
export function readUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
