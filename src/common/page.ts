/** Response body of every cursor-paged list. */
export interface Page<T> {
  items: T[];
  /** Null on the last page. */
  nextCursor: string | null;
}

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

export function limitOf({ limit = DEFAULT_LIMIT }: { readonly limit?: number }): number {
  return limit;
}
