import vm from 'node:vm';
import { WAIT_TIMEOUT_MS } from './wait-until.js';

/**
 * What a calculation gives, if it ends within all patience: tells what takes a moment from what would take many minutes,
 * on whatever machine. jest's own limit ends nothing that does not let go of the process.
 */
export function withTimeLimit<T>(calculate: () => T): T {
  return vm.runInNewContext('calculate()', { calculate }, { timeout: WAIT_TIMEOUT_MS }) as T;
}
