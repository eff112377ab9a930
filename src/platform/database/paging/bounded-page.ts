/**
 * Maximum size of a page's items, in bytes, regardless of `limit`. The item that exceeds it is the last one of the
 * page.
 */
export const PAGE_BYTES = 1024 * 1024;

/** Added to each row of a {@link boundedPage}. */
export interface BoundedRow {
  /** Whether another row follows, on this page or on the next one. */
  readonly hasMore: boolean;
}

/**
 * A FROM item with the first rows of `rows`, as many as fit into `bytes`, at least one. PostgreSQL computes the end
 * of the page, so neither it nor the service reads more large values than one page has.
 *
 * @param rows SELECT of at most one row more than the limit of the page.
 * @param size Expression for the bytes of a row `r` that does not read large values: a stored size, or octet_length.
 * @param order ORDER BY of the rows `r`.
 */
export function boundedPage(rows: string, size: string, order: string, bytes = PAGE_BYTES): string {
  return `(SELECT * FROM (
      SELECT r.*, coalesce(sum(${size}) OVER page, 0) AS bytes_before, lead(true, 1, false) OVER page AS "hasMore"
        FROM (${rows}) r
      WINDOW page AS (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) sized
     WHERE sized.bytes_before < ${bytes})`;
}
