import { isIPv4 } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { hasControlCharacters, normalizeText } from './text.js';

/** Domain of the people of the demo tenant. Mail cannot reach it: `.example` is reserved (RFC 2606). */
export const DEMO_DOMAIN = 'demo.example';

/** RFC 5321, 4.5.3.1: a path has at most 256 characters, including its angle brackets. */
const MAX_LENGTH = 254;

/** Permissive, because only delivery can prove an address. Excludes quoted local parts and address literals. */
const ADDRESS = /^[^\s@"(),:;<>[\\\]]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*)(?:\.[\p{L}\p{M}\p{N}-]+)*$/u;

/** Characters that NFC replaces with ASCII, such as the Kelvin sign with `K`. The result would be another mailbox. */
const NORMALIZED_TO_ASCII = /[\u037e\u1fef\u212a]/;

/** A label that is not Punycode stays as it is in the Unicode form. Only some versions of Node reject it in the ASCII form. */
const UNDECODED_LABEL = /(?:^|\.)xn--/;

const ASCII_DOMAIN = /^[a-z0-9.-]+$/;

/**
 * Returns the address in NFC and trimmed, or null for an invalid one. A domain without an ASCII form is invalid,
 * because it cannot receive mail. Compare addresses by {@link emailKey}.
 */
export function parseEmailAddress(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 4 * MAX_LENGTH || !value.isWellFormed()) return null;
  if (NORMALIZED_TO_ASCII.test(value)) return null;
  const address = normalizeText(value);
  if (address.length > MAX_LENGTH || hasControlCharacters(address)) return null;
  return ADDRESS.test(address) && asciiDomain(parts(address).domain) !== null ? address : null;
}

/**
 * Returns the comparison key: two addresses are equal exactly if their keys are. The local part is compared in ASCII
 * lower case; only its mail server knows which other letters are equal. The domain is compared in its ASCII form (UTS
 * 46, non-transitional: `großbank.de` is `xn--grobank-2va.de`, not `grossbank.de`). Unicode case folding would equate
 * addresses of different people.
 */
export function emailKey(address: string): string {
  const { local, domain } = parts(address);
  // Rows of an earlier release can have a domain without an ASCII form. Their key equals no key of a valid address.
  return `${local.replace(/[A-Z]/g, (letter) => letter.toLowerCase())}@${asciiDomain(domain) ?? domain}`;
}

function parts(address: string): { local: string; domain: string } {
  const at = address.lastIndexOf('@');
  return { local: address.slice(0, at), domain: address.slice(at + 1) };
}

/**
 * Returns the ASCII form of a domain. Null if it has other characters than letters, digits, hyphens and dots (Node
 * converts `⑴` to `(1)`), or if Node converts it to an IPv4 address, such as `127.1`. Unicode maps the capital `ẞ` to
 * `ss` before version 15.1 and to `ß` since then; the replacement makes the result independent of Node's version.
 */
function asciiDomain(domain: string): string | null {
  const ascii = domainToASCII(domain.replaceAll('ẞ', 'ß'));
  if (!ASCII_DOMAIN.test(ascii) || isIPv4(ascii)) return null;
  return UNDECODED_LABEL.test(domainToUnicode(ascii)) ? null : ascii;
}
