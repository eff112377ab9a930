import { HttpCode, SetMetadata, type Type, UseInterceptors, applyDecorators } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { type PROBLEMS, type ProblemCode } from '../../../common/messages/problems.js';
import { type Permission } from '../../../common/vocabulary/permissions.js';
import { type GrantLevel } from '../../tenancy/access/access-grant.entity.js';
import { UnusedUploadInterceptor } from '../body/unused-upload.interceptor.js';

type ProblemStatus = 400 | 401 | 403 | 404 | 405 | 406 | 409 | 412 | 413 | 415 | 416 | 503 | 507;

/** The problems of some statuses. */
type CodesOf<S extends ProblemStatus> = {
  [C in ProblemCode]: (typeof PROBLEMS)[C]['status'] extends S ? C : never;
}[ProblemCode];

/** Everything there is to say about an operation, said once: the guards, the OpenAPI document and the tests read it. */
export interface EndpointOptions<S extends ProblemStatus = ProblemStatus> {
  /** The operationId. */
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * `member`: every member may. `user`: anybody with a good token, member or not. Of several, the body decides which
   * one is needed: who holds none of them is refused before it is read, and the service asks for the very one.
   */
  readonly permission: Permission | readonly Permission[] | 'member' | 'user';
  /**
   * What can stand in for the permission: a live grant of the level on the addressed thing
   * (`fileId` or `documentId` in the path), or any such grant where none is addressed.
   */
  readonly orGrant?: { readonly level: GrantLevel; readonly on: 'file' | 'document' | 'any' };
  /**
   * Or: standing on the confidentiality list of the addressed document while holding this permission, by the role or,
   * where it gives it, by a Write grant on a file with the document.
   */
  readonly orListedWith?: Permission;
  /** Or: having created the addressed document, if it is not confidential to others, while holding this permission. */
  readonly orCreatorWith?: Permission;
  readonly success: 200 | 201 | 204;
  /** With `success` 201: the member of the answer that the path of what was created ends in; `id` where it is absent. */
  readonly createdId?: string;
  /** The problems of the operation itself; 401, 429 and what any request can meet are added. */
  readonly problems: readonly S[];
  /** Which kinds of problem stand behind `problems`, where there is more to say than the status does. */
  readonly codes?: readonly CodesOf<S>[];
  /** Shape of the answer; in brackets for a bare array. */
  readonly returns?: Type | readonly [Type];
  /** Shape of the JSON body; without one the body is ignored, whatever it holds. */
  readonly body?: Type;
  /** How large the JSON body may be; `normal` where it is absent. */
  readonly bodyLimit?: BodyLimit;
  /** What the request costs, in requests, by its body (any JSON object); 1 where it is absent, or less. */
  readonly cost?: (body: object) => number;
  /** The body may also come as multipart/form-data with the JSON part `document` and the file part `content`. */
  readonly upload?: boolean;
  /** The body is content: as it is, of any media type, or multipart/form-data with the file part `content`. */
  readonly contentBody?: boolean;
  /** Not one of the specified operations. */
  readonly addition?: boolean;
  /**
   * The answer is a single resource: it carries an entity tag, and writes honour If-Match. The tag is that of the
   * answer as it stands, or what this makes of the answer, where that is not all of the resource, or more.
   */
  readonly tagged?: boolean | ((answer: object) => string);
  /** Honours Idempotency-Key. `secrets` are members of the answer that are shown once. */
  readonly idempotent?: boolean | { readonly secrets: readonly string[] };
  /** What a caller without access to the tenant gets; 403 but for GetTenantMe. */
  readonly noAccess?: 403 | 404;
  /** Changes nothing, although its method is POST. */
  readonly readOnly?: boolean;
  /** Answers bytes by itself instead of JSON. */
  readonly streams?: boolean;
}

/** Sizes of JSON bodies. `secret`: 4 KiB; `large`: 1 MiB; `definition`: 1 MiB with many values. */
export const BODY_LIMITS = {
  secret: { bytes: 4 * 1024, values: 100 },
  normal: { bytes: 64 * 1024, values: 5000 },
  large: { bytes: 1024 * 1024, values: 5000 },
  definition: { bytes: 1024 * 1024, values: 120_000 },
} as const;

/** How many arrays and objects of a JSON body may be nested. */
export const MAX_JSON_DEPTH = 32;

export type BodyLimit = keyof typeof BODY_LIMITS;

export const ENDPOINT = 'filing:endpoint';

/**
 * Declares an operation on its handler. A route without it stops the start. What Nest's own OpenAPI scan has to see
 * are the classes of body and answer; the rest of the operation's description is made from the options
 * (documentation/operation.ts).
 */
export function Endpoint<const S extends ProblemStatus>(options: EndpointOptions<S>): MethodDecorator {
  const { operation, summary, body, returns, success, upload, contentBody } = options;
  return applyDecorators(
    SetMetadata(ENDPOINT, options),
    HttpCode(success),
    ApiOperation({ operationId: operation, summary }),
    ...(upload || contentBody ? [UseInterceptors(UnusedUploadInterceptor)] : []),
    ...(body ? [ApiBody({ type: body, required: true })] : []),
    ...(returns ? [ApiResponse({ status: success, ...shapeOf(returns) })] : []),
  );
}

function shapeOf(returns: Type | readonly [Type]): { type: Type; isArray?: boolean } {
  return typeof returns === 'function' ? { type: returns } : { type: returns[0], isArray: true };
}
