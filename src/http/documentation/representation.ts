import { createHash } from 'node:crypto';
import { type Request, type Response } from 'express';
import { namesEntityTag } from '../../common/entity-tag.js';
import { Problem } from '../../common/problem.js';
import { type Language } from '../../vocabulary/languages.js';

/** Something that is the same for everybody and stays so while the process lives. */
export interface Representation {
  readonly type: string;
  readonly bytes: Buffer;
  readonly tag: string;
}

export function representation(type: string, content: Buffer | string): Representation {
  const bytes = Buffer.from(content);
  return { type, bytes, tag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}

/** Answers GET or HEAD with it, or 304 to a client that has it already. */
export function sendRepresentation(
  request: Request,
  response: Response,
  { type, bytes, tag }: Representation,
  headers: Readonly<Record<string, string>> = {},
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('ETag', tag);
  response.setHeader('Cache-Control', 'public, no-cache');
  const known = request.headers['if-none-match'];
  if (known !== undefined && namesEntityTag(known, tag)) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/** What is there as a page for people and as JSON for programs. */
export interface PageOrJson {
  readonly language: Language;
  /** Content-Security-Policy of the page. */
  readonly policy: string;
  readonly page: () => string;
  readonly value: () => unknown;
}

/** HTML for those who prefer it; a client that does not say is a program. */
export function sendPageOrJson(
  request: Request,
  response: Response,
  { language, policy, page, value }: PageOrJson,
): void {
  response.vary('Accept');
  response.vary('Accept-Language');
  const headers = { 'Content-Language': language };
  switch (request.accepts(['json', 'html'])) {
    case 'html':
      sendRepresentation(request, response, representation('text/html; charset=utf-8', page()), {
        ...headers,
        'Content-Security-Policy': policy,
        'Referrer-Policy': 'no-referrer',
      });
      return;
    case 'json':
      sendRepresentation(
        request,
        response,
        representation('application/json; charset=utf-8', JSON.stringify(value())),
        headers,
      );
      return;
    default:
      throw new Problem('request.not-acceptable');
  }
}
