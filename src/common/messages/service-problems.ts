import { problems } from './catalogue.js';

/** Preconditions, limits, and failures of the service. */
export const SERVICE_PROBLEMS = problems({
  'request.precondition-failed': {
    status: 412,
    title: { en: 'Precondition failed', de: 'Vorbedingung nicht erfüllt' },
    detail: {
      en: 'The resource has changed since the entity tag in If-Match was read, or has an entity tag that If-None-Match excludes.',
      de: 'Die Ressource wurde geändert, seit das Entity-Tag in If-Match gelesen wurde, oder hat ein Entity-Tag, das If-None-Match ausschließt.',
    },
    advice: {
      en: 'Read the resource again, apply the change to its present state, and send its new entity tag.',
      de: 'Die Ressource erneut lesen, die Änderung auf den aktuellen Stand anwenden und dessen Entity-Tag senden.',
    },
  },
  'request.too-large': {
    status: 413,
    title: { en: 'Request too large', de: 'Anfrage zu groß' },
    detail: { en: 'The body is too large.', de: 'Der Body ist zu groß.' },
    advice: { en: 'Send a smaller body.', de: 'Einen kleineren Body senden.' },
  },
  'request.unsupported-media-type': {
    status: 415,
    title: { en: 'Unsupported media type', de: 'Medientyp nicht unterstützt' },
    detail: {
      en: 'This operation does not accept the media type of the body.',
      de: 'Diese Operation nimmt den Medientyp des Bodys nicht an.',
    },
    advice: {
      en: 'Send the body as application/json, or as multipart/form-data to upload content.',
      de: 'Den Body als application/json senden, beim Hochladen von Inhalt als multipart/form-data.',
    },
  },
  'content.range-not-satisfiable': {
    status: 416,
    title: { en: 'Range not satisfiable', de: 'Bereich nicht vorhanden' },
    detail: {
      en: 'The content does not have the requested range.',
      de: 'Der Inhalt hat den angeforderten Bereich nicht.',
    },
    advice: {
      en: 'Request a range within the size given in the Content-Range header.',
      de: 'Einen Bereich innerhalb der Größe anfordern, die der Header Content-Range nennt.',
    },
  },
  'request.rate-limited': {
    status: 429,
    title: { en: 'Too many requests', de: 'Zu viele Anfragen' },
    detail: {
      en: 'Too many requests. Try again after the number of seconds in the Retry-After header.',
      de: 'Zu viele Anfragen. Nach der im Header Retry-After genannten Zahl von Sekunden erneut versuchen.',
    },
    advice: {
      en: 'Wait for the number of seconds in the Retry-After header. The RateLimit header of every response shows what is left.',
      de: 'Die im Header Retry-After genannte Zahl von Sekunden warten. Der Header RateLimit jeder Antwort nennt den verbleibenden Rest.',
    },
  },
  'request.headers-too-large': {
    status: 431,
    title: { en: 'Header fields too large', de: 'Header zu groß' },
    detail: {
      en: 'The header fields of the request are too large.',
      de: 'Die Header der Anfrage sind zu groß.',
    },
    advice: { en: 'Send fewer or shorter header fields.', de: 'Weniger oder kürzere Header senden.' },
  },
  'service.error': {
    status: 500,
    title: { en: 'Internal error', de: 'Interner Fehler' },
    detail: {
      en: 'The service failed to process the request. Its log has the cause under the request id.',
      de: 'Der Dienst konnte die Anfrage nicht verarbeiten. Sein Protokoll enthält die Ursache unter der Kennung der Anfrage.',
    },
    advice: {
      en: 'Try again. If the error remains, report the request id to the operator of the service.',
      de: 'Erneut versuchen. Bleibt der Fehler bestehen, dem Betreiber des Dienstes die Kennung der Anfrage melden.',
    },
  },
  'service.unavailable': {
    status: 503,
    title: { en: 'Service unavailable', de: 'Dienst nicht verfügbar' },
    detail: {
      en: 'The service is temporarily unavailable. Try again after the number of seconds in the Retry-After header.',
      de: 'Der Dienst ist vorübergehend nicht verfügbar. Nach der im Header Retry-After genannten Zahl von Sekunden erneut versuchen.',
    },
    advice: {
      en: 'Wait for the number of seconds in the Retry-After header, then try again.',
      de: 'Die im Header Retry-After genannte Zahl von Sekunden warten und erneut versuchen.',
    },
  },
  'content.storage-full': {
    status: 507,
    title: { en: 'Storage full', de: 'Speicher voll' },
    detail: {
      en: 'The service has no space left to store the content.',
      de: 'Der Dienst hat keinen Speicherplatz mehr für den Inhalt.',
    },
    advice: {
      en: 'Inform the operator of the service. The client cannot resolve this.',
      de: 'Den Betreiber des Dienstes informieren. Der Client kann dies nicht beheben.',
    },
  },
  'content.quota-exceeded': {
    status: 507,
    title: { en: 'Storage quota exceeded', de: 'Speicherkontingent erschöpft' },
    detail: {
      en: 'The tenant has used all of its storage.',
      de: 'Der Mandant hat seinen Speicherplatz vollständig belegt.',
    },
    advice: {
      en: 'Upload less, delete documents, or ask the operator for a higher limit. Documents in the bin count until one day after they are purged.',
      de: 'Weniger hochladen, Dokumente löschen oder beim Betreiber ein höheres Limit beantragen. Dokumente im Papierkorb zählen bis einen Tag nach dem endgültigen Löschen.',
    },
  },
});
