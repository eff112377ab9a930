import { type OpenAPIObject, type OperationObject, type ParameterObject } from '@nestjs/swagger';
import { type AnySchema, type Schemas, type Shape, shapeOf } from '../../../contract/schema-shape.js';

export interface DescribedParameter {
  readonly name: string;
  readonly shape: Shape;
}

export interface DescribedOperation {
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  /** The path with parameters as `{name}`. */
  readonly path: string;
  readonly pathParameters: readonly string[];
  readonly query: readonly DescribedParameter[];
  /** Names of its header parameters. */
  readonly headers: readonly string[];
  /** The schema of the JSON body; null when the operation takes none. */
  readonly body: Shape | null;
  readonly example: unknown;
  /** Media types of the request body. */
  readonly mediaTypes: readonly string[];
  readonly statuses: readonly number[];
  /** Whether it needs no token. */
  readonly isPublic: boolean;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

export function describedOperations(document: OpenAPIObject): DescribedOperation[] {
  const schemas = (document.components?.schemas ?? {}) as Schemas;
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [describe(method.toUpperCase(), path, operation, schemas)] : [];
    }),
  );
}

function describe(
  method: string,
  path: string,
  { operationId = '', parameters = [], requestBody, responses, security = [] }: OperationObject,
  schemas: Schemas,
): DescribedOperation {
  const all = parameters as ParameterObject[];
  const content = requestBody && 'content' in requestBody ? requestBody.content : {};
  const json = content['application/json'];
  return {
    id: operationId,
    method,
    path,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    query: all
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema }) => ({ name, shape: shapeOf((schema ?? {}) as AnySchema, schemas) })),
    headers: all.filter((parameter) => parameter.in === 'header').map(({ name }) => name),
    body: json ? shapeOf((json.schema ?? {}) as AnySchema, schemas) : null,
    example: json?.example as unknown,
    mediaTypes: Object.keys(content),
    statuses: Object.keys(responses).map(Number),
    isPublic: security.length === 0,
  };
}

/**
 * Finds the documented path for a request path. Literal segments have priority over parameters: `/documents/search` is
 * not a document.
 */
export class DescribedPaths {
  private readonly paths: readonly { path: string; pattern: RegExp; literals: number; methods: string[] }[];

  constructor(operations: readonly DescribedOperation[]) {
    this.paths = [...new Set(operations.map(({ path }) => path))]
      .map((path) => {
        const segments = path.split('/').map((part) => (/^\{\w+\}$/.test(part) ? '[^/]+' : escaped(part)));
        const methods = operations.filter((operation) => operation.path === path).map(({ method }) => method);
        if (methods.includes('GET')) methods.push('HEAD');
        return {
          path,
          pattern: new RegExp(`^${segments.join('/')}$`),
          literals: segments.filter((segment) => segment !== '[^/]+').length,
          methods: [...methods, 'OPTIONS'].sort(),
        };
      })
      .sort((one, other) => other.literals - one.literals);
  }

  /** @param path the request path, without the query */
  find(path: string): { path: string; methods: readonly string[] } | undefined {
    return this.paths.find(({ pattern }) => pattern.test(path));
  }

  get all(): readonly { path: string; methods: readonly string[] }[] {
    return this.paths;
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
