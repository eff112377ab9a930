import { type Request } from 'express';
import { LANGUAGES, type Language } from '../../../common/messages/languages.js';

/**
 * The language of the response (RFC 9110, 12.5.4). English if Accept-Language contains no supported language: a text
 * in English is more useful than a 406.
 */
export function languageOf(request: Request): Language {
  if (request.headers['accept-language'] === undefined) return LANGUAGES[0];
  const language = request.acceptsLanguages([...LANGUAGES]);
  return LANGUAGES.find((candidate) => candidate === language) ?? LANGUAGES[0];
}
