import { randomUUID } from 'node:crypto';
import { LongNumber, isExact } from '../../../common/long-number.js';
import { message } from '../../../common/messages/message.js';
import { malformedBody } from '../../../common/problem.js';

interface JsonLimits {
  /** Maximum nesting depth of objects and arrays. */
  readonly depth: number;
  /** Maximum number of values. Bounds memory: `{}` has 2 bytes as text and 56 in V8. */
  readonly values: number;
}

/** A JSON number (RFC 8259, section 6). */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** A number of at most 15 characters without exponent is exact as a double. */
const SHORT = 15;
/** `__proto__`, or an escaped letter of it. */
const MAYBE_PROTO = /__proto__|\\u00[567]/i;
/** Begins the text that stands for a long number while `JSON.parse` runs. Clients cannot know it. */
const MARK = randomUUID();

const [QUOTE, BACKSLASH, COMMA, MINUS, ZERO, NINE] = [0x22, 0x5c, 0x2c, 0x2d, 0x30, 0x39];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Parses JSON (RFC 8259) with `JSON.parse`, with three differences:
 * - It limits depth and number of values before it allocates memory for them.
 * - A number that a double cannot represent exactly becomes a {@link LongNumber}.
 * - Members named `__proto__` are dropped, unless `keepsProto` is set. They are never prototypes.
 *
 * @throws Problem 400 for text that is not JSON, or exceeds the limits
 */
export function parseJson(
  text: string,
  limits: JsonLimits,
  { keepsProto = false }: { readonly keepsProto?: boolean } = {},
): unknown {
  const marked = scan(text, limits);
  const dropsProto = !keepsProto && MAYBE_PROTO.test(text);
  const revive = (name: string, value: unknown): unknown => {
    if (dropsProto && name === '__proto__') return undefined;
    const [first] = Array.isArray(value) ? (value as unknown[]) : [];
    return typeof first === 'string' && first.startsWith(MARK)
      ? new LongNumber(first.slice(MARK.length))
      : value;
  };
  try {
    // A reviver makes parsing several times slower, so it is only used where it has something to do.
    return JSON.parse(marked, marked !== text || dropsProto ? revive : undefined) as unknown;
  } catch {
    throw notJson();
  }
}

/**
 * Checks the limits in one pass without allocation. Whether the text is JSON is decided by `JSON.parse` afterwards.
 *
 * @returns the text with `["<mark><number>"]` in place of each long number. An array, because a string would be
 * valid as the name of a member, where a number is not.
 */
function scan(text: string, limits: JsonLimits): string {
  let depth = 0;
  let values = 1;
  let previous = 0;
  let marked = '';
  let copied = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character <= 0x20) continue;
    if (character === QUOTE) {
      at = endOfString(text, at);
    } else if (character === COMMA) {
      values += 1;
      if (values > limits.values) throw tooMany(limits.values);
    } else if (character === OPEN_OBJECT || character === OPEN_ARRAY) {
      depth += 1;
      if (depth > limits.depth) throw malformedBody(message('body.max-depth', { max: limits.depth }));
      values += 1;
    } else if (character === CLOSE_OBJECT || character === CLOSE_ARRAY) {
      depth -= 1;
      if (previous === OPEN_OBJECT || previous === OPEN_ARRAY) values -= 1;
    } else if (character === MINUS || (character >= ZERO && character <= NINE)) {
      NUMBER.lastIndex = at;
      const [token] = NUMBER.exec(text) ?? [];
      if (token === undefined) throw notJson();
      if (isLong(token)) {
        marked += `${text.slice(copied, at)}["${MARK}${token}"]`;
        copied = at + token.length;
      }
      at += token.length - 1;
    }
    previous = character;
  }
  if (values > limits.values) throw tooMany(limits.values);
  return copied === 0 ? text : marked + text.slice(copied);
}

/** Index of the quotation mark that ends the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = end;
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1;
    if ((end - escapes) % 2 === 0) return end;
  }
  throw notJson();
}

function isLong(token: string): boolean {
  return (token.length > SHORT || token.includes('e') || token.includes('E')) && !isExact(token);
}

function tooMany(max: number) {
  return malformedBody(message('body.max-values', { max }));
}

function notJson() {
  return malformedBody(message('body.json'));
}
