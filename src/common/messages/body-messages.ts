import { messages } from './catalogue.js';

/** What can be wrong with a request as HTTP, with its body, and with uploaded content. */
export const BODY_MESSAGES = messages({
  'http.host': {
    en: 'A request of HTTP/1.1 has exactly one header field Host.',
    de: 'Eine Anfrage nach HTTP/1.1 hat genau einen Header Host.',
  },
  'http.version': {
    en: 'The service speaks HTTP/1.1 and HTTP/1.0.',
    de: 'Der Dienst spricht HTTP/1.1 und HTTP/1.0.',
  },
  'body.required': { en: 'A JSON body is required.', de: 'Die Anfrage braucht einen Inhalt in JSON.' },
  'body.max-bytes': {
    en: 'The JSON body has at most {max} bytes here.',
    de: 'Der JSON-Inhalt hat hier höchstens {max} Bytes.',
  },
  'body.media-type': {
    en: 'Send the body as application/json, in UTF-8.',
    de: 'Der Inhalt ist als application/json in UTF-8 zu senden.',
  },
  'body.encoding': {
    en: 'Send the body without a content encoding.',
    de: 'Der Inhalt ist ohne Content-Encoding zu senden.',
  },
  'body.utf8': { en: 'The body is not well-formed UTF-8.', de: 'Der Inhalt ist kein wohlgeformtes UTF-8.' },
  'body.json': { en: 'The body is not well-formed JSON.', de: 'Der Inhalt ist kein wohlgeformtes JSON.' },
  'body.max-depth': {
    en: 'The body is nested more than {max} levels deep.',
    de: 'Der Inhalt ist mehr als {max} Ebenen tief verschachtelt.',
  },
  'body.max-values': {
    en: 'The body has more than {max} values.',
    de: 'Der Inhalt hat mehr als {max} Werte.',
  },
  'body.too-slow': {
    en: 'The body comes too slowly to be waited for.',
    de: 'Der Inhalt kommt zu langsam, um auf ihn zu warten.',
  },
  'body.incomplete': {
    en: 'The body ends before it is complete.',
    de: 'Der Inhalt endet, bevor er vollständig ist.',
  },
  'multipart.media-type': {
    en: 'The body must be multipart/form-data.',
    de: 'Der Inhalt muss multipart/form-data sein.',
  },
  'multipart.boundary-required': {
    en: 'The Content-Type of a multipart body must name its boundary.',
    de: 'Der Content-Type eines mehrteiligen Inhalts muss dessen boundary nennen.',
  },
  'multipart.boundary': {
    en: 'The boundary of the multipart body is not valid.',
    de: 'Die boundary des mehrteiligen Inhalts ist nicht gültig.',
  },
  'multipart.boundary-in-part': {
    en: 'The boundary of the multipart body occurs inside a part.',
    de: 'Die boundary des mehrteiligen Inhalts kommt in einem Teil vor.',
  },
  'multipart.incomplete': {
    en: 'The multipart body ends before its last boundary.',
    de: 'Der mehrteilige Inhalt endet vor seiner letzten boundary.',
  },
  'multipart.header': {
    en: 'A part of the multipart body has a header that is not valid.',
    de: 'Ein Teil des mehrteiligen Inhalts hat einen ungültigen Header.',
  },
  'multipart.max-header': {
    en: 'A part of the multipart body has too long a header.',
    de: 'Ein Teil des mehrteiligen Inhalts hat einen zu langen Header.',
  },
  'multipart.name': {
    en: 'Every part must have a header Content-Disposition: form-data with a name.',
    de: 'Jeder Teil braucht einen Header Content-Disposition: form-data mit einem Namen.',
  },
  'multipart.max-parts': { en: 'must have at most {max} parts', de: 'darf höchstens {max} Teile haben' },
  'multipart.order': { en: 'must come after the part document', de: 'muss nach dem Teil document kommen' },
  'multipart.transfer-encoding': {
    en: 'must be sent as it is, without a Content-Transfer-Encoding',
    de: 'muss so gesendet werden, wie es ist, ohne Content-Transfer-Encoding',
  },
  'multipart.document-media-type': {
    en: 'must be JSON, of the media type application/json',
    de: 'muss JSON sein, mit dem Medientyp application/json',
  },
  'multipart.document-max-bytes': {
    en: 'The part document is larger than {max} bytes.',
    de: 'Der Teil document ist größer als {max} Bytes.',
  },
  'multipart.utf8': { en: 'The part {part} is not UTF-8.', de: 'Der Teil {part} ist kein UTF-8.' },
  'multipart.unknown-parts': {
    en: 'Parts that nobody asked for are too large.',
    de: 'Teile, nach denen niemand gefragt hat, sind zu groß.',
  },
  'content.required': { en: 'The content is required.', de: 'Der Inhalt wird benötigt.' },
  'content.range': {
    en: 'must not be sent: the content is only replaced as a whole',
    de: 'darf nicht gesendet werden: der Inhalt wird nur im Ganzen ersetzt',
  },
  'content.file-name': {
    en: 'must encode the file name as RFC 8187 specifies',
    de: 'muss den Dateinamen nach RFC 8187 kodieren',
  },
  'content.max-bytes': {
    en: 'The content is larger than {max} bytes.',
    de: 'Der Inhalt ist größer als {max} Bytes.',
  },
});
