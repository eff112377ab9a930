import { LongNumber } from './long-number.js';

/** Whether parsed JSON is an object: not null, not an array, and no number, which a {@link LongNumber} stands for. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LongNumber)
  );
}
