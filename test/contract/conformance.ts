import {
  type OpenAPIObject,
  type OperationObject,
  type ReferenceObject,
  type ResponseObject,
  type SchemaObject,
} from '@nestjs/swagger';
import { SchemaValidator } from './schema-validator.js';

export interface CheckedResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The parsed body if it is JSON. */
  readonly body: unknown;
}

interface DocumentedOperation {
  readonly pattern: RegExp;
  readonly parameters: number;
  readonly method: string;
  readonly operation: OperationObject;
}

/** Header fields that problems may lack: without authentication there is no rate limit of a caller. */
const OPTIONAL_ON_PROBLEMS = ['RateLimit', 'RateLimit-Policy'];

/** Responses for paths and methods without an operation, as the introduction of the document describes them. */
const UNROUTED: Readonly<Record<number, ResponseObject>> = {
  404: unrouted('route.not-found', []),
  405: unrouted('route.method-not-allowed', ['Allow']),
};

function unrouted(code: string, headers: readonly string[]): ResponseObject & ProblemKinds {
  return {
    description: code,
    headers: Object.fromEntries(['X-Request-Id', 'Content-Language', ...headers].map((name) => [name, {}])),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDetails' } } },
    'x-problems': [code],
  };
}

/** The codes of the problems that a documented response may have. */
interface ProblemKinds {
  'x-problems'?: readonly string[];
}

/**
 * Checks real responses against the served OpenAPI document. The operation must declare the status, the media type, the
 * body without undeclared members, and the type of a problem. All declared header fields must be present.
 */
export class Conformance {
  /** By the number of parts of the path. */
  private readonly operations = new Map<number, DocumentedOperation[]>();
  private readonly validator: SchemaValidator;

  constructor(private readonly document: OpenAPIObject) {
    this.validator = new SchemaValidator(document);
    for (const [path, item] of Object.entries(document.paths))
      for (const method of ['get', 'put', 'post', 'delete'] as const) {
        const operation = item[method];
        if (!operation) continue;
        const { length } = path.split('/');
        this.operations.set(length, [
          ...(this.operations.get(length) ?? []),
          { ...patternOf(path), method, operation },
        ]);
      }
    // Paths with fewer parameters first: `/invitations/accept` before `/invitations/{invitationId}`.
    for (const operations of this.operations.values())
      operations.sort((one, other) => one.parameters - other.parameters);
  }

  /** Throws an error that lists all deviations of the response. */
  check(method: string, url: string, answer: CheckedResponse): void {
    const name = method.toUpperCase();
    const path = new URL(url, 'http://localhost').pathname;
    const operation = this.find(method === 'head' ? 'get' : method, path);
    const response = operation
      ? resolvedResponse(this.document, operation.responses[answer.status])
      : UNROUTED[answer.status];
    const what = `${operation?.operationId ?? `${name} ${path}`} answered ${answer.status}`;
    if (!response) throw new Error(`${what}, which the OpenAPI document does not list`);
    const errors = [
      ...headerErrors(response, answer),
      ...(method === 'head' ? [] : this.bodyErrors(response, answer)),
    ];
    if (errors.length > 0)
      throw new Error(`${what}, not as documented: ${errors.join('; ')}\n${JSON.stringify(answer.body)}`);
  }

  schemaErrors(schema: SchemaObject | ReferenceObject, value: unknown): string[] {
    return this.validator.errors(schema, value);
  }

  /** Only the matching path with the fewest parameters counts: `/documents/search` is not a document. */
  private find(method: string, path: string): OperationObject | undefined {
    const sameLength = this.operations.get(path.split('/').length) ?? [];
    const first = sameLength.find(({ pattern }) => pattern.test(path));
    return sameLength.find(
      (candidate) =>
        candidate.method === method &&
        candidate.parameters === first?.parameters &&
        candidate.pattern.test(path),
    )?.operation;
  }

  private bodyErrors(
    { content, 'x-problems': problems = [] }: ResponseObject & ProblemKinds,
    { status, headers, body }: CheckedResponse,
  ): string[] {
    const type = headers['content-type']?.replace(/;.*$/, '');
    if (!content) return type === undefined ? [] : [`it has a body of type ${type} and should have none`];
    const documented = content[type ?? ''] ?? content['*/*'];
    if (!documented)
      return [`its media type ${type ?? '(none)'} is none of ${Object.keys(content).join(', ')}`];
    if (!/^application\/(\S+\+)?json$/.test(type ?? '')) return [];
    const errors = this.validator.errors(documented.schema ?? {}, body);
    const kind = (body as { type?: string }).type?.replace('/problems/', '') ?? '';
    if (status >= 400 && !problems.includes(kind)) {
      errors.push(
        `${kind} is not among the problems that it declares (codes of @Endpoint): ${problems.join(', ')}`,
      );
    }
    return errors;
  }
}

export function resolvedResponse(
  { components }: OpenAPIObject,
  response: ResponseObject | ReferenceObject | undefined,
): ResponseObject | undefined {
  if (!response || !('$ref' in response)) return response;
  const name = response.$ref.replace('#/components/responses/', '');
  return components?.responses?.[name] as ResponseObject | undefined;
}

function headerErrors({ headers = {} }: ResponseObject, answer: CheckedResponse): string[] {
  return Object.keys(headers)
    .filter((name) => answer.headers[name.toLowerCase()] === undefined)
    .filter((name) => !(answer.status >= 400 && OPTIONAL_ON_PROBLEMS.includes(name)))
    .filter((name) => name !== 'Link' || hasNextPage(answer))
    .map((name) => `${name} is missing`);
}

function hasNextPage({ body }: CheckedResponse): boolean {
  const page = (body ?? {}) as { nextCursor?: unknown; items?: unknown[] };
  return typeof page.nextCursor === 'string' && page.items?.length !== 0;
}

function patternOf(path: string): { pattern: RegExp; parameters: number } {
  const parts = path.split(/\{\w+\}/);
  return {
    pattern: new RegExp(`^${parts.map((part) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&')).join('[^/]+')}$`),
    parameters: parts.length - 1,
  };
}
