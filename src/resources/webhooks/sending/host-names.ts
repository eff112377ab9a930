import { type LookupAddress, lookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { promisify } from 'node:util';

/** In milliseconds, for each of two tries. */
const DNS_TIMEOUT_MS = 2500;
const NOT_IN_DNS = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'ESERVFAIL']);
/** RFC 6761, 6.3: these names always have the loopback addresses. */
const LOCALHOST = /(?:^|\.)localhost\.?$/i;

export type ResolveHost = (hostname: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/**
 * Returns the addresses of a host by DNS. Does not use getaddrinfo, because it occupies a thread of the process while a
 * name server does not answer, and receivers choose their name servers.
 *
 * @param useHostsFile Asks getaddrinfo about names that are not in DNS, for receivers in the operator's own network.
 */
export function hostResolver(useHostsFile: boolean): ResolveHost {
  return async (hostname, signal) => {
    if (LOCALHOST.test(hostname))
      return [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ];
    return resolve(hostname, signal).catch((error: NodeJS.ErrnoException) => {
      if (!useHostsFile || !NOT_IN_DNS.has(error.code ?? '')) throw error;
      return promisify(lookup)(hostname, { all: true });
    });
  };
}

async function resolve(hostname: string, signal: AbortSignal): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [
      ...(ipv4.status === 'fulfilled' ? ipv4.value : []).map((address) => ({ address, family: 4 })),
      ...(ipv6.status === 'fulfilled' ? ipv6.value : []).map((address) => ({ address, family: 6 })),
    ];
    if (addresses.length === 0) throw (ipv4 as PromiseRejectedResult).reason as Error;
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
