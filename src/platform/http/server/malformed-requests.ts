import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { newId } from '../../../common/identifier.js';
import { message } from '../../../common/messages/message.js';
import { Problem } from '../../../common/problem.js';
import { type Log } from '../../logging/log.js';
import { EXEMPT_FROM_REQUEST_TIMEOUT } from '../body/transfer-rate.js';
import { problemText } from '../pipeline/problem.filter.js';
import { SECURITY_HEADERS } from '../response/security-headers.js';

/** Node's internal reference from a socket to the response that is being written. */
interface AnsweringSocket extends Socket {
  readonly _httpMessage?: ServerResponse;
}

/** Answers requests that Node's parser rejects with a problem document, and logs them like other requests. */
export function rejectMalformedRequests(server: Server, log: Pick<Log, 'info'>): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: AnsweringSocket) => {
    // Bodies with a transfer-rate limit may exceed Node's timeout for a whole request.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && EXEMPT_FROM_REQUEST_TIMEOUT.has(socket)) return;
    // After the headers of a response, the client would read a second response as part of the first.
    const isAnswering = socket._httpMessage?.headersSent === true;
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
      socket.destroy();
      return;
    }
    const problem = new Problem(
      error.code === 'HPE_HEADER_OVERFLOW' ? 'request.headers-too-large' : 'request.malformed-http',
    );
    const requestId = newId();
    log.info({ requestId, operation: 'none', status: problem.status, code: error.code }, 'request');
    const text = problemText(problem, 'en', requestId);
    const reason = problem.status === 431 ? 'Request Header Fields Too Large' : 'Bad Request';
    socket.end(
      [
        `HTTP/1.1 ${problem.status} ${reason}`,
        'Content-Type: application/problem+json; charset=utf-8',
        // The Accept-Language of a malformed request is not known.
        'Content-Language: en',
        `Content-Length: ${Buffer.byteLength(text)}`,
        `X-Request-Id: ${requestId}`,
        ...SECURITY_HEADERS.map(([name, value]) => `${name}: ${value}`),
        'Connection: close',
        '',
        text,
      ].join('\r\n'),
    );
  });
  // Ignore unknown expectations, as RFC 9110, 10.1.1 allows. Node would answer 417 without a problem document.
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
}

const VERSIONS = ['1.1', '1.0'];

/**
 * The problem of a request that Node accepts: with another version than HTTP/1 (a request line without version, HTTP/2.0), or
 * with HTTP/1.1 and not exactly one Host (RFC 9112, 3.2). Node's own check of Host is off: it sends no problem document, and
 * accepts two.
 */
export function protocolProblem({ httpVersion, rawHeaders }: IncomingMessage): Problem | undefined {
  const isKnown = VERSIONS.includes(httpVersion);
  if (isKnown && (httpVersion === '1.0' || countOf('host', rawHeaders) === 1)) return undefined;
  return new Problem('request.malformed-http', {
    detail: message(isKnown ? 'http.host' : 'http.version'),
    headers: { Connection: 'close' },
  });
}

/** @param rawHeaders alternating names and values, as sent */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const candidate = rawHeaders[i];
    if (candidate?.length === name.length && candidate.toLowerCase() === name) count += 1;
  }
  return count;
}
