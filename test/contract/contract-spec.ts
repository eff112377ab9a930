import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type MediaTypeObject,
  type OpenAPIObject,
  type OperationObject,
  type ParameterObject,
  type RequestBodyObject,
} from '@nestjs/swagger';
import { AUDIT_ACTIONS } from '../../src/common/vocabulary/audit.js';
import { ALL_PERMISSIONS } from '../../src/common/vocabulary/permissions.js';
import { service } from '../support/service/shared-service.js';
import { resolvedResponse } from './conformance.js';
import { type AllowedDifferences, schemaDifferences } from './schema-differences.js';
import { type AnySchema, type Schemas, shapeOf } from './schema-shape.js';
import { ADDITIONS, SPECIFICATION, type SpecifiedOperation } from './specification.js';

/** Statuses that every operation may return in addition to the specified ones. */
const STATUSES_OF_ALL = [401, 406, 431, 500, 503];
const STATUSES_WITH_BODY = [400, 413, 415];
/** The statuses that these two operations add for callers without access to the tenant. */
const NO_ACCESS: Record<string, number> = { GetTenantMe: 404, ListNotifications: 403 };

const PERMITTED_HEADERS = ['If-Match', 'If-None-Match', 'Idempotency-Key'];

/** Optional query parameters that specified operations have, too, and what they add to the answer: nothing by default. */
const ADDED_QUERIES: Record<string, readonly string[]> = {
  ListFiles: ['sort', 'createdFrom', 'createdTo', 'closedFrom', 'closedTo', 'include'],
};
const ADDED_MEMBERS: Record<string, readonly string[]> = {
  ListFiles: [
    '$.items[]: members ["closedAt","createdAt","fileTypeId","id","name","number","status","updatedAt"] became ' +
      '["closedAt","createdAt","documentCount","fileTypeId","id","name","number","status","updatedAt"]',
    '$.items[]: name "File" became "CountedFile"',
  ],
};

/** Enumerations that the specification leaves open, by the end of their path. */
const ENUMERATIONS: Record<string, readonly string[]> = {
  '.referenceTarget': ['File', 'Document', 'User'],
  '.subjectType': [...new Set(Object.values(AUDIT_ACTIONS))],
  '.action': Object.keys(AUDIT_ACTIONS),
  '.permissions[]': ALL_PERMISSIONS,
};

const KEY = '^[a-z][A-Za-z0-9_]{0,49}$';
const NAME = { minLength: 1, maxLength: 200 };
/** Bounds that the specification leaves open, by the end of their path. */
const BOUNDS: Record<string, Record<string, unknown>> = {
  '.name': NAME,
  '.nameDe': NAME,
  '.nameEn': NAME,
  '.labelDe': NAME,
  '.labelEn': NAME,
  '.number': { minLength: 1, maxLength: 64 },
  '.slug': { pattern: '^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$' },
  '.fields': { maxItems: 500, uniqueItems: true },
  '.options': { minItems: 1, maxItems: 500, uniqueItems: true },
  '.fields[].key': { pattern: KEY },
  '.options[].key': { pattern: '^[A-Za-z0-9_-]{1,50}$' },
  '.fieldKey': { pattern: KEY },
  '.tagIds': { maxItems: 20, uniqueItems: true },
  '.permissions': { maxItems: ALL_PERMISSIONS.length, uniqueItems: true },
  '.value': { minLength: 1, maxLength: 10_000 },
  '.metadataConditions': { maxItems: 20 },
  limit: { minimum: 1, maximum: 200, default: 50 },
  q: { maxLength: 200 },
  cursor: { minLength: 1, maxLength: 2000 },
  action: { minLength: 1 },
};

const IN_REQUESTS: AllowedDifferences = {
  enumeration: isDecided,
  bound: (path, keyword, value) =>
    Object.entries(BOUNDS).some(
      ([end, bounds]) => path.endsWith(end) && keyword in bounds && bounds[keyword] === value,
    ),
  // Clients omit readOnly members from requests; an update without isRemoved would restore a removed field.
  writable: (path) => path === '$.fields[].isRemoved',
  names: false,
};
/** Bounds apply to requests only. */
const IN_ANSWERS: AllowedDifferences = {
  enumeration: isDecided,
  bound: () => false,
  writable: () => false,
  names: true,
};

