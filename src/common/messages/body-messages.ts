import { messages } from './catalogue.js';

/** Errors of the HTTP request, its body, and uploaded content. */
export const BODY_MESSAGES = messages({
  'http.host': {
    en: 'An HTTP/1.1 request must have exactly one Host header.',
    de: 'Eine Anfrage nach HTTP/1.1 muss genau einen Header Host haben.',
  },
  'http.version': {
    en: 'The service supports HTTP/1.1 and HTTP/1.0.',
    de: 'Der Dienst unterstützt HTTP/1.1 und HTTP/1.0.',
  },
  'body.required': { en: 'A JSON body is required.', de: 'Ein JSON-Body ist erforderlich.' },
  'body.max-bytes': {
    en: 'The JSON body must have at most {max} bytes.',
    de: 'Der JSON-Body darf höchstens {max} Bytes haben.',
  },
  'body.media-type': {
    en: 'Send the body as application/json in UTF-8.',
    de: 'Der Body ist als application/json in UTF-8 zu senden.',
  },
  'body.form-media-type': {
    en: 'Send the form as application/x-www-form-urlencoded or multipart/form-data.',
    de: 'Das Formular ist als application/x-www-form-urlencoded oder multipart/form-data zu senden.',
  },
  'body.form': { en: 'The body is not a valid form.', de: 'Der Body ist kein gültiges Formular.' },
  'body.encoding': {
    en: 'Send the body without Content-Encoding.',
    de: 'Der Body ist ohne Content-Encoding zu senden.',
  },
  'body.utf8': { en: 'The body is not valid UTF-8.', de: 'Der Body ist kein gültiges UTF-8.' },
  'body.json': { en: 'The body is not valid JSON.', de: 'Der Body ist kein gültiges JSON.' },
  'body.max-depth': {
    en: 'The body is nested more than {max} levels deep.',
    de: 'Der Body ist mehr als {max} Ebenen tief verschachtelt.',
  },
  'body.max-values': {
    en: 'The body has more than {max} values.',
    de: 'Der Body enthält mehr als {max} Werte.',
  },
  'body.too-slow': { en: 'The body was sent too slowly.', de: 'Der Body wurde zu langsam gesendet.' },
  'body.incomplete': { en: 'The body is incomplete.', de: 'Der Body ist unvollständig.' },
  'multipart.media-type': {
    en: 'The body must be multipart/form-data.',
    de: 'Der Body muss multipart/form-data sein.',
  },
  'multipart.boundary-required': {
    en: 'The Content-Type of a multipart body must have a boundary.',
    de: 'Der Content-Type eines Multipart-Bodys muss eine boundary angeben.',
  },
  'multipart.boundary': {
    en: 'The boundary of the multipart body is not valid.',
    de: 'Die boundary des Multipart-Bodys ist ungültig.',
  },
  'multipart.boundary-in-part': {
    en: 'The boundary of the multipart body occurs inside a part.',
    de: 'Die boundary des Multipart-Bodys kommt innerhalb eines Teils vor.',
  },
  'multipart.incomplete': {
    en: 'The multipart body ends before its last boundary.',
    de: 'Der Multipart-Body endet vor der letzten boundary.',
  },
  'multipart.header': {
    en: 'A part of the multipart body has an invalid header.',
    de: 'Ein Teil des Multipart-Bodys hat einen ungültigen Header.',
  },
  'multipart.max-header': {
    en: 'A part of the multipart body has a header that is too long.',
    de: 'Ein Teil des Multipart-Bodys hat einen zu langen Header.',
  },
  'multipart.name': {
    en: 'Each part must have the header Content-Disposition: form-data with a name.',
    de: 'Jeder Teil muss den Header Content-Disposition: form-data mit einem Namen haben.',
  },
  'multipart.max-parts': { en: 'must have at most {max} parts', de: 'darf höchstens {max} Teile haben' },
  'multipart.order': { en: 'must come after the part document', de: 'muss nach dem Teil document stehen' },
  'multipart.transfer-encoding': {
    en: 'must be sent without a Content-Transfer-Encoding',
    de: 'muss ohne Content-Transfer-Encoding gesendet werden',
  },
  'multipart.document-media-type': {
    en: 'must be JSON with the media type application/json',
    de: 'muss JSON mit dem Medientyp application/json sein',
  },
  'multipart.document-max-bytes': {
    en: 'The part document is larger than {max} bytes.',
    de: 'Der Teil document ist größer als {max} Bytes.',
  },
  'multipart.utf8': {
    en: 'The part {part} is not valid UTF-8.',
    de: 'Der Teil {part} ist kein gültiges UTF-8.',
  },
  'multipart.unknown-parts': {
    en: 'The unknown parts of the body are too large.',
    de: 'Die unbekannten Teile des Bodys sind zu groß.',
  },
  'content.required': { en: 'The content is required.', de: 'Der Inhalt ist erforderlich.' },
  'content.range': {
    en: 'must not be sent: the content can only be replaced as a whole',
    de: 'darf nicht gesendet werden: der Inhalt kann nur vollständig ersetzt werden',
  },
  'content.file-name': {
    en: 'must encode the file name as in RFC 8187',
    de: 'muss den Dateinamen nach RFC 8187 kodieren',
  },
  'content.max-bytes': {
    en: 'The content is larger than {max} bytes.',
    de: 'Der Inhalt ist größer als {max} Bytes.',
  },
});
