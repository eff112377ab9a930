import { type Server } from 'node:http';
import { type Socket } from 'node:net';
import { newId } from '../common/identifier.js';
import { Problem } from '../common/problem.js';
import { problemText } from './problem.filter.js';

/** What Node refuses before there is a request: it is answered with a problem document too. */
export function refuseBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const problem = new Problem(
      error.code === 'HPE_HEADER_OVERFLOW' ? 'request.headers-too-large' : 'request.malformed-http',
    );
    const requestId = newId();
    const text = problemText({ ...problem, errors: problem.status === 400 ? {} : undefined }, requestId);
    const reason = problem.status === 431 ? 'Request Header Fields Too Large' : 'Bad Request';
    socket.end(
      [
        `HTTP/1.1 ${problem.status} ${reason}`,
        'Content-Type: application/problem+json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(text)}`,
        `X-Request-Id: ${requestId}`,
        'Connection: close',
        '',
        text,
      ].join('\r\n'),
    );
  });
}
