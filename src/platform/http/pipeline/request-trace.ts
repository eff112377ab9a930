import { type NextFunction, type Response } from 'express';
import { type Tracer, withActiveSpan } from '../../telemetry/span.js';
import { onClose } from '../server/on-close.js';
import { type FilingRequest } from './request-state.js';

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
export function requestTrace(tracer: Tracer) {
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
      // As in the OpenAPI document: `/api/v1/t/{tenant}/files/{fileId}`.
      const route = request.state.route?.replace(/:(\w+)/g, '{$1}');
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
