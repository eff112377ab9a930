import { getRandomValues } from 'node:crypto';
import { v7 } from 'uuid';

/** The nil UUID (RFC 9562, 5.9): well-formed, and nothing has it. Looking it up takes as long as anything. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** Asking the system for random bytes costs more than all else about an id, so many are asked for at once. */
const ID_BYTES = 16;
const pool = new Uint8Array(256 * ID_BYTES);
let used = pool.length;

let lastMilliseconds = 0;
let sequence = 0;

/**
 * A new UUIDv7: ids made later sort later, which keeps index pages together; also those of the same millisecond, by a
 * counter that begins somewhere at random (RFC 9562, 6.2, method 1).
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
