import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether only this machine reaches a listener at this address; a host name other than `localhost` can lead anywhere. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  return family === 0
    ? host.toLowerCase() === 'localhost'
    : LOOPBACK.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
