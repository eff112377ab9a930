import { type OpenAPIObject, type ReferenceObject, type SchemaObject } from '@nestjs/swagger';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';

type Schema = SchemaObject | ReferenceObject;

const COMPONENTS = '#/components/schemas/';
const DOCUMENT = 'openapi';
/** UTC with milliseconds, the format of all timestamps of the service. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Validates values by the schemas of an OpenAPI 3.1 document. It is stricter than the schemas: undeclared members are
 * errors. Each schema is compiled once.
 */
export class SchemaValidator {
  private readonly ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    allErrors: true,
    validateFormats: true,
  });
  private readonly compiled = new Map<string, (value: unknown) => string[]>();

  constructor(document: OpenAPIObject) {
    for (const keyword of ['example', 'components']) this.ajv.addKeyword(keyword);
    for (const [name, format] of Object.entries(fullFormats)) this.ajv.addFormat(name, format);
    this.ajv.addFormat('date-time', TIMESTAMP);
    this.ajv.addFormat('uuid', UUID);
    this.ajv.addSchema({
      $id: DOCUMENT,
      components: { schemas: withoutAdditionalProperties(document.components?.schemas ?? {}) },
    });
  }

  errors(schema: Schema, value: unknown): string[] {
    const key = JSON.stringify(schema);
    let check = this.compiled.get(key);
    if (!check) {
      const validate = this.ajv.compile(withoutAdditionalProperties(schema) as object);
      check = (candidate) => (validate(candidate) ? [] : (validate.errors ?? []).map(errorText));
      this.compiled.set(key, check);
    }
    return check(value);
  }
}

/** The schema with `additionalProperties: false` in every object with properties, and with references that ajv resolves. */
function withoutAdditionalProperties(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutAdditionalProperties);
  if (typeof node !== 'object' || node === null) return node;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === 'example') continue;
    copy[key] =
      key === '$ref'
        ? String(value).replace(COMPONENTS, `${DOCUMENT}${COMPONENTS}`)
        : withoutAdditionalProperties(value);
  }
  const isObjectSchema = copy.type === 'object' || (Array.isArray(copy.type) && copy.type.includes('object'));
  if (isObjectSchema && 'properties' in copy && !('additionalProperties' in copy))
    copy.additionalProperties = false;
  return copy;
}

function errorText({ instancePath, message, params }: ErrorObject): string {
  const { additionalProperty } = params as { additionalProperty?: string };
  return `${instancePath || '/'} ${message ?? ''}${additionalProperty === undefined ? '' : `: ${additionalProperty}`}`;
}
