import { randomInt } from 'node:crypto';
import { freePort } from '../../src/platform/database/embedded/postgres-server.js';

/** Below those that Linux gives to whoever asks for any: nobody gets it by chance before, or between, its server's starts. */
const [LOWEST, HIGHEST] = [20_000, 32_000];
const TRIES = 100;

/** A free port for a server that is to listen there later, perhaps more than once. */
export async function freeTestPort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = await freePort(randomInt(LOWEST, HIGHEST));
    if (port !== undefined) return port;
  }
  throw new Error('No port is free.');
}
