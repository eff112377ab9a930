/** The envelope of every cursor-paged list. */
export interface Page<T> {
  items: T[];
  /** Null when there is no further page. */
  nextCursor: string | null;
}

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** @param limit as a query has it: decimal digits that have been checked, or nothing */
export function limitOf({ limit }: { readonly limit?: string }): number {
  return limit === undefined ? DEFAULT_LIMIT : Number(limit);
}
