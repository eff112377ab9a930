import { HttpCode, SetMetadata, type Type, applyDecorators } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiExtension, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import { type GrantLevel } from '../tenancy/access-grant.entity.js';
import { type Permission } from '../vocabulary/permissions.js';
import { ProblemDetails, ValidationProblemDetails } from './problem-details.dto.js';

export type ProblemStatus = 400 | 401 | 403 | 404 | 405 | 406 | 409 | 412 | 413 | 415 | 416 | 503 | 507;

/** Everything there is to say about an operation, said once: the guards, the OpenAPI document and the tests read it. */
export interface EndpointOptions {
  /** The operationId. */
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  /** `member`: every member may. `user`: anybody with a good token, member or not. */
  readonly permission: Permission | 'member' | 'user';
  /**
   * What can stand in for the permission: a live grant of the level on the addressed thing
   * (`fileId` or `documentId` in the path), or any such grant where none is addressed.
   */
  readonly orGrant?: { readonly level: GrantLevel; readonly on: 'file' | 'document' | 'any' };
  /** Or: standing on the confidentiality list of the addressed document while holding this permission. */
  readonly orListedWith?: Permission;
  readonly success: 200 | 201 | 204;
  /** The problems of the operation itself; 401, 429 and what any request can meet are added. */
  readonly problems: readonly ProblemStatus[];
  /** Shape of the answer; in brackets for a bare array. */
  readonly returns?: Type | readonly [Type];
  /** Shape of the JSON body; without one the body is ignored, whatever it holds. */
  readonly body?: Type;
  /** The body may also come as multipart/form-data with the JSON part `document` and the file part `content`. */
  readonly upload?: boolean;
  /** Not one of the specified operations. */
  readonly addition?: boolean;
  /** The answer is a single resource: it carries an entity tag, and writes honour If-Match. */
  readonly tagged?: boolean;
  /** Honours Idempotency-Key. `secrets` are members of the answer that are shown once. */
  readonly idempotent?: boolean | { readonly secrets: readonly string[] };
  /** What a caller without access to the tenant gets; 403 but for GetTenantMe. */
  readonly noAccess?: 403 | 404;
  /** Answers bytes by itself instead of JSON. */
  readonly streams?: boolean;
}

export const ENDPOINT = 'filing:endpoint';

const STATUS_TEXT: Record<number, string> = {
  400: 'Values of the request cannot be accepted; `errors` names each of them',
  401: 'No access token, or none that is accepted',
  403: 'No access to the tenant, or a permission is missing',
  404: 'There is no such thing, or the caller cannot see it',
  405: 'The path does not take this method',
  406: 'The answer is not to be had in an accepted form',
  409: 'The state of the resource, or another one, is in the way',
  412: 'The resource has changed since the entity tag in If-Match was read',
  413: 'The body is too large',
  415: 'The body is of another media type than the operation takes',
  416: 'The content does not have the requested range',
  429: 'Too many requests; `Retry-After` says when to try again',
  503: 'The service cannot answer now; `Retry-After` says when to try again',
  507: 'There is no room to store the content',
};

const RATE_LIMIT_HEADERS = {
  'RateLimit-Policy': { description: 'The limit in force', schema: { type: 'string' as const } },
  RateLimit: { description: 'What is left of it', schema: { type: 'string' as const } },
};

/** Declares an operation on its handler. A route without it stops the start. */
export function Endpoint(options: EndpointOptions): MethodDecorator {
  const { returns, body, success } = options;
  const statuses = new Set<number>([401, ...options.problems, 429]);
  if (options.tagged && body) statuses.add(412);
  if (options.noAccess !== 404) statuses.add(403);
  else statuses.add(404);
  if (body) for (const status of [413, 415]) statuses.add(status);
  return applyDecorators(
    SetMetadata(ENDPOINT, options),
    HttpCode(success),
    ApiBearerAuth('oauth2'),
    ApiOperation({ operationId: options.operation, summary: options.summary, description: options.description }),
    ...(options.addition ? [ApiExtension('x-addition', true)] : []),
    ...(options.permission === 'user' ? [] : [ApiExtension('x-permission', options.permission)]),
    ...(options.permission === 'user' && !returns ? [] : [ApiParam({ name: 'tenant', description: 'Slug of the tenant', schema: { type: 'string' }, example: 'demo' })]),
    ...(body && !options.upload ? [ApiBody({ type: body, required: true })] : []),
    ApiResponse({
      status: success,
      description: success === 204 ? 'Done' : success === 201 ? 'Created' : 'OK',
      ...(returns && (Array.isArray(returns) ? { type: returns[0] as Type, isArray: true } : { type: returns as Type })),
      headers: {
        ...RATE_LIMIT_HEADERS,
        ...(options.tagged && { ETag: { description: 'Entity tag of the resource', schema: { type: 'string' as const } } }),
      },
    }),
    ...[...statuses].sort().map((status) => problemResponse(status)),
  );
}

function problemResponse(status: number): MethodDecorator {
  return ApiResponse({
    status,
    description: STATUS_TEXT[status] ?? '',
    content: {
      'application/problem+json': {
        schema: { $ref: `#/components/schemas/${status === 400 ? ValidationProblemDetails.name : ProblemDetails.name}` },
      },
    },
    ...(status === 429 || status === 503
      ? { headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' as const } } } }
      : {}),
  });
}
