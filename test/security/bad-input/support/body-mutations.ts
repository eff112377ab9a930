import { randomUUID } from 'node:crypto';
import { ALL_PERMISSIONS } from '../../../../src/common/vocabulary/permissions.js';
import { type JsonPath, pathText, replaced } from '../../../contract/json-path.js';
import { type Schemas, type Shape, shapeOf } from '../../../contract/schema-shape.js';
import { ECHO_MARKER } from './bad-input-runner.js';
import {
  BAD_DATE_TIMES,
  BLANK_TEXTS,
  UNUSUAL_TEXTS,
  type NamedValues,
  badTexts,
  badUuids,
  badWords,
  tooLongTexts,
} from './bad-values.js';

/** JSON text in a body that JavaScript cannot represent, such as a number that is too large. */
export class RawJson {
  constructor(readonly text: string) {}

  toJSON(): string {
    return `\u0001${this.text}\u0001`;
  }
}

/** The body as JSON, with the text of every {@link RawJson} unchanged. */
export function toJsonText(body: unknown): string {
  return JSON.stringify(body).replace(/"\\u0001(.*?)\\u0001"/g, (_, text: string) =>
    text.replaceAll('\\"', '"'),
  );
}

export interface Mutation {
  readonly kind: string;
  /** The path of the changed member. */
  readonly member: string;
  readonly what: string;
  readonly body: unknown;
  /** The path that `errors` must contain; null for a valid body. */
  readonly at: string | null;
}

/** Rules for a body that its schema does not contain. Paths have no indices: `fields[].key`. */
export interface BodyRules {
  /** Optional members that the rest of the body requires, with the path of the error when they are missing. */
  readonly requiredHere: Readonly<Record<string, string>>;
  readonly multiline: readonly string[];
  /** Members with a format that the schema does not describe. */
  readonly formatted: readonly string[];
}

const NUMBERS = ['1e400', '-1e400', '12345678901234567890', '0.12345678901234567890', '1e-400'].map(
  (text) => new RawJson(text),
);
const WRONG_TYPES: Readonly<Record<string, readonly unknown[]>> = {
  string: [
    5,
    0,
    -1.5,
    true,
    false,
    {},
    [],
    [ECHO_MARKER],
    { [ECHO_MARKER]: 1 },
    { toString: ECHO_MARKER },
    { $gt: '' },
    ...NUMBERS,
  ],
  integer: ['10', '1e1', '', ECHO_MARKER, true, {}, [], [1], 1.5, { valueOf: 1 }, ...NUMBERS],
  boolean: ['true', 'false', '', ECHO_MARKER, 0, 1, -1, {}, [], [true], ...NUMBERS],
  array: [{}, ECHO_MARKER, '', 5, true, { length: 1 }, { 0: ECHO_MARKER }, ...NUMBERS],
  object: [[], [[]], ECHO_MARKER, '', 5, true, ...NUMBERS],
};

/**
 * Bodies that differ from a valid one in one member: it is absent, null, of another type, out of bounds, or has an
 * unusual value.
 */
export class BodyMutations {
  private readonly found: Mutation[] = [];

  private constructor(
    private readonly whole: unknown,
    private readonly schemas: Schemas,
    private readonly rules: BodyRules,
  ) {}

  static of(shape: Shape, body: unknown, schemas: Schemas, rules: BodyRules): Mutation[] {
    const mutations = new BodyMutations(body, schemas, rules);
    mutations.members(shape, body, []);
    return mutations.found;
  }

  private members(shape: Shape, value: unknown, at: JsonPath): void {
    for (const [member, schema] of Object.entries(shape.properties)) {
      const path = [...at, member];
      const current = (value as Record<string, unknown>)[member];
      const inner = shapeOf(schema, this.schemas);
      const isNullable = inner.types.includes('null');
      const errorPath = this.rules.requiredHere[nameOf(path)];
      const isOptional = !shape.required.includes(member);
      this.omitted('absent', path, undefined, isOptional, errorPath);
      this.omitted('null', path, null, isNullable, errorPath);
      this.value(inner, current, path);
    }
  }

  private value(shape: Shape, current: unknown, path: JsonPath): void {
    const [type = 'object'] = shape.types.filter((candidate) => candidate !== 'null');
    for (const wrong of WRONG_TYPES[type] ?? [])
      this.add(`not of type ${type}`, toJsonText(wrong).slice(0, 40), path, wrong);
    if (type === 'string') this.text(shape, current, path);
    if (type === 'integer') this.integer(shape, path);
    if (type === 'array' && Array.isArray(current)) this.list(shape, current, path);
    if (type === 'object' && typeof current === 'object' && current !== null)
      this.members(shape, current, path);
  }

