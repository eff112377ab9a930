import vm from 'node:vm';
import { PATIENCE_MS } from './patience.js';

/**
 * What a calculation gives, if it ends within all patience: tells what takes a moment from what would take many minutes,
 * on whatever machine. jest's own limit ends nothing that does not let go of the process.
 */
export function promptly<T>(calculate: () => T): T {
  return vm.runInNewContext('calculate()', { calculate }, { timeout: PATIENCE_MS }) as T;
}
