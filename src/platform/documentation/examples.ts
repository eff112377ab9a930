import { createHash } from 'node:crypto';
import { type OpenAPIObject, type ReferenceObject, type SchemaObject } from '@nestjs/swagger';
import { MESSAGES } from '../../common/messages/message.js';
import { PROBLEMS, type ProblemCode } from '../../common/messages/problems.js';

type Schema = SchemaObject | ReferenceObject;

const REQUEST_ID = '0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d';

const FORMATS: Record<string, string> = {
  'date-time': '2026-11-20T08:15:30.123Z',
  date: '2026-11-20',
  email: 'alice@example.com',
  uri: 'https://filing.example',
};

/**
 * Returns an example that matches a schema, from the examples of its properties. A property without example is null
 * if it is nullable; otherwise it gets a value by its type and format.
 */
export function exampleOf(schema: Schema, document: OpenAPIObject, name = 'value'): unknown {
  if ('$ref' in schema) return exampleOf(resolve(schema, document), document, schemaName(schema));
  if (schema.example !== undefined) return schema.example;
  if (isNullable(schema)) return null;
  const [part] = schema.allOf ?? schema.anyOf ?? schema.oneOf ?? [];
  if (part) return exampleOf(part, document, name);
  if (schema.enum) return schema.enum[0] as unknown;
  return plainExample(schema, document, name);
}

function plainExample(schema: SchemaObject, document: OpenAPIObject, name: string): unknown {
  const [type] = [schema.type ?? []].flat();
  switch (type) {
    case 'array':
      return schema.items ? [exampleOf(schema.items, document, name)] : [];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'string':
      return schema.format === 'uuid' ? exampleId(name) : (FORMATS[schema.format ?? ''] ?? 'text');
    default:
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, property]) => {
          // The example of `id` depends on the schema that contains it.
          const named = key === 'id' ? name : key;
          const example = schema.required?.includes(key) ? exampleOf : optionalExample;
          return [key, example(property, document, named)];
        }),
      );
  }
}

/** Users send examples unchanged, so an optional member has a neutral value: null if nullable, empty list, false. */
function optionalExample(schema: Schema, document: OpenAPIObject, name: string): unknown {
  if (!('$ref' in schema) && schema.example === undefined && !isNullable(schema)) {
    if (schema.type === 'array' && (schema.minItems ?? 0) === 0) return [];
    if (schema.type === 'boolean') return false;
  }
  return exampleOf(schema, document, name);
}

/** Nest writes `nullable` of a reference as `anyOf`. */
function isNullable({ type }: SchemaObject): boolean {
  return [type ?? []].flat().includes('null');
}

/** One id for each kind of resource, the same in `file.id` and `fileId`, so that all examples are consistent. */
export function exampleId(name: string): string {
  const kind = name.replace(/Ids?$/, '').toLowerCase();
  const hash = createHash('sha256').update(kind).digest('hex');
  return `0199f7a4-${hash.slice(0, 4)}-7${hash.slice(4, 7)}-9${hash.slice(7, 10)}-${hash.slice(10, 22)}`;
}

export function schemaName({ $ref }: ReferenceObject): string {
  return $ref.replace('#/components/schemas/', '');
}

export function resolve(schema: Schema, document: OpenAPIObject): Schema {
  return '$ref' in schema ? (document.components?.schemas?.[schemaName(schema)] ?? {}) : schema;
}

export function problemExample(code: ProblemCode): object {
  const { status, title, detail } = PROBLEMS[code];
  const errors =
    status === 400
      ? { errors: code === 'request.invalid' ? { name: [MESSAGES['value.empty'].en] } : { $: [detail.en] } }
      : {};
  return {
    type: `/problems/${code}`,
    title: title.en,
    status,
    detail: detail.en,
    instance: `urn:uuid:${REQUEST_ID}`,
    ...errors,
  };
}
