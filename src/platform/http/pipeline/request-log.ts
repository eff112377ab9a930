import { type Request, type Response } from 'express';
import { newId } from '../../../common/identifier.js';
import { isUuid } from '../../../common/text.js';
import { type Log } from '../../logging/log.js';
import { traceFields } from '../../telemetry/span.js';
import { type Metrics } from '../server/metrics.js';
import { onClose } from '../server/on-close.js';
import { type FilingRequest } from './request-state.js';

/**
 * Assigns an id to every request, and logs the request when its response is closed: operation, status, duration, ids
 * of tenant and user. A stream is logged when it opens. Paths, queries, header fields and bodies are never logged.
 */
export function requestLog(log: Log, metrics: Metrics) {
  return (received: Request, response: Response): void => {
    const request = received as FilingRequest;
    const sent = request.headers['x-request-id'];
    const requestId = isUuid(sent) ? sent.toLowerCase() : newId();
    request.state = { requestId, startedAt: process.hrtime.bigint() };
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('Cache-Control', 'private, no-cache');
    metrics.inFlight.inc();
    onClose(response, () => {
      metrics.inFlight.dec();
      const { endpoint, caller, user, startedAt, span, isStream } = request.state;
      const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
      const operation = endpoint?.operation ?? 'none';
      const { statusCode } = response;
      metrics.observe(operation, statusCode, seconds);
      log.info(
        {
          requestId,
          method: request.method,
          operation,
          status: statusCode,
          ms: Math.round(seconds * 1e5) / 100,
          ...(caller && { tenantId: caller.tenantId }),
          ...(user && { userId: user.id }),
          ...(!response.writableFinished && !isStream && { aborted: true }),
          ...(span && traceFields(span)),
        },
        'request',
      );
    });
  };
}
