import { type Type } from '@nestjs/common';
import { type PROBLEMS, type ProblemCode } from '../../../common/messages/problems.js';
import { type Permission } from '../../../common/vocabulary/permissions.js';
import { type GrantLevel } from '../../tenancy/access/access-grant.entity.js';
import { type ResponseHeader } from '../response/response-headers.js';

export type ProblemStatus = (typeof PROBLEMS)[ProblemCode]['status'];

/** Declaration of an operation. The guards, the OpenAPI document and the tests read it. */
export interface EndpointOptions extends EndpointDeclaration {
  readonly success: 200 | 201 | 202 | 204;
  readonly problems: readonly ProblemStatus[];
  /** DTO class of the parameter with @Query. */
  readonly query?: Type<object>;
}

/** What a handler declares; @Endpoint adds what follows from its parameters and its response. */
export interface EndpointDeclaration {
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * Permission of the role. `member`: every member may call. `user`: every user with a valid token may call, member
   * or not. List: the body decides which of them is needed. The guard rejects a caller who holds none of them
   * before the body is read; the service then checks the needed one.
   */
  readonly permission: Permission | readonly Permission[] | 'member' | 'user';
  /** Another permission that the caller must have, too. */
  readonly andPermission?: Permission;
  /**
   * Alternative to the permission: a grant of this level that has not expired. It must cover the file or document
   * in the path (`fileId`, `documentId`); with `any`, any such grant is enough.
   */
  readonly orGrant?: { readonly level: GrantLevel; readonly on: 'file' | 'document' | 'any' };
  /**
   * Alternative to the permission: the caller is on the access list of the document in the path and holds
   * this permission, by role or by a Write grant (for permissions that Write includes) on a file with the document.
   */
  readonly orListedWith?: Permission;
  /**
   * Alternative to the permission: the caller created the document in the path, which is not confidential to others,
   * and holds this permission.
   */
  readonly orCreatorWith?: Permission;
  /** Default: 200 with a response body, else 204. 202: the work is done later; the body is a resource with its status. */
  readonly success?: 200 | 201 | 202 | 204;
  /** With `success` 201 or 202: the member of the response body that ends the `Location` path. Default: `id`. */
  readonly createdId?: string;
  /** With `success` 201 or 202: the collection of the resource in the tenant. Default: the path of the request. */
  readonly createdIn?: string;
  /** Problem statuses that follow neither from `codes`, nor from the parameters of the handler, nor from an option. */
  readonly problems?: readonly ProblemStatus[];
  /** Problem codes of this operation that are more specific than the general code of their status. */
  readonly codes?: readonly ProblemCode[];
  /** DTO class of the response body; `[Class]` for an array that is not a page. */
  readonly returns?: Type | readonly [Type];
  /**
   * DTO class of the JSON body. Default: the type of the parameter with @Body. Without such a parameter, a body in the
   * request is ignored.
   */
  readonly body?: Type<object>;
  /** False if no value of the body gets a 400. */
  readonly validated?: false;
  /** Default: `normal`. */
  readonly bodyLimit?: BodyLimit;
  /** Part of a request of the rate limit that a request costs before its work. Default: 1. */
  readonly price?: number;
  /** How many requests of the rate limit this request costs, by its JSON body. Default and minimum: 1. */
  readonly cost?: (body: object) => number;
  /** The body may also come as multipart/form-data with the JSON part `document` and the file part `content`. */
  readonly upload?: boolean;
  /** The body is the content itself, of any media type, or multipart/form-data with the file part `content`. */
  readonly contentBody?: boolean;
  /** True for the operations of the interface specification; all others are additions to it. */
  readonly specified?: boolean;
  /**
   * The response is a single resource: it has an ETag, and PUT and DELETE check If-Match and If-None-Match. `true` hashes the response
   * body. A function computes the tag when the response body is not exactly the representation to compare.
   */
  readonly entityTag?: boolean | ((answer: object) => string);
  /** Supports Idempotency-Key. `secrets`: members of the response body that are not stored for a repeated request. */
  readonly idempotent?: boolean | { readonly secrets: readonly string[] };
  /** Status for a caller without access to the tenant. Default: 403. */
  readonly noAccess?: 403 | 404;
  /** A POST operation that changes nothing. */
  readonly readOnly?: boolean;
  /** The handler writes the response body (bytes instead of JSON). */
  readonly streams?: boolean;
  /** The handler returns a string or a Buffer of this media type instead of JSON. */
  readonly produces?: 'text/plain' | 'image/webp' | 'application/x-ndjson';
  /** Also answers with an HTML page, if Accept prefers it to JSON (see `preparePage`). */
  readonly page?: boolean;
  /** Further header fields of a successful response. */
  readonly headers?: readonly ResponseHeader[];
  /**
   * The response is a stream of Server-Sent Events. A `resumable` one continues after the event in `Last-Event-ID`.
   * `returns` is the class of the data of each event.
   */
  readonly eventStream?: 'live' | 'resumable';
}

export const BODY_LIMITS = {
  secret: { bytes: 4 * 1024, values: 100 },
  normal: { bytes: 64 * 1024, values: 5000 },
  large: { bytes: 1024 * 1024, values: 5000 },
  definition: { bytes: 1024 * 1024, values: 120_000 },
} as const;

export const MAX_JSON_DEPTH = 32;

export type BodyLimit = keyof typeof BODY_LIMITS;

export const ENDPOINT = 'filing:endpoint';

/** Whether the operation reads a body. A body sent to any other operation is ignored. */
export function takesBody({
  body,
  contentBody = false,
}: Pick<EndpointOptions, 'body' | 'contentBody'>): boolean {
  return body !== undefined || contentBody;
}
