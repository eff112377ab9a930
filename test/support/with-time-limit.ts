import vm from 'node:vm';
import { WAIT_TIMEOUT_MS } from './wait-until.js';

/**
 * Runs a synchronous calculation and throws when it exceeds the time limit. It distinguishes a moment from many minutes
 * on every machine. The time limit of jest cannot interrupt code that blocks the event loop.
 */
export function withTimeLimit<T>(calculate: () => T): T {
  return vm.runInNewContext('calculate()', { calculate }, { timeout: WAIT_TIMEOUT_MS }) as T;
}
