import { type ExecutionContext } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { NO_TENANT, type Owner } from '../../../common/shares.js';
import { type VerifiedIdentity } from '../../identity/token-verifier.js';
import { type Span } from '../../telemetry/span.js';
import { type Caller, type User } from '../../tenancy/access/caller.js';
import { type UploadedContent } from '../body/multipart-upload.js';
import { type BytePrice } from '../rate-limit/byte-price.js';
import { type Payment } from '../rate-limit/rate-limiter.js';
import { ENDPOINT, type EndpointOptions } from '../endpoint/endpoint-options.js';

interface RequestState {
  readonly requestId: string;
  readonly startedAt: bigint;
  /** Set only if tracing is enabled. */
  span?: Span;
  /** Path of the route, with `:name` parameters. */
  route?: string;
  endpoint?: EndpointOptions;
  identity?: VerifiedIdentity;
  user?: User;
  caller?: Caller | undefined;
  /** The user who made the link of the request, which takes the place of a token. Only its handler sets it. */
  linkedUser?: User;
  /** Charges the cost (a number of requests) to the caller's rate limit; throws a Problem 429 if it is exceeded. */
  charge?: (cost: number) => boolean | Promise<boolean>;
  /** Charges one more request if the rate limit allows it. Only for streams, which pay after their headers. */
  tryCharge?: () => Promise<Payment>;
  /** Charges the cost of work already done, even if the rate limit is exceeded. */
  debit?: (cost: number) => void;
  /** Charges bytes that are read or sent. */
  bytePrice?: BytePrice;
  /** Whether the permission guard has admitted the caller. */
  admitted?: boolean;
  upload?: UploadedContent | null;
  /** Whether the response is an open stream. It is then not aborted, although it is not complete. */
  isStream?: boolean;
  /** Hash of the body, for comparing requests with the same Idempotency-Key. */
  bodyHash?: string;
  /** The same hash of the text as it was sent. */
  textHash?: string;
}

export interface FilingRequest extends Request {
  state: RequestState;
}

export function requestOf(context: ExecutionContext): FilingRequest {
  return context.switchToHttp().getRequest<FilingRequest>();
}

export function responseOf(context: ExecutionContext): Response {
  return context.switchToHttp().getResponse<Response>();
}

/** The handler's declaration. Undefined only for public routes: the start fails for any other route without one. */
export function endpointOf(context: ExecutionContext): EndpointOptions | undefined {
  return Reflect.getMetadata(ENDPOINT, context.getHandler()) as EndpointOptions | undefined;
}

/** A path parameter. Only wildcard routes, which this service does not have, have lists as parameters. */
export function pathParameter(request: FilingRequest, name: string): string {
  const value = request.params[name];
  return typeof value === 'string' ? value : '';
}

/** The tenant and user whose shares of limited resources the request uses. */
export function ownerOf({ state: { caller, user } }: FilingRequest): Owner {
  return { tenant: caller?.tenantId ?? NO_TENANT, caller: user?.id ?? '' };
}
