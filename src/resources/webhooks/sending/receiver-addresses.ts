import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The allocated part of the global unicast addresses (RFC 4291; IANA, IPv6 Address Space). */
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');
/** Well-known prefix of NAT64 (RFC 6052): the last 32 bits are an IPv4 address. */
const NAT64 = ipaddr.IPv6.parse('64:ff9b::');
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/**
 * Whether an address is globally reachable unicast, by the special-purpose registries of IANA for IPv4 and IPv6.
 * Refuses IPv4 inside IPv6 (mapped, 6to4, Teredo), which leads to the IPv4 network, except NAT64 of a public address.
 */
export function isGloballyReachable(address: string): boolean {
  // A zone makes sense for link-local addresses only.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast';
  const ipv6 = parsed as ipaddr.IPv6;
  if (ipv6.match(NAT64, 96)) return isGloballyReachable(ipv6.toByteArray().slice(12).join('.'));
  return ipv6.match(GLOBAL_UNICAST, 3) && ipv6.range() === 'unicast';
}

/** Decides which addresses of receivers the service connects to. */
export class ReceiverAddresses {
  private readonly exceptions = new BlockList();

  /** @param exceptions Networks that are allowed although they are not public: `10.1.0.0/16`, `fd00::1`. */
  constructor(exceptions: readonly string[], allowLoopback: boolean) {
    for (const network of [...exceptions, ...(allowLoopback ? LOOPBACK : [])]) {
      const [address = '', bits] = network.split('/');
      const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
      if (bits === undefined) this.exceptions.addAddress(address, family);
      else this.exceptions.addSubnet(address, Number(bits), family);
    }
  }

  isAllowed(address: string): boolean {
    const family = isIP(address);
    if (family === 0) return false;
    return this.exceptions.check(address, family === 4 ? 'ipv4' : 'ipv6') || isGloballyReachable(address);
  }
}

/** The address in the host of a URL; null if the host is a name. */
export function literalAddress({ hostname }: URL): string | null {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? null : host;
}
