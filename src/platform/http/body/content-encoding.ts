import type { IncomingMessage } from 'node:http';
import { message } from '../../../common/messages/message.js';
import { Problem } from '../../../common/problem.js';

/**
 * Compressed bodies are refused (RFC 9110, 15.5.16): JSON could be a bomb, and content would be stored compressed,
 * which is not what the client means.
 */
export function rejectEncodedBody({ headers }: IncomingMessage): void {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity') return;
  throw new Problem('request.unsupported-media-type', {
    detail: message('body.encoding'),
    headers: { 'Accept-Encoding': 'identity' },
  });
}
