import { codePointLength } from './text.js';

/** Path segment of a member: `.amount`, or `["a b"]` for a key that is not an identifier. */
export function memberPath(key: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? `.${key}` : `[${JSON.stringify(shortened(key))}]`;
}

const MAX_SHOWN_KEY = 100;

function shortened(key: string): string {
  return codePointLength(key) > MAX_SHOWN_KEY ? `${[...key].slice(0, MAX_SHOWN_KEY).join('')}…` : key;
}
