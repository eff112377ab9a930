/** Bytes of items after which a page ends, whatever its limit: the item that exceeds them is its last one. */
const PAGE_BYTES = 1024 * 1024;

/** Of a row of a {@link boundedPage}. */
export interface BoundedRow {
  /** Whether another row follows, on this page or the next one. */
  readonly hasMore: boolean;
}

/**
 * A FROM item with the first rows of `rows`, as many as have room on a page, at least one. PostgreSQL ends the page, so
 * that no more than a page is read, neither from the table nor by the service.
 *
 * @param rows a SELECT of at most one row more than the limit of the page
 * @param size bytes of a row `r`, found without reading large values: a stored size, or octet_length of a text
 * @param order of the rows `r`
 */
export function boundedPage(rows: string, size: string, order: string, bytes = PAGE_BYTES): string {
  return `(SELECT * FROM (
      SELECT r.*, coalesce(sum(${size}) OVER page, 0) AS bytes_before, lead(true, 1, false) OVER page AS "hasMore"
        FROM (${rows}) r
      WINDOW page AS (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) sized
     WHERE sized.bytes_before < ${bytes})`;
}
