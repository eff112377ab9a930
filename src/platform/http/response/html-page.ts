import { type Request, type Response } from 'express';
import { pagePolicy } from '../../../common/html.js';
import { languageOf } from '../pipeline/language.js';

/**
 * For an operation with `page`: whether Accept prefers HTML to JSON. If so, sets the header fields of the page that the
 * handler returns as a string.
 */
export function preparePage(request: Request, response: Response): boolean {
  response.vary('Accept');
  response.vary('Accept-Language');
  response.setHeader('Content-Language', languageOf(request));
  if (request.accepts(['json', 'html']) !== 'html') return false;
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Security-Policy', pagePolicy());
  response.setHeader('Referrer-Policy', 'no-referrer');
  return true;
}
