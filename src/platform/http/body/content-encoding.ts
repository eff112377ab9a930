import type { IncomingMessage } from 'node:http';
import { message } from '../../../common/messages/message.js';
import { Problem } from '../../../common/problem.js';

/**
 * Rejects compressed bodies (RFC 9110, 15.5.16): JSON could be a decompression bomb, and content would be stored
 * compressed, which the client does not intend.
 */
export function rejectEncodedBody({ headers }: IncomingMessage): void {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity') return;
  throw new Problem('request.unsupported-media-type', {
    detail: message('body.encoding'),
    headers: { 'Accept-Encoding': 'identity' },
  });
}
