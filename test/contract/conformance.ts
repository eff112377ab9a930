import {
  type OpenAPIObject,
  type OperationObject,
  type ReferenceObject,
  type ResponseObject,
  type SchemaObject,
} from '@nestjs/swagger';
import { SchemaValidator } from './schema-validator.js';

export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed, where it is JSON. */
  readonly body: unknown;
}

interface DocumentedOperation {
  readonly pattern: RegExp;
  readonly parameters: number;
  readonly method: string;
  readonly operation: OperationObject;
}

/** What only some answers of a status carry: whoever fails to authenticate has no limit yet to be told of. */
const OPTIONAL_ON_PROBLEMS = ['RateLimit', 'RateLimit-Policy'];

/** Responses of paths and methods that no operation has; the introduction describes them. */
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

/** The problems that a documented response may have. */
interface ProblemKinds {
  'x-problems'?: readonly string[];
}

/**
 * Holds real answers against the served OpenAPI document: the status is listed for the operation, the media type is
 * one of it, the header fields that it promises are there, the body is valid and has no undeclared members, and a
 * problem is one of the kinds that the operation shows.
 */
export class Conformance {
  private readonly operations: DocumentedOperation[];
  private readonly validator: SchemaValidator;

  constructor(private readonly document: OpenAPIObject) {
    this.validator = new SchemaValidator(document);
    this.operations = Object.entries(document.paths)
      .flatMap(([path, item]) =>
        (['get', 'put', 'post', 'delete'] as const).flatMap((method) => {
          const operation = item[method];
          return operation ? [{ ...patternOf(path), method, operation }] : [];
        }),
      )
      // `/invitations/accept` before `/invitations/{invitationId}`.
      .sort((one, other) => one.parameters - other.parameters);
  }

  /** Throws a sentence for each way in which the answer is not as documented. */
  check(method: string, url: string, answer: Answer): void {
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

  /** What is wrong with a value of one of the document's schemas; empty when nothing is. */
  schemaErrors(schema: SchemaObject | ReferenceObject, value: unknown): string[] {
    return this.validator.errors(schema, value);
  }

  /** Of the paths that fit, only the most exact has operations: `/documents/search` is no document. */
  private find(method: string, path: string): OperationObject | undefined {
    const fitting = this.operations.filter(({ pattern }) => pattern.test(path));
    return fitting.find(
      (candidate) => candidate.method === method && candidate.parameters === fitting[0]?.parameters,
    )?.operation;
  }

  private bodyErrors(
    { content, 'x-problems': problems = [] }: ResponseObject & ProblemKinds,
    { status, headers, body }: Answer,
  ): string[] {
    const type = headers['content-type']?.replace(/;.*$/, '');
    if (!content) return type === undefined ? [] : [`it has a body of type ${type} and should have none`];
    const documented = content[type ?? ''] ?? content['*/*'];
    if (!documented)
      return [`its media type ${type ?? '(none)'} is none of ${Object.keys(content).join(', ')}`];
    if (!type?.endsWith('json')) return [];
    const errors = this.validator.errors(documented.schema ?? {}, body);
    const kind = (body as { type?: string }).type?.replace('/problems/', '') ?? '';
    if (status >= 400 && !problems.includes(kind)) {
      errors.push(
        `${kind} is not among the kinds of problem that it declares (codes of @Endpoint): ${problems.join(', ')}`,
      );
    }
    return errors;
  }
}

/** The response itself, where an operation refers to a shared one. */
export function resolvedResponse(
  { components }: OpenAPIObject,
  response: ResponseObject | ReferenceObject | undefined,
): ResponseObject | undefined {
  if (!response || !('$ref' in response)) return response;
  const name = response.$ref.replace('#/components/responses/', '');
  return components?.responses?.[name] as ResponseObject | undefined;
}

function headerErrors({ headers = {} }: ResponseObject, answer: Answer): string[] {
  return Object.keys(headers)
    .filter((name) => answer.headers[name.toLowerCase()] === undefined)
    .filter((name) => !(answer.status >= 400 && OPTIONAL_ON_PROBLEMS.includes(name)))
    .filter((name) => name !== 'Link' || hasNextPage(answer))
    .map((name) => `${name} is missing`);
}

function hasNextPage({ body }: Answer): boolean {
  return typeof (body as { nextCursor?: unknown } | undefined)?.nextCursor === 'string';
}

function patternOf(path: string): { pattern: RegExp; parameters: number } {
  const parts = path.split(/\{\w+\}/);
  return {
    pattern: new RegExp(`^${parts.map((part) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&')).join('[^/]+')}$`),
    parameters: parts.length - 1,
  };
}