  private text({ format, enum: words, bounds }: Shape, current: unknown, path: JsonPath): void {
    const { pattern, minLength, maxLength } = bounds as {
      pattern?: string;
      minLength?: number;
      maxLength?: number;
    };
    const name = nameOf(path);
    const bad = (kind: string, values: NamedValues) => {
      for (const [what, value] of values) this.add(kind, what, path, value);
    };
    if (words) return bad('not in the enumeration', badWords(words));
    if (format === 'uuid') {
      bad('invalid UUID', badUuids(typeof current === 'string' ? current : randomUUID()));
      if (typeof current === 'string') this.add('valid', 'in capitals', path, current.toUpperCase(), true);
      return;
    }
    if (format === 'date-time') {
      bad('invalid date-time', BAD_DATE_TIMES);
      if (name !== 'expiresAt') return;
      return bad('in the past', [['of the last century', '1999-12-31T23:59:59Z']]);
    }
    if (pattern !== undefined) {
      const takes = new RegExp(pattern);
      return bad(
        'not matching the pattern',
        UNUSUAL_TEXTS.filter(
          ([, value]) => !value.isWellFormed() || !takes.test(value.normalize('NFC').trim()),
        ),
      );
    }
    bad('invalid text', badTexts(this.rules.multiline.includes(name)));
    if (maxLength !== undefined) bad('too long', tooLongTexts(maxLength));
    if ((minLength ?? 0) > 0) bad('blank', BLANK_TEXTS);
    if ((minLength ?? 0) > 0 && maxLength !== undefined && !this.rules.formatted.includes(name)) {
      this.add('valid', 'as long as it may be', path, unique('😀'.repeat(maxLength), maxLength), true);
      this.add('valid', 'blanks around', path, ` \t${unique('x', maxLength)}\u3000\n`, true);
    }
  }

  private integer({ bounds }: Shape, path: JsonPath): void {
    const { minimum, maximum } = bounds as { minimum?: number; maximum?: number };
    const isWithin = (value: number) => value >= (minimum ?? -Infinity) && value <= (maximum ?? Infinity);
    for (const value of [(minimum ?? 0) - 1, (maximum ?? 0) + 1, -1, 2 ** 31])
      if (!isWithin(value)) this.add('out of bounds', String(value), path, value);
    this.add('valid', 'with an exponent', path, new RawJson('1e1'), true);
  }

  private list(shape: Shape, current: readonly unknown[], path: JsonPath): void {
    const item = shapeOf(shape.items ?? {}, this.schemas);
    const { minItems, maxItems } = shape.bounds as { minItems?: number; maxItems?: number };
    const [first] = current;
    if (maxItems !== undefined) {
      const many = Array.from({ length: maxItems + 1 }, (_, index) => differentItem(item, first, index));
      this.add('too many', `${many.length} items`, path, many);
    }
    if (minItems !== undefined && minItems > 0) this.add('too few', 'none', path, []);
    if (current.length === 0) return;
    this.add('null', 'null in a list', [...path, 0], null);
    this.value(item, first, [...path, 0]);
    const isRepeatable = nameOf(path) === 'filter.metadataConditions';
    const clash = item.types.includes('object') ? `[${current.length}].key` : `[${current.length}]`;
    if (!isRepeatable)
      this.put('twice', 'the first again', path, [...current, first], `${pathText(path)}${clash}`);
  }

  private omitted(
    kind: string,
    path: JsonPath,
    value: null | undefined,
    isValid: boolean,
    errorPath: string | undefined,
  ): void {
    if (errorPath === undefined) this.add(kind, kind, path, value, isValid);
    else this.put(kind, kind, path, value, errorPath);
  }

  private add(kind: string, what: string, path: JsonPath, value: unknown, isValid = false): void {
    this.put(isValid ? 'valid' : kind, what, path, value, isValid ? null : pathText(path));
  }

  private put(kind: string, what: string, path: JsonPath, value: unknown, at: string | null): void {
    const member = pathText(path);
    this.found.push({
      kind,
      member,
      what: `${member}: ${what}`,
      body: replaced(this.whole, path, value),
      at,
    });
  }
}

function differentItem(shape: Shape, item: unknown, index: number): unknown {
  if (shape.format === 'uuid') return randomUUID();
  if (shape.enum) return ALL_PERMISSIONS[index] ?? item;
  return typeof item === 'object' && item !== null && 'key' in item ? { ...item, key: `k${index}` } : item;
}

let count = 0;

/** The text with a unique suffix, shortened to `max` characters. */
function unique(text: string, max: number): string {
  const suffix = `.${(count += 1)}`;
  const characters = [...text];
  return characters.length + suffix.length <= max
    ? `${text}${suffix}`
    : `${characters.slice(0, max - suffix.length).join('')}${suffix}`;
}

function nameOf(path: JsonPath): string {
  return pathText(path).replace(/\[\d+\]/g, '[]');
}
