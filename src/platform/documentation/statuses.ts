import { type EndpointOptions } from '../http/endpoint/endpoint-options.js';

interface OperationStatuses {
  readonly success: readonly number[];
  /** Problem statuses of this operation. The operation's spec has a test for each of them. */
  readonly problems: readonly number[];
  /** Problem statuses of every operation. */
  readonly common: readonly number[];
}

/** All statuses of an operation: those that it declares, and those that follow from its other options. */
export function statusesOf(endpoint: EndpointOptions, method: string): OperationStatuses {
  const { body, upload, contentBody, entityTag, idempotent, streams, specified } = endpoint;
  const { permission, noAccess = 403 } = endpoint;
  const success = new Set<number>([endpoint.success]);
  const problems = new Set<number>([...endpoint.problems, 401, 429]);
  if (permission !== 'user') problems.add(noAccess);
  if (body || contentBody) for (const status of [400, 413, 415]) problems.add(status);
  if (upload || contentBody) problems.add(507);
  // For a key that was used for another request. Specified operations without a 409 answer 400 instead.
  if (idempotent && !specified) problems.add(409);
  if (entityTag && (method === 'PUT' || method === 'DELETE')) problems.add(412);
  if ((entityTag && method === 'GET') || streams) success.add(304);
  if (streams) {
    success.add(206);
    problems.add(412).add(416);
  }
  const common = streams ? [431, 500, 503] : [406, 431, 500, 503];
  return { success: [...success], problems: [...problems], common };
}
