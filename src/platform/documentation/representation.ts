import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Request, type Response } from 'express';
import { entityTag, matchesIfNoneMatch } from '../../common/entity-tag.js';
import { pagePolicy } from '../../common/html.js';
import { type Language } from '../../common/messages/languages.js';
import { Problem } from '../../common/problem.js';
import { languageOf } from '../http/pipeline/language.js';

/** A response body that is the same for all callers and does not change while the process runs. */
export interface Representation {
  readonly type: string;
  readonly bytes: Buffer;
  /** Strong entity tag of these bytes. Each encoding has its own. */
  readonly tag: string;
  /** Compressed versions, the smallest first; absent if none is offered. */
  readonly encodings?: readonly EncodedRepresentation[];
}

interface EncodedRepresentation extends Representation {
  readonly encoding: 'br' | 'gzip';
}

export function representation(type: string, content: Buffer | string): Representation {
  const bytes = Buffer.from(content);
  return { type, bytes, tag: entityTag(bytes) };
}

export function jsonRepresentation(value: unknown): Representation {
  return representation('application/json; charset=utf-8', JSON.stringify(value));
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
/** The two highest levels take thirty times as long, for 8 % fewer bytes. */
const BROTLI_QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Creates a representation that is also available compressed with Brotli and gzip, if that makes it smaller. */
export async function compressedRepresentation(
  type: string,
  content: Buffer | string,
): Promise<Representation> {
  const bytes = Buffer.from(content);
  const [br, gz] = await Promise.all([compressBrotli(bytes, BROTLI_QUALITY), compressGzip(bytes)]);
  const encodings = [
    { ...representation(type, br), encoding: 'br' as const },
    { ...representation(type, gz), encoding: 'gzip' as const },
  ];
  return {
    ...representation(type, bytes),
    encodings: encodings.filter((encoded) => encoded.bytes.length < bytes.length),
  };
}

/** Answers GET or HEAD with the representation, or with 304 if the client already has it. */
export function sendRepresentation(
  request: Request,
  response: Response,
  offered: Representation,
  headers: Readonly<Record<string, string>> = {},
): void {
  const encoded = offered.encodings?.find(({ encoding }) => request.acceptsEncodings(encoding) !== false);
  const { type, bytes, tag } = encoded ?? offered;
  response.setHeader('ETag', tag);
  response.setHeader('Cache-Control', 'public, no-cache');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (offered.encodings) response.vary('Accept-Encoding');
  const known = request.headers['if-none-match'];
  if (known !== undefined && matchesIfNoneMatch(known, tag)) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', type);
  if (encoded) response.setHeader('Content-Encoding', encoded.encoding);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/** Whether Accept prefers HTML to JSON. JSON without Accept; a Problem 406 if it accepts neither. */
export function prefersPage(request: Request): boolean {
  const type = request.accepts(['json', 'html']);
  if (!type) throw new Problem('request.not-acceptable');
  return type === 'html';
}

export function sendPageOrJson(
  request: Request,
  response: Response,
  page: (language: Language) => string,
  value: (language: Language) => unknown,
): void {
  response.vary('Accept');
  response.vary('Accept-Language');
  const language = languageOf(request);
  response.setHeader('Content-Language', language);
  if (!prefersPage(request)) {
    sendRepresentation(request, response, jsonRepresentation(value(language)));
    return;
  }
  sendRepresentation(request, response, representation('text/html; charset=utf-8', page(language)), {
    'Content-Security-Policy': pagePolicy(),
    'Referrer-Policy': 'no-referrer',
  });
}
