import { v7 } from 'uuid';

/** A new UUIDv7: ids made later sort later, which keeps index pages together. */
export function newId(): string {
  return v7();
}
