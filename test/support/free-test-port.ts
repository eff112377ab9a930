import { randomInt } from 'node:crypto';
import { freePort } from '../../src/platform/database/embedded/postgres-server.js';

/** Below the ephemeral port range of Linux, so that no other process receives the port by chance while its server is stopped. */
const [LOWEST, HIGHEST] = [20_000, 32_000];
const TRIES = 100;

/** A free port for a server that starts later, or that stops and starts again. */
export async function freeTestPort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = await freePort(randomInt(LOWEST, HIGHEST));
    if (port !== undefined) return port;
  }
  throw new Error('No port is free.');
}
