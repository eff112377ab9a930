import { type ExecutionContext } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { NO_TENANT, type Owner } from '../../../common/shares.js';
import { type VerifiedIdentity } from '../../identity/token-verifier.js';
import { type Span } from '../../telemetry/span.js';
import { type Caller, type User } from '../../tenancy/access/caller.js';
import { type UploadedContent } from '../body/multipart-upload.js';
import { ENDPOINT, type EndpointOptions } from '../endpoint/endpoint.js';

/** What the stages of the pipeline learn about a request and hand on. */
interface RequestState {
  readonly requestId: string;
  readonly startedAt: bigint;
  /** Only where traces are sent. */
  span?: Span;
  endpoint?: EndpointOptions;
  identity?: VerifiedIdentity;
  user?: User;
  caller?: Caller | undefined;
  /** Takes the cost of the request, in requests, from the caller's bucket; throws a Problem 429 where it is too much. */
  charge?: (cost: number) => boolean | Promise<boolean>;
  /** Takes the cost of what has been done for the request, whether the bucket has it or not. */
  debit?: (cost: number) => void;
  /** Whether the caller was found to hold the operation's permission. */
  admitted?: boolean;
  upload?: UploadedContent | null;
  /** Hash of the raw body, for telling repeated requests from new ones. */
  bodyHash?: string;
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

/** What the handler declares; undefined on public routes only, for the start refuses any other without it. */
export function endpointOf(context: ExecutionContext): EndpointOptions | undefined {
  return Reflect.getMetadata(ENDPOINT, context.getHandler()) as EndpointOptions | undefined;
}

/** A path parameter; with a wildcard route it could be a list. */
export function pathParameter(request: FilingRequest, name: string): string {
  const value = request.params[name];
  return typeof value === 'string' ? value : '';
}

/** Whose shares the request uses. */
export function ownerOf({ state: { caller, user } }: FilingRequest): Owner {
  return { tenant: caller?.tenantId ?? NO_TENANT, caller: user?.id ?? '' };
}
