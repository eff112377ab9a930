import { type OpenAPIObject, type ReferenceObject, type SchemaObject } from '@nestjs/swagger';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';

type Schema = SchemaObject | ReferenceObject;

const COMPONENTS = '#/components/schemas/';
const DOCUMENT = 'openapi';
/** UTC with milliseconds, as every timestamp of the service is. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Holds values against schemas of an OpenAPI 3.1 document, more strictly than these say: members that a schema does
 * not declare are errors. Each schema is compiled once.
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
      components: { schemas: closed(document.components?.schemas ?? {}) },
    });
  }

  /** What is wrong with the value; empty when nothing is. */
  errors(schema: Schema, value: unknown): string[] {
    const key = JSON.stringify(schema);
    let check = this.compiled.get(key);
    if (!check) {
      const validate = this.ajv.compile(closed(schema) as object);
      check = (candidate) => (validate(candidate) ? [] : (validate.errors ?? []).map(sentence));
      this.compiled.set(key, check);
    }
    return check(value);
  }
}

/** The schema with `additionalProperties: false` wherever it lists properties, and references that ajv can follow. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === 'example') continue;
    copy[key] =
      key === '$ref' ? String(value).replace(COMPONENTS, `${DOCUMENT}${COMPONENTS}`) : closed(value);
  }
  const isObjectSchema = copy.type === 'object' || (Array.isArray(copy.type) && copy.type.includes('object'));
  if (isObjectSchema && 'properties' in copy && !('additionalProperties' in copy))
    copy.additionalProperties = false;
  return copy;
}

function sentence({ instancePath, message, params }: ErrorObject): string {
  const { additionalProperty } = params as { additionalProperty?: string };
  return `${instancePath || '/'} ${message ?? ''}${additionalProperty === undefined ? '' : `: ${additionalProperty}`}`;
}
