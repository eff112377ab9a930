import { LongNumber, isExact } from '../../../common/long-number.js';
import { message } from '../../../common/messages/message.js';
import { malformedBody } from '../../../common/problem.js';

interface JsonLimits {
  /** Maximum nesting depth of objects and arrays. */
  readonly depth: number;
  /** Maximum number of values, including dropped ones. Bounds memory: `{}` has 2 bytes as text and 56 in V8. */
  readonly values: number;
}

/** Keeps all members, including undeclared ones and `__proto__`, so that strict handling can report them. */
export const KEEP_ALL = Symbol('KEEP_ALL');

type Declared = ReadonlySet<string> | typeof KEEP_ALL | undefined;

/** A JSON number (RFC 8259, section 6). */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** A number of at most 15 characters without exponent is exact as a double. */
const SHORT = 15;
/** Characters that a string must escape. A string without them needs no decoding. */
const SPECIAL = /[\\\u0000-\u001f]/;

const [QUOTE, BACKSLASH, COMMA, MINUS, ZERO, NINE, COLON] = [0x22, 0x5c, 0x2c, 0x2d, 0x30, 0x39, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const LITERALS: readonly (readonly [string, boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/**
 * Parses JSON (RFC 8259) like `JSON.parse`, with three differences:
 * - It limits depth and number of values before it allocates memory for them.
 * - A number that a double cannot represent exactly becomes a {@link LongNumber}.
 * - Members named `__proto__`, and members of the outermost object that are not in `declared`, are checked and
 * dropped.
 *
 * @param declared undefined keeps all members except `__proto__`
 * @throws Problem 400 for text that is not JSON, or exceeds the limits
 */
export function parseJson(text: string, limits: JsonLimits, declared?: Declared): unknown {
  return new JsonParser(text, limits, declared).parse();
}

class JsonParser {
  private at = 0;
  private depth = 0;
  private values = 0;

  constructor(
    private readonly text: string,
    private readonly limits: JsonLimits,
    private readonly declared: Declared,
  ) {}

  parse(): unknown {
    this.skipSpace();
    const value = this.value(true);
    this.skipSpace();
    if (this.at < this.text.length) throw notJson();
    return value;
  }

  /** @param kept false for a dropped value, which is only checked */
  private value(kept: boolean): unknown {
    this.values += 1;
    if (this.values > this.limits.values) {
      throw malformedBody(message('body.max-values', { max: this.limits.values }));
    }
    const character = this.text.charCodeAt(this.at);
    if (character === QUOTE) return this.string(kept);
    if (character === OPEN_OBJECT) return this.object(kept);
    if (character === OPEN_ARRAY) return this.array(kept);
    if (character === MINUS || (character >= ZERO && character <= NINE)) return this.number();
    return this.literal();
  }

  private object(kept: boolean): Record<string, unknown> {
    const isOutermost = this.depth === 0;
    const object: Record<string, unknown> = {};
    this.enter();
    if (this.leave(CLOSE_OBJECT)) return object;
    do {
      this.skipSpace();
      if (this.text.charCodeAt(this.at) !== QUOTE) throw notJson();
      const name = this.string(true);
      this.skipSpace();
      this.expect(COLON);
      this.skipSpace();
      const isWanted = kept && this.isWanted(name, isOutermost);
      const value = this.value(isWanted);
      if (!isWanted) continue;
      if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true });
      else object[name] = value;
    } while (this.consumeComma());
    if (!this.leave(CLOSE_OBJECT)) throw notJson();
    return object;
  }

  private isWanted(name: string, isOutermost: boolean): boolean {
    const { declared } = this;
    if (declared === KEEP_ALL) return true;
    return name !== '__proto__' && !(isOutermost && declared?.has(name) === false);
  }

  private array(kept: boolean): unknown[] {
    const array: unknown[] = [];
    this.enter();
    if (this.leave(CLOSE_ARRAY)) return array;
    do {
      this.skipSpace();
      const value = this.value(kept);
      if (kept) array.push(value);
    } while (this.consumeComma());
    if (!this.leave(CLOSE_ARRAY)) throw notJson();
    return array;
  }

  private enter(): void {
    this.at += 1;
    this.depth += 1;
    const { depth } = this.limits;
    if (this.depth > depth) throw malformedBody(message('body.max-depth', { max: depth }));
  }

  /** Consumes the end character of the object or array; false if the next character is another one. */
  private leave(end: number): boolean {
    this.skipSpace();
    if (this.text.charCodeAt(this.at) !== end) return false;
    this.at += 1;
    this.depth -= 1;
    return true;
  }

  private consumeComma(): boolean {
    this.skipSpace();
    if (this.text.charCodeAt(this.at) !== COMMA) return false;
    this.at += 1;
    return true;
  }

  private string(kept: boolean): string {
    const { text } = this;
    const start = this.at;
    let end = text.indexOf('"', start + 1);
    if (end < 0) throw notJson();
    const plain = text.slice(start + 1, end);
    if (!SPECIAL.test(plain)) {
      this.at = end + 1;
      return plain;
    }
    for (end = start + 1; end < text.length; end += 1) {
      const character = text.charCodeAt(end);
      if (character === QUOTE) break;
      if (character === BACKSLASH) end += 1;
    }
    this.at = end + 1;
    const decoded = decode(text.slice(start, end + 1));
    return kept ? decoded : '';
  }

  private number(): number | LongNumber {
    NUMBER.lastIndex = this.at;
    const [token] = NUMBER.exec(this.text) ?? [];
    if (token === undefined) throw notJson();
    this.at += token.length;
    const isLong = token.length > SHORT || token.includes('e') || token.includes('E');
    return isLong && !isExact(token) ? new LongNumber(token) : Number(token);
  }

  private literal(): boolean | null {
    const found = LITERALS.find(([word]) => this.text.startsWith(word, this.at));
    if (!found) throw notJson();
    this.at += found[0].length;
    return found[1];
  }

  private expect(character: number): void {
    if (this.text.charCodeAt(this.at) !== character) throw notJson();
    this.at += 1;
  }

  private skipSpace(): void {
    const { text } = this;
    for (;;) {
      const character = text.charCodeAt(this.at);
      if (character !== 0x20 && character !== 0x0a && character !== 0x0d && character !== 0x09) return;
      this.at += 1;
    }
  }
}

/** Decodes the escape sequences of a JSON string, given with its quotes. */
function decode(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    throw notJson();
  }
}

function notJson() {
  return malformedBody(message('body.json'));
}
