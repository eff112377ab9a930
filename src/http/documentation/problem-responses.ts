import { type ResponseObject } from '@nestjs/swagger';
import { PROBLEMS, type ProblemCode } from '../../vocabulary/problems.js';
import { type EndpointOptions } from '../endpoint.js';
import { ProblemDetails, ValidationProblemDetails } from '../problem-details.dto.js';
import { type ResponseHeader, headerReferences } from './headers.js';

const STATUS_TEXT: Record<number, string> = {
  400: 'Values of the request cannot be accepted; `errors` names each of them',
  401: 'No access token, or none that is accepted',
  403: 'No access to the tenant, or a permission is missing',
  404: 'There is no such thing, or the caller cannot see it',
  405: 'The path does not take this method; `Allow` names those that it takes',
  406: 'The answer is not to be had in a form that `Accept` allows',
  409: 'The state of the resource, or another one, is in the way',
  412: 'The resource has changed since the entity tag in `If-Match` was read',
  413: 'The body is too large',
  415: 'The body is of another media type than the operation takes',
  416: 'The content does not have the requested range',
  429: 'Too many requests; `Retry-After` says when to try again',
  431: 'The header fields of the request are too large',
  500: 'The service failed; the request id finds the cause in its log',
  503: 'The service cannot answer now; `Retry-After` says when to try again',
  507: 'There is no room to store the content, or the tenant has used up its storage',
};

/** A problem response with an example for each kind of problem behind it. */
export function problemResponse(
  status: number,
  codes: readonly ProblemCode[],
  headers: readonly ResponseHeader[],
): ResponseObject {
  const schema = status === 400 ? ValidationProblemDetails.name : ProblemDetails.name;
  return {
    description: STATUS_TEXT[status] ?? 'A problem',
    headers: headerReferences(headers),
    content: {
      'application/problem+json': {
        schema: { $ref: `#/components/schemas/${schema}` },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

/** Which kinds of problem stand behind a status of an operation, the general ones first. */
export function problemCodes(status: number, endpoint: EndpointOptions): ProblemCode[] {
  const own = (endpoint.codes ?? []).filter((code) => PROBLEMS[code].status === status);
  return [...new Set([...generalCodes(status, endpoint), ...own])];
}

function generalCodes(
  status: number,
  { problems, body, contentBody, idempotent, addition, permission, noAccess }: EndpointOptions,
): ProblemCode[] {
  const conflicts = problems.includes(409) || addition === true;
  switch (status) {
    case 400:
      return [
        ...(problems.includes(400) ? (['request.invalid'] as const) : []),
        ...(body || contentBody ? (['request.malformed-body'] as const) : []),
        ...(idempotent && !conflicts ? (['request.idempotency-key-reused'] as const) : []),
      ];
    case 403:
      return [
        ...(permission !== 'user' && noAccess !== 404 ? (['tenant.no-access'] as const) : []),
        ...(permission !== 'user' && permission !== 'member' ? (['permission.missing'] as const) : []),
      ];
    case 409:
      return idempotent && conflicts ? ['request.idempotency-conflict'] : [];
    case 507:
      return ['content.storage-full', 'content.quota-exceeded'];
    default:
      return BY_STATUS[status] ? [BY_STATUS[status]] : [];
  }
}

const BY_STATUS: Record<number, ProblemCode> = {
  401: 'authentication.required',
  404: 'resource.not-found',
  405: 'route.method-not-allowed',
  406: 'request.not-acceptable',
  412: 'request.precondition-failed',
  413: 'request.too-large',
  415: 'request.unsupported-media-type',
  416: 'content.range-not-satisfiable',
  429: 'request.rate-limited',
  431: 'request.headers-too-large',
  500: 'service.error',
  503: 'service.unavailable',
};
