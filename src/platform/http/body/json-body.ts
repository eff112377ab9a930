import type { IncomingMessage } from 'node:http';
import { message } from '../../../common/messages/message.js';
import { Problem, malformedBody } from '../../../common/problem.js';
import type { TransferRate } from './transfer-rate.js';
import type { ByteReservation } from './bytes-in-flight.js';
import { RequestBytes, rejectEncodedBody } from './request-bytes.js';

interface JsonBodyOptions {
  /** Maximum size of the body in bytes. */
  readonly limit: number;
  readonly transferRate: TransferRate;
  /** Counts the bytes until the request has been answered. */
  readonly reservation: ByteReservation;
}

/** @throws Problem 400, 413, 415, and 503 if too many bytes of bodies are in memory */
export async function readJsonBody(request: IncomingMessage, options: JsonBodyOptions): Promise<string> {
  const { headers } = request;
  const declared = Number(headers['content-length'] ?? 0);
  if (headers['transfer-encoding'] === undefined && declared === 0)
    throw malformedBody(message('body.required'));
  if (!isJson(headers['content-type']))
    throw new Problem('request.unsupported-media-type', { detail: message('body.media-type') });
  rejectEncodedBody(request);
  const { limit, transferRate, reservation } = options;
  const bytes = new RequestBytes(request, Infinity, transferRate);
  try {
    refuseLarger(declared, limit);
    reservation.grow(declared);
    const chunks: Buffer[] = [];
    let size = 0;
    for (let chunk; (chunk = await bytes.read()) !== null;) {
      size += chunk.length;
      refuseLarger(size, limit);
      reservation.grow(size);
      chunks.push(chunk);
    }
    return decodeJson(Buffer.concat(chunks));
  } finally {
    bytes.release();
  }
}

function refuseLarger(size: number, limit: number): void {
  if (size > limit)
    throw new Problem('request.too-large', { detail: message('body.max-bytes', { max: limit }) });
}

/** @param part name of the form part, if the text is not the whole body */
export function decodeJson(bytes: Buffer, part?: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw part === undefined
      ? malformedBody(message('body.utf8'))
      : malformedBody(message('multipart.utf8', { part }), part, cause);
  }
}

function isJson(contentType: string | undefined): boolean {
  const [, type = '', parameters = ''] = /^\s*([^;\s]+)\s*(?:;(.*))?$/.exec(contentType ?? '') ?? [];
  const charset = /(?:^|;)\s*charset\s*=\s*"?([^";\s]+)/i.exec(parameters)?.[1];
  return type.toLowerCase() === 'application/json' && (charset === undefined || /^utf-?8$/i.test(charset));
}
