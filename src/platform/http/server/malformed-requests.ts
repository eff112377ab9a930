import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type NextFunction } from 'express';
import { newId } from '../../../common/identifier.js';
import { message } from '../../../common/messages/message.js';
import { Problem } from '../../../common/problem.js';
import { type Log } from '../../logging/log.js';
import { isRequestTimeoutExempt } from '../body/transfer-rate.js';
import { problemText } from '../pipeline/problem.filter.js';
import { SECURITY_HEADERS } from '../response/security-headers.js';

/** What Node keeps at a socket and goes by itself: the answer that is being written to it. */
interface AnsweringSocket extends Socket {
  readonly _httpMessage?: ServerResponse;
}

/** What Node refuses before there is a request: it is answered with a problem document, and logged, like the rest. */
export function rejectMalformedRequests(server: Server, log: Pick<Log, 'info'>): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: AnsweringSocket) => {
    // Its time for a whole request is not meant for uploads, which have a rule of their own.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isRequestTimeoutExempt(socket)) return;
    // In the middle of an answer another one would be taken for a part of it.
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
        // Nobody can tell what language was asked for.
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
  // An expectation that nobody has defined may be ignored (RFC 9110, 10.1.1); Node would answer a bare 417.
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
}

const VERSIONS = ['1.1', '1.0'];

/** Node takes a request line without a version for HTTP/0.9, which had no header fields, and HTTP/2.0 as it comes. */
export function requireHttp1(request: IncomingMessage, _response: ServerResponse, next: NextFunction): void {
  if (VERSIONS.includes(request.httpVersion)) next();
  else {
    next(
      new Problem('request.malformed-http', {
        detail: message('http.version'),
        headers: { Connection: 'close' },
      }),
    );
  }
}

/** HTTP/1.1 wants exactly one Host (RFC 9112, 3.2). Node, asked to look after it, answers a bare 400, and takes two. */
export function requireHost(request: IncomingMessage, _response: ServerResponse, next: NextFunction): void {
  if (request.httpVersion === '1.1' && countOf('host', request.rawHeaders) !== 1) {
    const detail = message('http.host');
    next(new Problem('request.malformed-http', { detail, headers: { Connection: 'close' } }));
  } else next();
}

/** @param rawHeaders names and values in turn, as they came */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const candidate = rawHeaders[i];
    if (candidate?.length === name.length && candidate.toLowerCase() === name) count += 1;
  }
  return count;
}
