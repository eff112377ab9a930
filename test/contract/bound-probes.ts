import { randomUUID } from 'node:crypto';
import { type JsonPath } from './json-path.js';
import { type Schemas, type Shape, shapeOf } from './schema-shape.js';

/** A value of one member of a request, just inside or just outside of a bound. The bound need not be documented. */
export interface BoundProbe {
  readonly path: JsonPath;
  readonly value: unknown;
  /** Whether the OpenAPI document forbids the value. */
  readonly isRefused: boolean;
  /** Whether an error about a part of the value counts as a refusal. */
  readonly parts: boolean;
}

/** Much more than any documented bound. */
const VERY_LONG = 20_000;
const VERY_MANY = 3000;
/** The greatest number of active fields of a document type; further fields must be removed ones. */
const MAX_ACTIVE_FIELDS = 100;
const WORDS = ['', 'a', 'A', 'a1', '1a', 'a_b', 'a-b', 'a b', 'ä', ...[50, 51, 64].map((n) => 'x'.repeat(n))];

/** Members with a format that the schema does not describe: no valid text of the greatest length can be generated. */
const WITH_FORMAT = ['email', 'cursor', 'secret'];

export function probesOf(
  shape: Shape,
  current: unknown,
  schemas: Schemas,
  path: JsonPath = [],
): BoundProbe[] {
  const found: BoundProbe[] = [];
  const add = (value: unknown, isRefused: boolean, parts = true) => {
    found.push({ path, value, isRefused, parts });
  };
  const inner = (one: Shape, value: unknown, step: string | number) =>
    found.push(...probesOf(one, value, schemas, [...path, step]));
  const { bounds } = shape;
  for (const alternative of shape.alternatives) found.push(...probesOf(alternative, current, schemas, path));
  if (shape.types.includes('string') && !shape.enum && !shape.format)
    for (const [value, isRefused] of texts(bounds, current, String(path.at(-1)))) add(value, isRefused);
  if (shape.types.includes('integer')) {
    const { minimum, maximum } = bounds as { minimum?: number; maximum?: number };
    if (minimum !== undefined) [minimum, minimum - 1].forEach((value) => add(value, value < minimum));
    if (maximum !== undefined) [maximum, maximum + 1].forEach((value) => add(value, value > maximum));
  }
  if (Array.isArray(current)) {
    const { minItems = 0, maxItems } = bounds as { minItems?: number; maxItems?: number };
    const items = shapeOf(shape.items ?? {}, schemas);
    const list = (count: number) =>
      Array.from({ length: count }, (_, n) => differentItem(items, current[0], n));
    add([], minItems > 0);
    add([current[0], current[0]], bounds.uniqueItems === true);
    add(list(maxItems ?? VERY_MANY), false, false);
    if (maxItems !== undefined) add(list(maxItems + 1), true);
    inner(items, current[0], 0);
  } else if (typeof current === 'object' && current !== null) {
    const { maxProperties } = bounds as { maxProperties?: number };
    const members = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'x']));
    if (maxProperties !== undefined)
      [maxProperties, maxProperties + 1].forEach((count) => add(members(count), count > maxProperties));
    const { additionalProperties, properties } = shape;
    for (const [member, value] of Object.entries(current)) {
      const schema =
        properties[member] ?? (typeof additionalProperties === 'object' ? additionalProperties : null);
      if (schema) inner(shapeOf(schema, schemas), value, member);
    }
  }
  return found;
}

function texts(bounds: Shape['bounds'], current: unknown, name: string): [unknown, boolean][] {
  const { minLength = 0, maxLength, pattern } = bounds as Record<string, number> & { pattern?: string };
  if (pattern !== undefined) return WORDS.map((word) => [word, !new RegExp(pattern).test(word)]);
  const found: [unknown, boolean][] = [['', minLength > 0]];
  if (maxLength === undefined) return [...found, ['x'.repeat(VERY_LONG), false]];
  if (!WITH_FORMAT.includes(name))
    found.push([text(current).padEnd(maxLength, 'x').slice(0, maxLength), false]);
  return [...found, [text(current).padEnd(maxLength + 1, 'x'), true]];
}

function text(current: unknown): string {
  return typeof current === 'string' ? current : '';
}

function differentItem(shape: Shape, item: unknown, index: number): unknown {
  if (shape.format === 'uuid') return randomUUID();
  if (shape.enum) return shape.enum[index] ?? item;
  if (typeof item !== 'object' || item === null || !('key' in item)) return item;
  const isRemoved = index >= MAX_ACTIVE_FIELDS && { isRemoved: true };
  return { ...item, key: `k${index}`, ...('isRemoved' in item && isRemoved) };
}
