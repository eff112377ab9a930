import { getRandomValues } from 'node:crypto';
import { v7 } from 'uuid';

/**
 * The nil UUID (RFC 9562, 5.9). No row has this id, so a lookup finds nothing and takes the same time as any other.
 */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';
/** The max UUID (RFC 9562, 5.10): greater than the id of any row. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Random bytes are fetched for 256 ids at once, because each system call costs more than the rest of an id. */
const ID_BYTES = 16;
const pool = new Uint8Array(256 * ID_BYTES);
let used = pool.length;

let lastMilliseconds = 0;
let sequence = 0;

/**
 * Returns a new UUIDv7. Later ids sort after earlier ones, which keeps new index entries on few pages. Within a
 * millisecond, a counter with a random start keeps the order (RFC 9562, 6.2, method 1).
 */
export function newId(): string {
  if (used === pool.length) {
    getRandomValues(pool);
    used = 0;
  }
  const random = pool.subarray(used, (used += ID_BYTES));
  const now = Date.now();
  if (now > lastMilliseconds) {
    lastMilliseconds = now;
    sequence =
      (((random[6] ?? 0) & 0x7f) << 24) |
      ((random[7] ?? 0) << 16) |
      ((random[8] ?? 0) << 8) |
      (random[9] ?? 0);
  } else if ((sequence = (sequence + 1) | 0) === 0) {
    lastMilliseconds += 1;
  }
  return v7({ random, msecs: lastMilliseconds, seq: sequence });
}
