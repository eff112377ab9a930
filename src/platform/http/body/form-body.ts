import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { message } from '../../../common/messages/message.js';
import { Problem, malformedBody } from '../../../common/problem.js';
import { RequestBytes, rejectEncodedBody } from './request-bytes.js';

/** In bytes. */
const LIMIT = 8 * 1024;
const TRANSFER_RATE = { idleTimeoutMs: 10_000, minBytesPerSecond: LIMIT };

const ENCODINGS = /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

/**
 * Reads a small form, in either encoding of HTML forms.
 *
 * @throws Problem 400, 413, 415
 */
export async function readForm(request: IncomingMessage): Promise<FormData> {
  const type = request.headers['content-type'] ?? '';
  if (!ENCODINGS.test(type))
    throw new Problem('request.unsupported-media-type', { detail: message('body.form-media-type') });
  rejectEncodedBody(request);
  const bytes = new RequestBytes(request, LIMIT, TRANSFER_RATE);
  const body = await buffer(bytes).finally(() => bytes.release());
  try {
    return await new Response(body, { headers: { 'Content-Type': type } }).formData();
  } catch (cause) {
    throw malformedBody(message('body.form'), '$', cause);
  }
}
