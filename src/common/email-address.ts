import { hasControlCharacters, isWellFormed, normalizeText } from './text.js';

/** RFC 5321, 4.5.3.1: 254 is what fits between the brackets of a path. */
const MAX_LENGTH = 254;

/** Deliberately loose: whether mail arrives is the only real test. No quoted local parts, no address literals. */
const ADDRESS = /^[^\s@"(),:;<>[\\\]]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*)(?:\.[\p{L}\p{M}\p{N}-]+)*$/u;

/** The address in NFC and trimmed, or null for anything that does not look like one. Compare by `caseFold`. */
export function parseEmailAddress(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 4 * MAX_LENGTH || !isWellFormed(value)) return null;
  const address = normalizeText(value);
  if (address.length > MAX_LENGTH || hasControlCharacters(address)) return null;
  return ADDRESS.test(address) ? address : null;
}