function isDecided(path: string, values: readonly unknown[]): boolean {
  const [, decided] = Object.entries(ENUMERATIONS).find(([end]) => path.endsWith(end)) ?? [];
  return decided !== undefined && [...decided].sort().join() === [...values].sort().join();
}

describe('The served OpenAPI document', () => {
  let document: OpenAPIObject;
  let served: Schemas;
  beforeAll(async () => {
    const response = await fetch(`${service.url}/openapi.json`);
    document = (await response.json()) as OpenAPIObject;
    served = document.components?.schemas as Schemas;
  });

  const find = ({ path, method }: SpecifiedOperation): OperationObject | undefined =>
    document.paths[path]?.[method];

  function operations(): { method: string; path: string; operation: OperationObject }[] {
    return Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        method,
        path,
        operation: operation as OperationObject,
      })),
    );
  }

  describe.each(SPECIFICATION.operations.map((specified) => [specified.operation, specified] as const))(
    '%s',
    (name, specified) => {
      let operation: OperationObject;
      beforeAll(() => {
        const found = find(specified);
        if (!found) throw new Error(`${name} is not served at ${specified.method} ${specified.path}`);
        operation = found;
      });

      it('has the specified operationId and no x-addition', () => {
        expect(operation.operationId).toBe(name);
        expect(operation).not.toHaveProperty('x-addition');
      });

      it('takes the specified parameters, and only permitted additional header fields', () => {
        const found: string[] = [];
        const parameters = (operation.parameters ?? []) as ParameterObject[];
        for (const expected of specified.parameters) {
          const parameter = parameters.find(
            (candidate) => candidate.name === expected.name && candidate.in === expected.in,
          );
          if (!parameter) found.push(`${expected.name} is missing`);
          else {
            if ((parameter.required ?? false) !== expected.required)
              found.push(`${expected.name} changed whether it is required`);
            const actual = { schema: parameter.schema as AnySchema, schemas: served };
            found.push(
              ...schemaDifferences(
                { schema: expected.schema, schemas: SPECIFICATION.schemas },
                actual,
                IN_REQUESTS,
                expected.name,
              ),
            );
          }
        }
        const added = parameters.filter(
          (parameter) => !specified.parameters.some((expected) => expected.name === parameter.name),
        );
        for (const parameter of added) {
          const permitted = parameter.in === 'header' ? PERMITTED_HEADERS : (ADDED_QUERIES[name] ?? []);
          if (parameter.required || !permitted.includes(parameter.name))
            found.push(`${parameter.name} is new`);
        }
        expect(found).toEqual([]);
      });

      it('takes the specified body', () => {
        const body = operation.requestBody as RequestBodyObject | undefined;
        if (!specified.body) {
          expect(body).toBeUndefined();
          return;
        }
        expect({ required: body?.required, types: Object.keys(body?.content ?? {}) }).toEqual({
          required: true,
          types: ['application/json'],
        });
        const actual = { schema: body?.content['application/json']?.schema as AnySchema, schemas: served };
        expect(
          schemaDifferences({ schema: specified.body, schemas: SPECIFICATION.schemas }, actual, IN_REQUESTS),
        ).toEqual([]);
      });

      it.each(Object.entries(specified.responses))('returns %s as specified', (status, expected) => {
        const response = resolvedResponse(document, operation.responses[status]);
        if (!expected) {
          expect(response).toBeDefined();
          expect(response).not.toHaveProperty('content');
          return;
        }
        expect(Object.keys(response?.content ?? {})).toEqual([expected.mediaType]);
        const actual = {
          schema: response?.content?.[expected.mediaType]?.schema as AnySchema,
          schemas: served,
        };
        expect(
          schemaDifferences({ schema: expected.schema, schemas: SPECIFICATION.schemas }, actual, IN_ANSWERS),
        ).toEqual((status === '200' && ADDED_MEMBERS[name]) || []);
      });

      it('adds only permitted statuses, as problem documents', () => {
        const headers = ((operation.parameters ?? []) as ParameterObject[])
          .filter((parameter) => parameter.in === 'header')
          .map((parameter) => parameter.name);
        const may = new Set([
          ...STATUSES_OF_ALL,
          ...(specified.body ? STATUSES_WITH_BODY : []),
          ...(headers.includes('If-Match') ? [412] : []),
          ...(headers.includes('If-None-Match') ? [304] : []),
          NO_ACCESS[name],
        ]);
        const added = Object.keys(operation.responses).filter((status) => !(status in specified.responses));
        expect(added.filter((status) => !may.has(Number(status)))).toEqual([]);
        for (const status of added.filter((candidate) => candidate !== '304')) {
          const { content } = resolvedResponse(document, operation.responses[status]) ?? {};
          const schema = status === '400' ? 'ValidationProblemDetails' : 'ProblemDetails';
          expect(Object.keys(content ?? {})).toEqual(['application/problem+json']);
          expect(content?.['application/problem+json']?.schema).toEqual({
            $ref: `#/components/schemas/${schema}`,
          });
        }
      });
    },
  );

  it('marks all other operations with x-addition, and has only those in ADDITIONS', () => {
    const names = new Set(SPECIFICATION.operations.map(({ operation }) => operation));
    const others = operations().filter(({ operation }) => !names.has(operation.operationId ?? ''));
    expect(
      others
        .filter(({ operation }) => !('x-addition' in operation))
        .map(({ operation }) => operation.operationId),
    ).toEqual([]);
    const decided = new Set(ADDITIONS);
    expect(additionsServed().filter((addition) => !decided.has(addition))).toEqual([]);
  });

  it('has all operations in ADDITIONS', () => {
    const there = new Set(additionsServed());
    expect(ADDITIONS.filter((addition) => !there.has(addition))).toEqual([]);
  });

  function additionsServed(): string[] {
    return operations()
      .filter(({ operation }) => 'x-addition' in operation)
      .map(({ method, path }) => `${method} ${path.replace(/\{(?!tenant\})\w+\}/g, '{}')}`);
  }

  it('has no readOnly members in requests, because clients omit them', () => {
    const found = operations().flatMap(({ operation }) =>
      Object.entries((operation.requestBody as RequestBodyObject | undefined)?.content ?? {})
        .filter(([, { schema }]) => schema && hasReadOnly(schema as AnySchema, served))
        .map(([type]) => `${operation.operationId} ${type}`),
    );
    expect(found).toEqual([]);
  });

  it('has a valid example for every JSON body', () => {
    const found: string[] = [];
    for (const { operation } of operations()) {
      for (const [where, content] of bodiesOf(document, operation)) {
        const json = content['application/json'] ?? content['application/problem+json'];
        if (!json) continue;
        const { schema = {} } = json;
        const example: unknown = json.example;
        if (example === undefined) {
          found.push(`${operation.operationId} ${where} has no example`);
          continue;
        }
        const errors = service.conformance.schemaErrors(schema, example);
        found.push(...errors.map((error) => `${operation.operationId} ${where}: ${error}`));
      }
    }
    expect(found).toEqual([]);
  });
});

function hasReadOnly(schema: AnySchema, schemas: Schemas): boolean {
  const { readOnly, properties, items } = shapeOf(schema, schemas);
  const members = [...Object.values(properties), ...(items ? [items] : [])];
  return readOnly || members.some((member) => hasReadOnly(member, schemas));
}

function bodiesOf(
  document: OpenAPIObject,
  { requestBody, responses }: OperationObject,
): [string, Record<string, MediaTypeObject>][] {
  const bodies: [string, Record<string, MediaTypeObject>][] = [
    ['body', (requestBody as RequestBodyObject | undefined)?.content ?? {}],
  ];
  for (const [status, response] of Object.entries(responses))
    bodies.push([status, resolvedResponse(document, response)?.content ?? {}]);
  return bodies;
}
