import { problems } from './catalogue.js';

const NEW_KEY = {
  en: 'Make a new key for each new request, and send the same key only with the very same request.',
  de: 'Für jede neue Anfrage einen neuen Schlüssel bilden und denselben nur mit genau derselben Anfrage senden.',
};

/** Problems of a request that do not depend on its operation. */
export const REQUEST_PROBLEMS = problems({
  'request.invalid': {
    status: 400,
    title: { en: 'The request is not valid', de: 'Die Anfrage ist nicht gültig' },
    detail: {
      en: 'Some values of the request cannot be accepted; errors names each of them.',
      de: 'Einige Werte der Anfrage werden nicht angenommen; errors nennt jeden davon.',
    },
    advice: {
      en: 'Correct the values that errors names by their path in the request. The same request again is refused again.',
      de: 'Die Werte berichtigen, die errors mit ihrem Pfad in der Anfrage nennt. Dieselbe Anfrage noch einmal wird wieder abgelehnt.',
    },
  },
  'request.malformed-body': {
    status: 400,
    title: { en: 'The body cannot be read', de: 'Der Inhalt der Anfrage ist nicht lesbar' },
    detail: {
      en: 'The body is not well-formed JSON in UTF-8, or is nested too deeply.',
      de: 'Der Inhalt ist kein wohlgeformtes JSON in UTF-8 oder zu tief verschachtelt.',
    },
    advice: {
      en: 'Have a JSON library write the body, in UTF-8, at most 32 levels deep.',
      de: 'Den Inhalt von einer JSON-Bibliothek schreiben lassen, in UTF-8, höchstens 32 Ebenen tief.',
    },
  },
  'request.malformed-http': {
    status: 400,
    title: { en: 'Not an HTTP request', de: 'Keine HTTP-Anfrage' },
    detail: { en: 'The request does not follow HTTP.', de: 'Die Anfrage hält sich nicht an HTTP.' },
    advice: {
      en: 'Use an HTTP library, and look at proxies in between.',
      de: 'Eine HTTP-Bibliothek verwenden und auf Proxys dazwischen achten.',
    },
  },
  'request.idempotency-key-reused': {
    status: 400,
    title: { en: 'Idempotency key reused', de: 'Idempotency-Key schon benutzt' },
    detail: {
      en: 'This Idempotency-Key was used for another request within the last 24 hours.',
      de: 'Dieser Idempotency-Key wurde in den letzten 24 Stunden für eine andere Anfrage benutzt.',
    },
    advice: NEW_KEY,
  },
  'authentication.required': {
    status: 401,
    title: { en: 'Authentication required', de: 'Anmeldung erforderlich' },
    detail: {
      en: 'Send a valid access token as a bearer token.',
      de: 'Mit der Anfrage ist ein gültiges Zugriffstoken als Bearer-Token zu senden.',
    },
    advice: {
      en: 'Get a new access token from the issuer and send it as “Authorization: Bearer …”. The WWW-Authenticate header says what was wrong with the last one.',
      de: 'Beim Aussteller ein neues Zugriffstoken holen und als „Authorization: Bearer …“ senden. Was am letzten falsch war, sagt der Header WWW-Authenticate.',
    },
  },
  'tenant.no-access': {
    status: 403,
    title: { en: 'No access to this tenant', de: 'Kein Zugang zu diesem Mandanten' },
    detail: {
      en: 'There is no such tenant, or the caller is not a member of it.',
      de: 'Diesen Mandanten gibt es nicht, oder der Aufrufer ist nicht sein Mitglied.',
    },
    advice: {
      en: 'Check the slug in the path, and with whose token the request is sent. Somebody who manages the tenant can invite.',
      de: 'Den Kurznamen im Pfad prüfen, und mit wessen Token gesendet wird. Wer den Mandanten verwaltet, kann einladen.',
    },
  },
  'permission.missing': {
    status: 403,
    title: { en: 'Permission missing', de: 'Berechtigung fehlt' },
    detail: {
      en: 'The role of the caller does not allow this operation.',
      de: 'Die Rolle des Aufrufers erlaubt diesen Vorgang nicht.',
    },
    advice: {
      en: 'Ask somebody who manages the tenant for the right. Another token of the same user changes nothing.',
      de: 'Wer den Mandanten verwaltet, kann das Recht geben. Ein anderes Token derselben Person ändert nichts.',
    },
  },
  'permission.escalation': {
    status: 403,
    title: { en: 'More than the caller holds', de: 'Mehr, als der Aufrufer darf' },
    detail: {
      en: 'Nobody can give, change or take away rights that they do not hold themselves.',
      de: 'Niemand kann Rechte vergeben, ändern oder nehmen, die er selbst nicht hat.',
    },
    advice: {
      en: 'Have somebody do it who holds all the rights that it is about.',
      de: 'Jemanden darum bitten, der alle Rechte hat, um die es geht.',
    },
  },
  'route.not-found': {
    status: 404,
    title: { en: 'No such route', de: 'Kein solcher Pfad' },
    detail: { en: 'There is nothing at this path.', de: 'Unter diesem Pfad gibt es nichts.' },
    advice: {
      en: 'Check the path: it is case-sensitive, takes no slash at its end, and stands in /openapi.json.',
      de: 'Den Pfad prüfen: Groß- und Kleinschreibung zählt, am Ende steht kein Schrägstrich; alle Pfade stehen in /openapi.json.',
    },
  },
  'resource.not-found': {
    status: 404,
    title: { en: 'Not found', de: 'Nicht gefunden' },
    detail: {
      en: 'There is no such thing, or the caller cannot see it.',
      de: 'So etwas gibt es nicht, oder der Aufrufer kann es nicht sehen.',
    },
    advice: {
      en: 'Check the path and the ids in it; what was there may have gone, or may be out of the caller’s sight.',
      de: 'Den Pfad und die Kennungen darin prüfen; was dort war, kann gelöscht oder dem Aufrufer nicht sichtbar sein.',
    },
  },
  'route.method-not-allowed': {
    status: 405,
    title: { en: 'Method not allowed', de: 'Methode nicht erlaubt' },
    detail: {
      en: 'This path does not take this method; the Allow header names those that it takes.',
      de: 'Dieser Pfad nimmt diese Methode nicht an; welche er annimmt, sagt der Header Allow.',
    },
    advice: {
      en: 'Use one of the methods that the Allow header names.',
      de: 'Eine der Methoden nehmen, die der Header Allow nennt.',
    },
  },
  'request.not-acceptable': {
    status: 406,
    title: { en: 'Not acceptable', de: 'Nicht annehmbar' },
    detail: {
      en: 'The answer is not to be had in a form that the Accept header allows.',
      de: 'Die Antwort gibt es in keiner Form, die der Header Accept zulässt.',
    },
    advice: { en: 'Accept application/json.', de: 'Im Header Accept application/json zulassen.' },
  },
  'request.idempotency-conflict': {
    status: 409,
    title: { en: 'Idempotency key reused', de: 'Idempotency-Key schon benutzt' },
    detail: {
      en: 'This Idempotency-Key was used for another request within the last 24 hours.',
      de: 'Dieser Idempotency-Key wurde in den letzten 24 Stunden für eine andere Anfrage benutzt.',
    },
    advice: NEW_KEY,
  },
});
