import { type EndpointOptions } from '../http/endpoint/endpoint.js';

interface OperationStatuses {
  readonly success: readonly number[];
  /** What this operation is refused with; each of them has cases of its own in the operation's spec. */
  readonly problems: readonly number[];
  /** What any operation can answer, before or whatever it does. */
  readonly common: readonly number[];
}

/** Header fields that are too large, a fault of ours, and "not now" are nobody's in particular. */
const COMMON = [431, 500, 503];

/** Every status that an operation can answer with: what it declares, and what follows from what it declares. */
export function statusesOf(endpoint: EndpointOptions, method: string): OperationStatuses {
  const {
    body,
    upload,
    contentBody,
    tagged,
    idempotent,
    streams,
    addition,
    permission,
    noAccess = 403,
  } = endpoint;
  const success = new Set<number>([endpoint.success]);
  const problems = new Set<number>([...endpoint.problems, 401, 429]);
  if (permission !== 'user') problems.add(noAccess);
  if (body || contentBody) for (const status of [400, 413, 415]) problems.add(status);
  if (upload || contentBody) problems.add(507);
  // A key that was used for another request; without a 409 of its own the operation says so with a 400.
  if (idempotent && addition) problems.add(409);
  if (tagged && (method === 'PUT' || method === 'DELETE')) problems.add(412);
  if ((tagged && method === 'GET') || streams) success.add(304);
  if (streams) {
    success.add(206);
    problems.add(412).add(416);
  }
  return {
    success: sorted(success),
    problems: sorted(problems),
    common: COMMON.concat(streams ? [] : [406]).sort((a, b) => a - b),
  };
}

function sorted(statuses: Iterable<number>): number[] {
  return [...statuses].sort((a, b) => a - b);
}
