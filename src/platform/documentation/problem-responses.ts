import {
  type OpenAPIObject,
  type OperationObject,
  type ReferenceObject,
  type ResponseObject,
} from '@nestjs/swagger';
import { PROBLEMS, type ProblemCode } from '../../common/messages/problems.js';
import { type EndpointOptions } from '../http/endpoint/endpoint-options.js';
import { ProblemDetails, ValidationProblemDetails } from '../http/endpoint/problem-details.dto.js';
import { problemExample } from './examples.js';
import { headerReferences, problemHeaders } from './headers.js';

const STATUS_TEXT: Record<number, string> = {
  400: 'Invalid values; `errors` names each of them',
  401: 'No access token, or an invalid one',
  403: 'No access to the tenant, or a permission is missing',
  404: 'Not found, or not visible to the caller',
  406: 'None of the media types in `Accept` is available',
  409: 'The state of the resource, or of another one, does not allow this',
  412: 'The resource does not meet the condition in `If-Match` or `If-None-Match`',
  413: 'The body is too large',
  415: 'The operation does not accept this media type',
  416: 'The content does not have the requested range',
  429: 'Too many requests; `Retry-After` says when to retry',
  431: 'The header fields of the request are too large',
  500: 'Internal error; the request id identifies it in the log',
  503: 'The service is unavailable; `Retry-After` says when to retry',
  507: 'The storage is full, or the tenant has used its quota',
};

type ProblemCodes = readonly [ProblemCode, ...ProblemCode[]];

/** Problem codes of the shared responses, by name. The first code is the example. */
const SHARED: Readonly<Record<string, ProblemCodes>> = {
  InvalidParameters: ['request.invalid'],
  InvalidRequest: ['request.invalid', 'request.malformed-body'],
  Unauthorized: ['authentication.required'],
  NoAccess: ['tenant.no-access', 'tenant.suspended'],
  Forbidden: ['permission.missing', 'tenant.no-access', 'tenant.suspended'],
  ForbiddenEscalation: [
    'permission.missing',
    'tenant.no-access',
    'tenant.suspended',
    'permission.escalation',
  ],
  NotFound: ['resource.not-found'],
  NotAcceptable: ['request.not-acceptable'],
  PreconditionFailed: ['request.precondition-failed'],
  ContentTooLarge: ['request.too-large'],
  UnsupportedMediaType: ['request.unsupported-media-type'],
  RangeNotSatisfiable: ['content.range-not-satisfiable'],
  TooManyRequests: ['request.rate-limited'],
  HeadersTooLarge: ['request.headers-too-large'],
  InternalError: ['service.error'],
  Unavailable: ['service.unavailable'],
  InsufficientStorage: ['content.quota-exceeded', 'content.storage-full'],
};

const NAMES = new Map(Object.entries(SHARED).map(([name, codes]) => [codes.join(), name]));

export function sharedResponses(): Record<string, ResponseObject> {
  return Object.fromEntries(
    Object.entries(SHARED).map(([name, codes]) => [name, response(PROBLEMS[codes[0]].status, codes)]),
  );
}

const PREFIX = '#/components/responses/';

/** The response for these problems: a reference to a shared response if one has exactly these codes. */
export function problemResponse(
  status: number,
  codes: readonly ProblemCode[],
): ResponseObject | ReferenceObject {
  const name = NAMES.get(codes.join());
  return name === undefined ? response(status, codes) : { $ref: PREFIX + name };
}

/** Operations by code of the problems that they return, in the order of the document. */
export function operationsByProblem({ paths }: OpenAPIObject): ReadonlyMap<string, OperationObject[]> {
  const found = new Map<string, OperationObject[]>();
  const operations = Object.values(paths).flatMap((item) => Object.values(item) as OperationObject[]);
  for (const operation of operations)
    for (const code of Object.values(operation.responses).flatMap(codesOf))
      found.set(code, [...(found.get(code) ?? []), operation]);
  return found;
}

function codesOf(described: DescribedProblems | ReferenceObject | undefined): readonly ProblemCode[] {
  if (described && '$ref' in described) return SHARED[described.$ref.replace(PREFIX, '')] ?? [];
  return described?.['x-problems'] ?? [];
}

interface DescribedProblems extends ResponseObject {
  readonly 'x-problems'?: readonly ProblemCode[];
}

function response(status: number, codes: readonly ProblemCode[]): DescribedProblems {
  const schema = status === 400 ? ValidationProblemDetails.name : ProblemDetails.name;
  const [first] = codes;
  return {
    description: `${STATUS_TEXT[status] ?? 'A problem'} (${codes.map((code) => `\`${code}\``).join(', ')})`,
    headers: headerReferences(problemHeaders(status)),
    content: {
      'application/problem+json': {
        schema: { $ref: `#/components/schemas/${schema}` },
        ...(first && { example: problemExample(first) }),
      },
    },
    'x-problems': codes,
  };
}

/** The first code becomes the example. */
export function problemCodes(status: number, endpoint: EndpointOptions): ProblemCode[] {
  const own = (endpoint.codes ?? []).filter((code) => PROBLEMS[code].status === status);
  const general = generalCodes(status, endpoint);
  return [...new Set(status === 409 ? [...own, ...general] : [...general, ...own])];
}

function generalCodes(
  status: number,
  { problems, body, contentBody, idempotent, specified, permission, noAccess }: EndpointOptions,
): readonly ProblemCode[] {
  const conflicts = problems.includes(409) || !specified;
  switch (status) {
    case 400:
      return [
        ...(problems.includes(400) ? (['request.invalid'] as const) : []),
        ...(body || contentBody ? (['request.malformed-body'] as const) : []),
        ...(idempotent && !conflicts ? (['request.idempotency-key-reused'] as const) : []),
      ];
    case 403:
      return [
        ...(permission !== 'user' && permission !== 'member' ? (['permission.missing'] as const) : []),
        ...(permission !== 'user' && noAccess !== 404
          ? (['tenant.no-access', 'tenant.suspended'] as const)
          : []),
      ];
    case 409:
      return idempotent && conflicts ? ['request.idempotency-conflict'] : [];
    default:
      return Object.values(SHARED).find(([first]) => PROBLEMS[first].status === status) ?? [];
  }
}
