import { type Request } from 'express';
import { LANGUAGES, type Language } from '../../../common/messages/languages.js';

/**
 * The language that a request is best answered in (RFC 9110, 12.5.4); English when it asks for none that there is: a
 * sentence in another language is worth more to its reader than a 406.
 */
export function languageOf(request: Request): Language {
  if (request.headers['accept-language'] === undefined) return LANGUAGES[0];
  const language = request.acceptsLanguages([...LANGUAGES]);
  return LANGUAGES.find((candidate) => candidate === language) ?? LANGUAGES[0];
}
