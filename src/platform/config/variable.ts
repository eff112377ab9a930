import { isIP } from 'node:net';
import { parseEmailAddress } from '../../common/email-address.js';
import { readUrl } from '../../common/url.js';

/** An environment variable: how it is read, and its row in docs/configuration.md. */
export interface Variable<T> {
  readonly name: string;
  /** Name in earlier releases. It is read if the variable is not set. */
  readonly formerName?: string;
  readonly description: string;
  /** The default as shown in docs/configuration.md. Not given: what `read` returns for an unset variable. */
  readonly defaultText?: string;
  /** Whether the value must not appear in logs and messages. */
  readonly secret?: boolean;
  /** Receives undefined for an unset or empty variable. Throws an error whose message continues the variable's name. */
  readonly read: (text: string | undefined) => T;
}

/** The values of a table of variables. */
export type ValuesOf<T extends Record<string, Variable<unknown>>> = {
  readonly [K in keyof T]: ReturnType<T[K]['read']>;
};

// Functions that parse values of environment variables. They receive undefined for an unset variable. Their errors
// have a message that continues the name of the variable: "must be …".

export function integer(min: number, max: number, fallback: number): (text: string | undefined) => number {
  return (text) => {
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new Error(`must be a whole number from ${min} to ${max}`);
    return value;
  };
}

export function oneOf<T extends string>(values: readonly T[], fallback: T): (text: string | undefined) => T {
  return (text) => {
    if (text === undefined) return fallback;
    if (!(values as readonly string[]).includes(text)) throw new Error(`must be one of ${values.join(', ')}`);
    return text as T;
  };
}

export function url(protocols: readonly string[]): (text: string | undefined) => string | undefined {
  return (text) => {
    if (text === undefined) return undefined;
    if (!protocols.includes(readUrl(text)?.protocol ?? '')) {
      throw new Error(
        `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
      );
    }
    return text;
  };
}

/** Query parameters with which pg overrides the parts of a URL. */
const OVERRIDES = ['host', 'port', 'user', 'password'];

/** URLs of servers, each named once, without user and password. */
export function serverUrls(
  protocols: readonly string[],
  defaultPort: number,
  max: number,
): (text: string | undefined) => readonly string[] {
  return (text) => {
    const urls = text?.split(',').map((entry) => entry.trim()) ?? [];
    const servers = urls.map((entry) => {
      url(protocols)(entry === '' ? '?' : entry);
      const { hostname, port, username, password, searchParams } = new URL(entry);
      if (!hostname) throw new Error('must be URLs with a host, comma-separated');
      if (username || password || OVERRIDES.some((name) => searchParams.has(name)))
        throw new Error(
          `must be URLs without user and password, and without ${OVERRIDES.join(', ')} after the "?"`,
        );
      return `${hostname}:${port || defaultPort}`;
    });
    if (new Set(servers).size < servers.length) throw new Error('must not name a server twice');
    if (servers.length > max) throw new Error(`must be at most ${max} URLs`);
    return urls;
  };
}

export function flag(fallback: boolean): (text: string | undefined) => boolean {
  return (text) => oneOf(['true', 'false'], fallback ? 'true' : 'false')(text) === 'true';
}

export function text(fallback: string): (value: string | undefined) => string {
  return (value) => value ?? fallback;
}

/** Base64 of this number of bytes. */
export function bytes(count: number): (value: string | undefined) => Buffer | undefined {
  return (value) => {
    if (value === undefined) return undefined;
    const read = Buffer.from(value, 'base64');
    if (read.length !== count || read.toString('base64') !== value)
      throw new Error(`must be the Base64 of ${count} bytes`);
    return read;
  };
}

/** An e-mail address, optionally with a name before it (RFC 5322, 3.4). */
export function mailbox(value: string | undefined): { name: string; address: string } | undefined {
  if (value === undefined) return undefined;
  const [, name = '', inner = value] = /^([^<>]*)<([^<>]+)>$/.exec(value) ?? [];
  const address = parseEmailAddress(inner);
  if (address === null)
    throw new Error('must be an e-mail address, or a name and an address in angle brackets');
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address };
}

/** Addresses (`10.0.0.1`) and ranges (`10.0.0.0/8`, `fd00::/8`). `names`: other allowed entries. */
export function networks(value: string | undefined, names: readonly string[] = []): string[] {
  const ranges = value?.split(',').map((entry) => entry.trim()) ?? [];
  if (!ranges.every((entry) => names.includes(entry) || isRange(entry)))
    throw new Error('must be IP addresses or ranges like 10.0.0.0/8, comma-separated');
  return ranges;
}

function isRange(entry: string): boolean {
  const [address = '', prefix, ...more] = entry.split('/');
  const bits = isIP(address) === 4 ? 32 : isIP(address) === 6 && !address.includes('%') ? 128 : 0;
  const isPrefix = prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits);
  return bits > 0 && isPrefix && more.length === 0;
}

/**
 * Origins as browsers write them (https://html.spec.whatwg.org/#ascii-serialisation-of-an-origin), or `*` alone.
 * `null` is not allowed, because every sandboxed page has that origin.
 */
export function origins(value: string | undefined): string[] {
  if (value === undefined || value === '*') return value === undefined ? [] : [value];
  return value.split(',').map((entry) => {
    const written = entry.trim();
    const url = readUrl(written);
    const isOrigin = url !== null && /^https?:\/\/[^/?#@*\\]+$/i.test(written);
    if (!isOrigin)
      throw new Error(
        'must be origins like https://app.example, without a path, comma-separated; or * alone',
      );
    return url.origin;
  });
}

/** Not an offset like `+02:00`, which has no daylight-saving time. */
export function timeZone(value: string | undefined): string {
  if (value === undefined) return 'UTC';
  try {
    if (!/^[A-Za-z]/.test(value)) throw new RangeError('An offset');
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    throw new Error('must be the name of an IANA time zone, such as Europe/Berlin');
  }
}
