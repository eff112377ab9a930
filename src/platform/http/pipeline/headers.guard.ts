import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Problem } from '../../../common/problem.js';
import { takesBody } from '../endpoint/endpoint-options.js';
import { StrictHandling } from '../input/strict-handling.js';
import { conditionsOf } from './request-conditions.js';
import { type FilingRequest, requestOf } from './request-state.js';

/**
 * Runs after the other guards. Checks Accept. For an operation without a body, it also rejects unknown parameters
 * (`Prefer: handling=strict`) and reads the conditions; otherwise the interceptor that reads the body does.
 */
@Injectable()
export class HeadersGuard implements CanActivate {
  constructor(private readonly strictHandling: StrictHandling) {}

  canActivate(context: ExecutionContext): boolean {
    const request = requestOf(context);
    const { endpoint, caller } = request.state;
    if (!endpoint) return true;
    const { streams, eventStream, produces, page } = endpoint;
    const mediaType = produces ?? (eventStream ? 'text/event-stream' : 'application/json');
    const isAccepted = accepts(request, mediaType) || (page === true && accepts(request, 'text/html'));
    if (!streams && !isAccepted) throw new Problem('request.not-acceptable');
    if (takesBody(endpoint)) return true;
    this.strictHandling.of(context, endpoint)?.check();
    if (caller) caller.conditions = conditionsOf(request, endpoint);
    return true;
  }
}

/** Parameters of a media range other than `q` are ignored: JSON has none (RFC 8259, 11). */
function accepts(request: FilingRequest, mediaType: string): boolean {
  const { accept } = request.headers;
  if (accept === undefined || accept === '*/*' || accept === mediaType) return true;
  const acceptable = ['*/*', mediaType.replace(/\/.*/, '/*'), mediaType];
  return accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(
      ([range = '', ...parameters]) =>
        acceptable.includes(range) && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)),
    );
}
