import { isIPv4 } from 'node:net';
import { domainToASCII } from 'node:url';
import { hasControlCharacters, isWellFormed, normalizeText } from './text.js';

/** RFC 5321, 4.5.3.1: 254 is what fits between the brackets of a path. */
const MAX_LENGTH = 254;

/** Deliberately loose: whether mail arrives is the only real test. No quoted local parts, no address literals. */
const ADDRESS = /^[^\s@"(),:;<>[\\\]]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*)(?:\.[\p{L}\p{M}\p{N}-]+)*$/u;

/** Characters that NFC replaces with an ASCII character, the Kelvin sign with `K`: the result names another mailbox. */
const NORMALIZED_TO_ASCII = /[\u037e\u1fef\u212a]/;

const ASCII_DOMAIN = /^[a-z0-9.-]+$/;

/**
 * The address in NFC and trimmed, or null for a value that is not an address. A domain without an ASCII form can
 * receive no mail, so it makes the value invalid. Compare addresses by {@link emailKey}.
 */
export function parseEmailAddress(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 4 * MAX_LENGTH || !isWellFormed(value)) return null;
  if (NORMALIZED_TO_ASCII.test(value)) return null;
  const address = normalizeText(value);
  if (address.length > MAX_LENGTH || hasControlCharacters(address)) return null;
  return ADDRESS.test(address) && asciiDomain(parts(address).domain) !== null ? address : null;
}

/**
 * Two addresses are the same exactly when their keys are equal. The local part is compared by ASCII lower case: which
 * other letters are the same is for its mail server to decide. The domain is compared by its ASCII form (UTS 46,
 * non-transitional: `großbank.de` is `xn--grobank-2va.de`, not `grossbank.de`). Case folding would join both to the
 * addresses of other people.
 */
export function emailKey(address: string): string {
  const { local, domain } = parts(address);
  // A row of an earlier release may have a domain without an ASCII form. Its key is equal to the key of no valid address.
  return `${local.replace(/[A-Z]/g, (letter) => letter.toLowerCase())}@${asciiDomain(domain) ?? domain}`;
}

function parts(address: string): { local: string; domain: string } {
  const at = address.lastIndexOf('@');
  return { local: address.slice(0, at), domain: address.slice(at + 1) };
}

/**
 * Null where there is no ASCII form of letters, digits and hyphens (Node makes `(1)` of `⑴`). Node reads `127.1` as an
 * IPv4 address, as URLs have them; it is no domain. Unicode mapped the capital `ẞ` to `ss` before version 15.1 and to
 * `ß` since: without the replacement the answer would depend on Node's version.
 */
function asciiDomain(domain: string): string | null {
  const ascii = domainToASCII(domain.replaceAll('ẞ', 'ß'));
  return ASCII_DOMAIN.test(ascii) && !isIPv4(ascii) ? ascii : null;
}
