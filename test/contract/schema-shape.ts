/** The part of a schema of OpenAPI 3.0 or 3.1 that the service and the specification use. */
export interface AnySchema {
  $ref?: string;
  type?: string | string[];
  nullable?: boolean;
  format?: string;
  enum?: unknown[];
  properties?: Record<string, AnySchema>;
  required?: string[];
  items?: AnySchema;
  additionalProperties?: AnySchema | boolean;
  allOf?: AnySchema[];
  anyOf?: AnySchema[];
  oneOf?: AnySchema[];
  readOnly?: boolean;
  [keyword: string]: unknown;
}

export type Schemas = Readonly<Record<string, AnySchema>>;

/** A schema in a canonical form: references are resolved, and null is one of the types. */
export interface Shape {
  /** The name under components; null for an inline schema. */
  readonly name: string | null;
  readonly types: readonly string[];
  readonly format: string | null;
  readonly enum: readonly unknown[] | null;
  readonly properties: Readonly<Record<string, AnySchema>>;
  readonly required: readonly string[];
  readonly items: AnySchema | null;
  readonly additionalProperties: AnySchema | boolean | null;
  readonly readOnly: boolean;
  /** The alternatives of `anyOf` and `oneOf`, without null. */
  readonly alternatives: readonly Shape[];
  readonly bounds: Readonly<Record<string, unknown>>;
}

const BOUNDS = [
  ...[
    'minLength',
    'maxLength',
    'pattern',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
  ],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'const', 'default'],
];
const KNOWN = new Set([
  ...[
    '$ref',
    'type',
    'nullable',
    'format',
    'enum',
    'properties',
    'required',
    'items',
    'additionalProperties',
  ],
  ...['allOf', 'anyOf', 'oneOf', 'readOnly', 'description', 'example', 'title', ...BOUNDS],
]);

export function shapeOf(schema: AnySchema, schemas: Schemas): Shape {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace('#/components/schemas/', '');
    const target = schemas[name];
    if (!target) throw new Error(`There is no schema ${name}`);
    const { $ref: _, ...beside } = schema;
    const shape = merged(shapeOf(target, schemas), shapeOf(beside, schemas));
    return { ...shape, name };
  }
  const unknown = Object.keys(schema).filter((keyword) => !KNOWN.has(keyword));
  if (unknown.length > 0) throw new Error(`Cannot compare the keywords ${unknown.join(', ')}`);
  const types = new Set([schema.type ?? []].flat());
  if (schema.nullable) types.add('null');
  const values = schema.enum?.filter((value) => value !== null);
  let shape: Shape = {
    name: null,
    types: [...types].sort(),
    format: schema.format ?? null,
    enum: values ?? null,
    properties: schema.properties ?? {},
    required: [...(schema.required ?? [])].sort(),
    items: schema.items ?? null,
    additionalProperties: schema.additionalProperties ?? null,
    readOnly: schema.readOnly ?? false,
    alternatives: [],
    bounds: Object.fromEntries(
      BOUNDS.filter((keyword) => keyword in schema).map((keyword) => [keyword, schema[keyword]]),
    ),
  };
  for (const part of schema.allOf ?? []) shape = merged(shape, shapeOf(part, schemas));
  for (const alternatives of [schema.anyOf, schema.oneOf]) {
    if (!alternatives) continue;
    const shapes = alternatives.map((alternative) => shapeOf(alternative, schemas));
    const values = shapes.filter(({ types: [type, ...more] }) => !(type === 'null' && more.length === 0));
    const [value] = values;
    if (values.length > 1) {
      shape = { ...shape, alternatives: values };
      continue;
    }
    if (!value) throw new Error('Cannot compare alternatives that are all null');
    const nullable = values.length < shapes.length ? ['null'] : [];
    shape = merged(shape, { ...value, types: [...new Set([...value.types, ...nullable])].sort() });
  }
  return shape;
}

function merged(one: Shape, other: Shape): Shape {
  return {
    name: one.name ?? other.name,
    types: [...new Set([...one.types, ...other.types])].sort(),
    format: one.format ?? other.format,
    enum: one.enum ?? other.enum,
    properties: { ...one.properties, ...other.properties },
    required: [...new Set([...one.required, ...other.required])].sort(),
    items: one.items ?? other.items,
    additionalProperties: one.additionalProperties ?? other.additionalProperties,
    readOnly: one.readOnly || other.readOnly,
    alternatives: [...one.alternatives, ...other.alternatives],
    bounds: { ...one.bounds, ...other.bounds },
  };
}
