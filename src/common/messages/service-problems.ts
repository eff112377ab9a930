import { problems } from './catalogue.js';

/** Preconditions, limits, and failures of the service. */
export const SERVICE_PROBLEMS = problems({
  'request.precondition-failed': {
    status: 412,
    title: { en: 'Precondition failed', de: 'Vorbedingung nicht erfüllt' },
    detail: {
      en: 'The resource has changed since the entity tag in If-Match was read.',
      de: 'Die Ressource hat sich geändert, seit das Entity-Tag in If-Match gelesen wurde.',
    },
    advice: {
      en: 'Read the resource again, apply the change to what it is now, and send its new entity tag.',
      de: 'Die Ressource neu lesen, die Änderung auf ihren jetzigen Stand anwenden und dessen Entity-Tag senden.',
    },
  },
  'request.too-large': {
    status: 413,
    title: { en: 'Request too large', de: 'Anfrage zu groß' },
    detail: {
      en: 'The body is larger than is accepted.',
      de: 'Der Inhalt der Anfrage ist größer, als angenommen wird.',
    },
    advice: { en: 'Send less.', de: 'Weniger senden.' },
  },
  'request.unsupported-media-type': {
    status: 415,
    title: { en: 'Unsupported media type', de: 'Medientyp nicht unterstützt' },
    detail: {
      en: 'The body is not of a media type that this operation takes.',
      de: 'Der Inhalt der Anfrage hat keinen Medientyp, den dieser Vorgang annimmt.',
    },
    advice: {
      en: 'Send the body as application/json, or as multipart/form-data where content is uploaded.',
      de: 'Den Inhalt als application/json senden, oder als multipart/form-data, wo hochgeladen wird.',
    },
  },
  'content.range-not-satisfiable': {
    status: 416,
    title: { en: 'Range not satisfiable', de: 'Bereich nicht vorhanden' },
    detail: {
      en: 'The content does not have the requested range.',
      de: 'Der Inhalt hat den verlangten Bereich nicht.',
    },
    advice: {
      en: 'Ask for a part within the size that the Content-Range header tells.',
      de: 'Einen Bereich innerhalb der Größe verlangen, die der Header Content-Range nennt.',
    },
  },
  'request.rate-limited': {
    status: 429,
    title: { en: 'Too many requests', de: 'Zu viele Anfragen' },
    detail: {
      en: 'Too many requests; the Retry-After header says in how many seconds to try again.',
      de: 'Zu viele Anfragen; in wie vielen Sekunden die nächste angenommen wird, sagt der Header Retry-After.',
    },
    advice: {
      en: 'Wait for as many seconds as the Retry-After header says. RateLimit tells on every answer what is left.',
      de: 'So viele Sekunden warten, wie der Header Retry-After sagt. Was noch übrig ist, sagt RateLimit auf jeder Antwort.',
    },
  },
  'request.headers-too-large': {
    status: 431,
    title: { en: 'Header fields too large', de: 'Header zu groß' },
    detail: {
      en: 'The header fields of the request are larger than is accepted.',
      de: 'Die Header der Anfrage sind größer, als angenommen wird.',
    },
    advice: { en: 'Send fewer or shorter header fields.', de: 'Weniger oder kürzere Header senden.' },
  },
  'service.error': {
    status: 500,
    title: { en: 'Internal error', de: 'Interner Fehler' },
    detail: {
      en: 'The service failed to answer; the request id finds the cause in its log.',
      de: 'Der Dienst konnte nicht antworten; die Kennung der Anfrage führt in seinem Protokoll zur Ursache.',
    },
    advice: {
      en: 'Try again; if it stays, report the request id to whoever runs the service.',
      de: 'Noch einmal versuchen; bleibt es dabei, dem Betreiber die Kennung der Anfrage nennen.',
    },
  },
  'service.unavailable': {
    status: 503,
    title: { en: 'Service unavailable', de: 'Dienst nicht verfügbar' },
    detail: {
      en: 'The service cannot answer now; try again after the seconds that Retry-After names.',
      de: 'Der Dienst kann jetzt nicht antworten; nach so vielen Sekunden, wie Retry-After nennt, wieder versuchen.',
    },
    advice: {
      en: 'Try again after as many seconds as the Retry-After header says.',
      de: 'Nach so vielen Sekunden, wie der Header Retry-After sagt, noch einmal versuchen.',
    },
  },
  'content.storage-full': {
    status: 507,
    title: { en: 'Storage full', de: 'Speicher voll' },
    detail: { en: 'There is no room to store the content.', de: 'Für den Inhalt ist kein Platz mehr.' },
    advice: {
      en: 'Tell whoever runs the service; nothing that the client does will help.',
      de: 'Dem Betreiber des Dienstes Bescheid geben; der Client kann nichts tun.',
    },
  },
  'content.quota-exceeded': {
    status: 507,
    title: { en: 'Storage quota exceeded', de: 'Speicherkontingent erschöpft' },
    detail: {
      en: 'The tenant has used up its storage.',
      de: 'Der Mandant hat seinen Speicherplatz aufgebraucht.',
    },
    advice: {
      en: 'Send less, delete documents, or ask the operator for a higher limit. Documents in the bin count until a day after they are purged.',
      de: 'Weniger senden, Dokumente löschen oder den Betreiber um ein höheres Limit bitten. Dokumente im Papierkorb zählen, bis sie seit einem Tag endgültig gelöscht sind.',
    },
  },
});
