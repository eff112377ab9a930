import { invalidValue } from '../../../common/problem.js';
import {
  type IdempotencyRequest,
  type RequestConditions,
} from '../../database/transactions/tenant-context.js';
import { type EndpointOptions } from '../endpoint/endpoint-options.js';
import { type FilingRequest } from './request-state.js';

/** Reads If-Match, If-None-Match and Idempotency-Key, which the transaction checks; undefined if the request has none of them. */
export function conditionsOf(
  request: FilingRequest,
  endpoint: EndpointOptions,
): RequestConditions | undefined {
  const isConditional = endpoint.entityTag && (request.method === 'PUT' || request.method === 'DELETE');
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = isConditional ? request.headers : {};
  const idempotency = endpoint.idempotent ? idempotencyOf(request, endpoint) : undefined;
  return ifMatch === undefined && ifNoneMatch === undefined && idempotency === undefined
    ? undefined
    : { ifMatch, ifNoneMatch, idempotency };
}

function idempotencyOf(request: FilingRequest, endpoint: EndpointOptions): IdempotencyRequest | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidValue('Idempotency-Key', 'value.idempotency-key');
  }
  const { operation, idempotent, problems, specified } = endpoint;
  const { bodyHash = '', textHash = '' } = request.state;
  // Without the tenant's slug: a request repeated after the slug has changed must have the same fingerprint.
  const url = request.originalUrl.replace(/^\/api\/v1\/t\/[^/]*/, '');
  return {
    operation,
    key,
    fingerprint: `${url} ${bodyHash}`,
    formerFingerprint: `${url} ${textHash}`,
    secrets: typeof idempotent === 'object' ? idempotent.secrets : [],
    onMismatch:
      problems.includes(409) || !specified
        ? 'request.idempotency-conflict'
        : 'request.idempotency-key-reused',
  };
}
