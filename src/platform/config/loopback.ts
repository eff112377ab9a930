import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Whether the address is a loopback address. False for host names other than `localhost`, which can have any address.
 */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  return family === 0
    ? host.toLowerCase() === 'localhost'
    : LOOPBACK.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
