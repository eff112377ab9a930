import {
  type OpenAPIObject,
  type ParameterObject,
  type ReferenceObject,
  type SchemaObject,
} from '@nestjs/swagger';
import { type EndpointOptions } from '../../../src/platform/http/endpoint/endpoint-options.js';
import { exampleOf, schemaName } from '../../../src/platform/documentation/examples.js';
import { OpenApiDocument } from '../../../src/platform/documentation/openapi-document.js';
import { RouteTable } from '../../../src/platform/http/pipeline/route-table.js';
import { type TestService } from '../../support/service/service.js';
import { Slot } from './identifier-slot.js';
import { BODY_OVERRIDES, REQUIRED_QUERIES, RESOURCE_OVERRIDES, resourceOf } from './operation-overrides.js';
import { type ApiRequest } from './conformance-client.js';

/** A valid request for an operation, with open slots for the identifiers in it. */
export interface RequestTemplate {
  readonly slots: readonly Slot[];
  readonly build: (slug: string, fill: (slot: Slot) => string) => Omit<ApiRequest, 'token'>;
}

export interface TenantOperation {
  readonly name: string;
  readonly endpoint: EndpointOptions;
  readonly method: string;
  /** One template for each body of the operation in each encoding. */
  readonly templates: readonly RequestTemplate[];
  /** One template for each query parameter that takes an id. */
  readonly filterTemplates: readonly RequestTemplate[];
  /** Fields with ids in the schema of the body that no template contains. */
  readonly uncoveredIds: readonly string[];
  /** Builds a request for a page of one item; null when the operation has no pages. */
  readonly page:
    ((slug: string, fill: (slot: Slot) => string, cursor?: string) => Omit<ApiRequest, 'token'>) | null;
}

type Schema = SchemaObject | ReferenceObject;
type Body = { readonly bodyTemplate: unknown; readonly encoding: 'json' | 'form' | 'content' } | null;

const PREFIX = '/api/v1/t/:tenant';
/** Belongs to no tenant; tested in test/resources/own-tenants. */
const OUTSIDE_TENANTS = '/api/v1/tenants';
const BOUNDARY = 'isolation-test';

/** All operations in a tenant, from the route table; their parameters come from the OpenAPI document. */
export function tenantOperations(service: TestService): TenantOperation[] {
  const document = service.app.get(OpenApiDocument).document;
  return service.app.get(RouteTable).routes.flatMap(({ endpoint, method, path }) => {
    if (!endpoint) return [];
    if (path === OUTSIDE_TENANTS) return [];
    if (!path.startsWith(PREFIX)) throw new Error(`${endpoint.operation} is an operation outside tenants`);
    return [tenantOperation(document, endpoint, method, path)];
  });
}

function tenantOperation(
  document: OpenAPIObject,
  endpoint: EndpointOptions,
  method: string,
  path: string,
): TenantOperation {
  const { operation: name } = endpoint;
  const item = document.paths[path.replace(/:(\w+)/g, '{$1}')];
  const described = item?.[method.toLowerCase() as 'get' | 'put' | 'post' | 'delete'];
  if (!described) throw new Error(`${name} is not in the OpenAPI document`);
  const target = (parameter: string) => RESOURCE_OVERRIDES[name]?.[parameter] ?? resourceOf(parameter);

  const pathSlots = [...path.matchAll(/:(\w+)/g)].flatMap(([, parameter = '']) =>
    parameter === 'tenant' || parameter === 'number' ? [] : [new Slot('path', parameter, target(parameter))],
  );
  const template = (body: Body, query: readonly Slot[] = []): RequestTemplate => {
    const slots = [...pathSlots, ...query, ...(body ? slotsIn(body.bodyTemplate) : [])];
    return {
      slots,
      build: (slug, fill) => {
        const bySlot = new Map(pathSlots.map((slot) => [slot.field, fill(slot)]));
        const filled = path.replace(/:(\w+)/g, (_, parameter: string) =>
          parameter === 'tenant' ? slug : parameter === 'number' ? '1' : (bySlot.get(parameter) ?? ''),
        );
        const search = new URLSearchParams(query.map((slot): [string, string] => [slot.field, fill(slot)]));
        return {
          method,
          path: search.size > 0 ? `${filled}?${search.toString()}` : filled,
          ...(body && encoded(body, fill)),
        };
      },
    };
  };

  const required = (REQUIRED_QUERIES[name] ?? []).map(
    (parameter) => new Slot('query', parameter, target(parameter)),
  );
  const parameters = (described.parameters ?? []) as ParameterObject[];
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const bodies = bodiesOf(document, endpoint, described.requestBody, target);
  const named = new Set(bodies.flatMap((body) => slotsIn(body?.bodyTemplate).map(({ field }) => field)));
  const ofSchema = endpoint.body
    ? slotsIn(bodyTemplate(jsonSchema(described.requestBody), document, target, '', ''))
    : [];
  const hasCursor = inQuery.some((parameter) => parameter.name === 'cursor');
  const takesCursor =
    endpoint.body !== undefined &&
    'cursor' in (resolved(jsonSchema(described.requestBody), document).properties ?? {});
  return {
    name,
    endpoint,
    method,
    templates: bodies.map((body) => template(body, required)),
    filterTemplates: inQuery
      .filter(({ name: parameter, schema }) => isId(parameter, schema ?? {}))
      .map(({ name: parameter }) => template(null, [new Slot('query', parameter, target(parameter))])),
    uncoveredIds: ofSchema.map(({ field }) => field).filter((field) => !named.has(field)),
    page:
      hasCursor || takesCursor
        ? (slug, fill, cursor) => {
            const rest: Record<string, string> = cursor === undefined ? {} : { cursor };
            if (takesCursor)
              return template({ bodyTemplate: { limit: 1, ...rest }, encoding: 'json' }).build(slug, fill);
            const request = template(null).build(slug, fill);
            const search = new URLSearchParams({ limit: '1', ...rest });
            return { ...request, path: `${request.path}?${search.toString()}` };
          }
        : null,
  };
}

