import { type Message, message } from './messages/message.js';
import {
  MAX_MARKS,
  codePointLength,
  hasControlCharacters,
  hasTooManyMarks,
  hasVisibleCharacters,
} from './text.js';

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

/**
 * Returns the first error of a name, or null if it is valid.
 *
 * @param value normalized by `normalizeName`, if it is a text
 * @param max in code points
 */
export function nameError(value: unknown, max: number): Message | null {
  const error = textError(value, 1, max);
  if (error) return error;
  return hasVisibleCharacters(value as string) ? null : message('value.invisible');
}
