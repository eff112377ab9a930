import { v7 } from 'uuid';

/** The nil UUID (RFC 9562, 5.9): well-formed, and nothing has it. Looking it up takes as long as anything. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** A new UUIDv7: ids made later sort later, which keeps index pages together. */
export function newId(): string {
  return v7();
}
