import { LongNumber } from './long-number.js';

/** Whether parsed JSON is an object: not null, an array or a {@link LongNumber}, which represents a number. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LongNumber)
  );
}
