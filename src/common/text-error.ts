import { type Message, message } from './messages/message.js';
import { MAX_MARKS, codePointLength, hasControlCharacters, hasTooManyMarks } from './text.js';

/**
 * Returns the first error of a text, or null if it is valid.
 *
 * @param value in NFC and trimmed, if it is a text
 * @param min in code points, as is `max`
 * @param lines allows LF and TAB
 */
export function textError(value: unknown, min: number, max: number, lines = false): Message | null {
  if (typeof value !== 'string') return message('value.string');
  if (!value.isWellFormed()) return message('value.lone-surrogate');
  if (hasControlCharacters(value, lines)) return message('value.control-character');
  if (hasTooManyMarks(value)) return message('value.combining-marks', { max: MAX_MARKS });
  const length = codePointLength(value);
  if (length < min) return min === 1 ? message('value.empty') : message('value.min-length', { min });
  if (length > max) return message('value.max-length', { max });
  return null;
}
