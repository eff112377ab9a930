/** Response body of every cursor-paged list. */
export interface Page<T> {
  items: T[];
  /** Null on the last page. */
  nextCursor: string | null;
}

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** @param limit query parameter: validated decimal digits, or undefined */
export function limitOf({ limit }: { readonly limit?: string }): number {
  return limit === undefined ? DEFAULT_LIMIT : Number(limit);
}
