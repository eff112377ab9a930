import { type Message, message } from './messages/message.js';
import { MAX_MARKS, codePointLength, hasControlCharacters, hasTooManyMarks } from './text.js';

/** What is wrong with a text in NFC and trimmed, of `min` to `max` code points; `lines`: LF and TAB are allowed. */
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