function bodiesOf(
  document: OpenAPIObject,
  { operation, body, contentBody, upload }: EndpointOptions,
  described: unknown,
  target: (parameter: string) => string,
): Body[] {
  if (contentBody) return [{ bodyTemplate: 'Content of a test', encoding: 'content' }];
  if (!body) return [null];
  const bodyTemplates = BODY_OVERRIDES[operation] ?? [
    bodyTemplate(jsonSchema(described), document, target, '', ''),
  ];
  return bodyTemplates.flatMap((one): Body[] => [
    { bodyTemplate: one, encoding: 'json' },
    ...(upload ? [{ bodyTemplate: one, encoding: 'form' } as const] : []),
  ]);
}

function jsonSchema(described: unknown): Schema {
  const { content } = described as { content: Record<string, { schema?: Schema }> };
  return content['application/json']?.schema ?? {};
}

/** A body with the required members, filled with their examples, and a slot for every id, required or not. */
function bodyTemplate(
  given: Schema,
  document: OpenAPIObject,
  target: (parameter: string) => string,
  name: string,
  field: string,
): unknown {
  const schema = resolved(given, document);
  if (schema.format === 'uuid') return new Slot('body', field, target(name));
  if (schema.items && holdsId(schema.items, document))
    return [bodyTemplate(schema.items, document, target, name, `${field}[0]`)];
  if (!holdsId(schema, document)) return exampleOf(given, document);
  return Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([member, property]) => schema.required?.includes(member) || holdsId(property, document))
      .map(([member, property]) => [
        member,
        bodyTemplate(property, document, target, member, field === '' ? member : `${field}.${member}`),
      ]),
  );
}

function holdsId(given: Schema, document: OpenAPIObject): boolean {
  const schema = resolved(given, document);
  if (schema.format === 'uuid') return true;
  if (schema.items && holdsId(schema.items, document)) return true;
  return Object.values(schema.properties ?? {}).some((property) => holdsId(property, document));
}

/** The schema that a reference points to; for a nullable schema, the part that is not null. */
function resolved(schema: Schema, document: OpenAPIObject): SchemaObject {
  if ('$ref' in schema) return resolved(document.components?.schemas?.[schemaName(schema)] ?? {}, document);
  const alternatives = schema.allOf ?? schema.anyOf ?? schema.oneOf;
  const real = alternatives?.find((one) => '$ref' in one || one.type !== ('null' as never));
  return real ? resolved(real, document) : schema;
}

function isId(parameter: string, schema: Schema): boolean {
  return ('format' in schema && schema.format === 'uuid') || /Ids?$/.test(parameter);
}

function slotsIn(bodyTemplate: unknown): Slot[] {
  if (bodyTemplate instanceof Slot) return [bodyTemplate];
  return typeof bodyTemplate === 'object' && bodyTemplate !== null
    ? Object.values(bodyTemplate).flatMap(slotsIn)
    : [];
}

function encoded(
  { bodyTemplate, encoding }: NonNullable<Body>,
  fill: (slot: Slot) => string,
): Pick<ApiRequest, 'body' | 'contentType'> {
  if (encoding === 'content') return { body: String(bodyTemplate), contentType: 'text/plain' };
  const json = JSON.stringify(bodyTemplate, (_, value: unknown) =>
    value instanceof Slot ? fill(value) : value,
  );
  if (encoding === 'json') return { body: json, contentType: 'application/json' };
  const part = (disposition: string, type: string, text: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`;
  return {
    body:
      part('name="document"', 'application/json', json) +
      part('name="content"; filename="scan.txt"', 'text/plain', 'Content of a test') +
      `--${BOUNDARY}--\r\n`,
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
  };
}
