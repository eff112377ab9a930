import { type NextFunction, type Response } from 'express';
import { type Tracer, withActiveSpan } from '../../telemetry/span.js';
import { onClose } from '../server/on-close.js';
import { type FilingRequest } from './request-state.js';
import { type RouteTable } from './route-table.js';

/** Methods of OpenTelemetry's semantic conventions; any other method is `_OTHER`. */
const METHODS = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'QUERY',
  'TRACE',
]);

/** Paths without spans: health probes every few seconds would outnumber all other spans. */
const PROBES = new Set(['/livez', '/readyz']);

/**
 * Creates a span for every request, from its arrival to the end of its response. Spans of work for the request are
 * its children. It has the same attributes as the request log, with OpenTelemetry's names: no path, query, header
 * field or address. It continues the trace of the request's `traceparent`. Must run after requestLog.
 */
export function requestTrace(tracer: Tracer, table: RouteTable) {
  let names: RouteNames | undefined;
  return (request: FilingRequest, response: Response, next: NextFunction): void => {
    if (PROBES.has(request.path)) {
      next();
      return;
    }
    const isKnown = METHODS.has(request.method);
    const method = isKnown ? request.method : 'HTTP';
    const span = tracer.start(
      method,
      'SERVER',
      {
        'http.request.method': isKnown ? request.method : '_OTHER',
        'url.scheme': request.protocol,
        'network.protocol.version': request.httpVersion,
        'filing.request.id': request.state.requestId,
      },
      request.headers,
    );
    request.state.span = span;
    onClose(response, () => {
      const { endpoint, caller, user, isStream } = request.state;
      // Created late, because the route table is filled only when the application starts.
      const route = (names ??= new RouteNames(table)).of(request);
      const { statusCode, headersSent, writableFinished } = response;
      if (route !== undefined) span.rename(`${method} ${route}`);
      span.set({
        'http.route': route,
        'http.response.status_code': headersSent ? statusCode : undefined,
        'filing.operation': endpoint?.operation,
        'filing.tenant.id': caller?.tenantId,
        'user.id': user?.id,
        'filing.request.aborted': writableFinished || isStream ? undefined : true,
      });
      if (headersSent && statusCode >= 500) span.fail(String(statusCode));
      span.end();
    });
    withActiveSpan(span, next);
  };
}

/** Finds the path template of a request, as in the OpenAPI document: `/api/v1/t/{tenant}/files/{fileId}`. */
class RouteNames {
  private readonly ofOperations = new Map<string, string>();
  private readonly ofPublic: { readonly name: string; readonly pattern: RegExp }[] = [];

  constructor({ routes }: RouteTable) {
    for (const { path, pattern, endpoint } of routes) {
      const name = path.replace(/:(\w+)/g, '{$1}');
      if (endpoint) this.ofOperations.set(endpoint.operation, name);
      else this.ofPublic.push({ name, pattern });
    }
  }

  of({ path, state }: FilingRequest): string | undefined {
    if (state.endpoint) return this.ofOperations.get(state.endpoint.operation);
    return this.ofPublic.find(({ pattern }) => pattern.test(path))?.name;
  }
}
