import { type AnySchema, type Schemas, type Shape, shapeOf } from './schema-shape.js';

export interface SchemaSource {
  readonly schema: AnySchema;
  readonly schemas: Schemas;
}

export interface AllowedDifferences {
  /** Whether the served schema may list these values although the specification lists none. */
  readonly enumeration: (path: string, values: readonly unknown[]) => boolean;
  /** Whether the served schema may add this bound. */
  readonly bound: (path: string, keyword: string, value: unknown) => boolean;
  /** Whether the served schema may omit `readOnly`. */
  readonly writable: (path: string) => boolean;
  /** Whether named schemas of the specification must have the same name in the served document. */
  readonly names: boolean;
}

export function schemaDifferences(
  specified: SchemaSource,
  served: SchemaSource,
  allowed: AllowedDifferences,
  path = '$',
): string[] {
  const expected = shapeOf(specified.schema, specified.schemas);
  const actual = shapeOf(served.schema, served.schemas);
  const found: string[] = [];
  const same = (what: string, one: unknown, other: unknown) => {
    if (JSON.stringify(one) !== JSON.stringify(other))
      found.push(`${path}: ${what} ${show(one)} became ${show(other)}`);
  };
  same('type', expected.types, actual.types);
  same('format', expected.format, actual.format);
  same('required members', expected.required, actual.required);
  same('members', Object.keys(expected.properties).sort(), Object.keys(actual.properties).sort());
  if (!(expected.readOnly && allowed.writable(path))) same('readOnly', expected.readOnly, actual.readOnly);
  same('alternatives', expected.alternatives, actual.alternatives);
  if (allowed.names && expected.name !== null) same('name', expected.name, actual.name);
  found.push(...enumDifferences(expected, actual, allowed, path));
  for (const [keyword, value] of Object.entries(actual.bounds)) {
    if (!(keyword in expected.bounds) && !allowed.bound(path, keyword, value))
      found.push(`${path}: the bound ${keyword} ${show(value)} is new`);
  }
  for (const [keyword, value] of Object.entries(expected.bounds))
    same(keyword, value, actual.bounds[keyword]);

  const deeper = (one: AnySchema, other: AnySchema | undefined, step: string) =>
    other
      ? schemaDifferences({ ...specified, schema: one }, { ...served, schema: other }, allowed, path + step)
      : [];
  for (const [name, property] of Object.entries(expected.properties))
    found.push(...deeper(property, actual.properties[name], `.${name}`));
  if (expected.items) found.push(...deeper(expected.items, actual.items ?? {}, '[]'));
  else same('items', null, actual.items);
  if (isSchema(expected.additionalProperties)) {
    found.push(
      ...deeper(
        expected.additionalProperties,
        isSchema(actual.additionalProperties) ? actual.additionalProperties : {},
        '{}',
      ),
    );
  } else same('additional members', expected.additionalProperties, actual.additionalProperties);
  return found;
}

function enumDifferences(
  expected: Shape,
  actual: Shape,
  allowed: AllowedDifferences,
  path: string,
): string[] {
  if (JSON.stringify(expected.enum) === JSON.stringify(actual.enum)) return [];
  if (expected.enum === null && actual.enum && allowed.enumeration(path, actual.enum)) return [];
  return [`${path}: values ${show(expected.enum)} became ${show(actual.enum)}`];
}

function isSchema(value: AnySchema | boolean | null): value is AnySchema {
  return typeof value === 'object' && value !== null;
}

function show(value: unknown): string {
  return value === null ? 'none' : JSON.stringify(value);
}
