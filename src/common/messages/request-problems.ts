import { problems } from './catalogue.js';

const NEW_KEY = {
  en: 'Create a new key for each new request, and repeat a key only with exactly the same request.',
  de: 'Für jede neue Anfrage einen neuen Schlüssel bilden und einen Schlüssel nur mit genau derselben Anfrage wiederholen.',
};

/** Problems of a request that do not depend on its operation. */
export const REQUEST_PROBLEMS = problems({
  'request.invalid': {
    status: 400,
    title: { en: 'The request is not valid', de: 'Ungültige Anfrage' },
    detail: {
      en: 'Some values of the request are invalid; errors lists each of them.',
      de: 'Einige Werte der Anfrage sind ungültig; errors nennt jeden davon.',
    },
    advice: {
      en: 'Correct the values listed in errors; each key is the path of a value in the request.',
      de: 'Die in errors genannten Werte berichtigen; jeder Schlüssel ist der Pfad eines Wertes in der Anfrage.',
    },
  },
  'request.malformed-body': {
    status: 400,
    title: { en: 'The body cannot be read', de: 'Body nicht lesbar' },
    detail: {
      en: 'The body is not valid JSON in UTF-8, or it is nested too deeply.',
      de: 'Der Body ist kein gültiges JSON in UTF-8 oder zu tief verschachtelt.',
    },
    advice: {
      en: 'Create the body with a JSON library, in UTF-8, with at most 32 levels.',
      de: 'Den Body mit einer JSON-Bibliothek erzeugen, in UTF-8 und mit höchstens 32 Ebenen.',
    },
  },
  'request.malformed-http': {
    status: 400,
    title: { en: 'Not an HTTP request', de: 'Keine HTTP-Anfrage' },
    detail: { en: 'The request is not valid HTTP.', de: 'Die Anfrage ist kein gültiges HTTP.' },
    advice: {
      en: 'Use an HTTP library, and check the proxies between client and service.',
      de: 'Eine HTTP-Bibliothek verwenden und Proxys zwischen Client und Dienst prüfen.',
    },
  },
  'request.idempotency-key-reused': {
    status: 400,
    title: { en: 'Idempotency key reused', de: 'Idempotency-Key bereits verwendet' },
    detail: {
      en: 'This Idempotency-Key was used for another request within the last 24 hours.',
      de: 'Dieser Idempotency-Key wurde in den letzten 24 Stunden für eine andere Anfrage verwendet.',
    },
    advice: NEW_KEY,
  },
  'authentication.required': {
    status: 401,
    title: { en: 'Authentication required', de: 'Anmeldung erforderlich' },
    detail: {
      en: 'Send a valid access token as a bearer token.',
      de: 'Ein gültiges Zugriffstoken ist als Bearer-Token zu senden.',
    },
    advice: {
      en: 'Get a new access token from the issuer and send it as “Authorization: Bearer …”. The WWW-Authenticate header says why the last one was rejected.',
      de: 'Beim Aussteller ein neues Zugriffstoken holen und als „Authorization: Bearer …“ senden. Der Header WWW-Authenticate nennt den Grund der Ablehnung.',
    },
  },
  'tenant.no-access': {
    status: 403,
    title: { en: 'No access to this tenant', de: 'Kein Zugang zu diesem Mandanten' },
    detail: {
      en: 'The tenant does not exist, or you are not a member of it.',
      de: 'Der Mandant existiert nicht, oder es besteht keine Mitgliedschaft.',
    },
    advice: {
      en: 'Check the slug in the path and the user of the access token. A member who manages the tenant can send an invitation.',
      de: 'Den Kurznamen im Pfad und die Person des Zugriffstokens prüfen. Ein verwaltendes Mitglied des Mandanten kann einladen.',
    },
  },
  'tenant.suspended': {
    status: 403,
    title: { en: 'Tenant suspended', de: 'Mandant gesperrt' },
    detail: {
      en: 'The operator of the service has suspended this tenant.',
      de: 'Der Betreiber des Dienstes hat diesen Mandanten gesperrt.',
    },
    advice: {
      en: 'Ask the operator of the service. Nothing was lost: all operations succeed again after the suspension. Only members get this answer; others get “tenant.no-access”.',
      de: 'Den Betreiber des Dienstes fragen. Nichts ist verloren: nach der Sperre gelingen alle Aktionen wieder. Nur Mitglieder erhalten diese Antwort, andere „tenant.no-access“.',
    },
  },
  'permission.missing': {
    status: 403,
    title: { en: 'Permission missing', de: 'Berechtigung fehlt' },
    detail: {
      en: 'Your role does not allow this operation.',
      de: 'Die eigene Rolle erlaubt diese Aktion nicht.',
    },
    advice: {
      en: 'Ask a member who manages the tenant for the permission. Another token of the same user does not help.',
      de: 'Die Berechtigung bei einem verwaltenden Mitglied des Mandanten beantragen. Ein anderes Token derselben Person hilft nicht.',
    },
  },
  'permission.escalation': {
    status: 403,
    title: { en: 'Privilege escalation', de: 'Unzulässige Rechteausweitung' },
    detail: {
      en: 'You cannot give, change or take away permissions that you do not have.',
      de: 'Berechtigungen, die die eigene Rolle nicht enthält, können weder vergeben noch geändert oder entzogen werden.',
    },
    advice: {
      en: 'Ask a member who has all these permissions.',
      de: 'Ein Mitglied mit allen betroffenen Rechten um die Änderung bitten.',
    },
  },
  'route.not-found': {
    status: 404,
    title: { en: 'No such route', de: 'Unbekannter Pfad' },
    detail: { en: 'This path does not exist.', de: 'Diesen Pfad gibt es nicht.' },
    advice: {
      en: 'Check the path: it is case-sensitive and has no slash at its end. /openapi.json lists all paths.',
      de: 'Den Pfad prüfen: Groß- und Kleinschreibung wird unterschieden, am Ende steht kein Schrägstrich. /openapi.json nennt alle Pfade.',
    },
  },
  'resource.not-found': {
    status: 404,
    title: { en: 'Not found', de: 'Nicht gefunden' },
    detail: { en: 'Not found, or not visible to you.', de: 'Nicht gefunden oder nicht sichtbar.' },
    advice: {
      en: 'Check the path and the ids in it. The resource may have been deleted, or you may not have access to it.',
      de: 'Den Pfad und die Kennungen darin prüfen. Die Ressource kann gelöscht oder nicht freigegeben sein.',
    },
  },
  'route.method-not-allowed': {
    status: 405,
    title: { en: 'Method not allowed', de: 'Methode nicht erlaubt' },
    detail: {
      en: 'This path does not support this method; the Allow header lists the supported methods.',
      de: 'Dieser Pfad unterstützt diese Methode nicht; der Header Allow nennt die unterstützten.',
    },
    advice: {
      en: 'Use one of the methods listed in the Allow header.',
      de: 'Eine der im Header Allow genannten Methoden verwenden.',
    },
  },
  'request.not-acceptable': {
    status: 406,
    title: { en: 'Not acceptable', de: 'Kein passender Medientyp' },
    detail: {
      en: 'None of the media types in Accept is available.',
      de: 'Keiner der Medientypen in Accept ist verfügbar.',
    },
    advice: { en: 'Accept application/json.', de: 'Im Header Accept application/json zulassen.' },
  },
  'request.idempotency-conflict': {
    status: 409,
    title: { en: 'Idempotency key reused', de: 'Idempotency-Key bereits verwendet' },
    detail: {
      en: 'This Idempotency-Key was used for another request within the last 24 hours.',
      de: 'Dieser Idempotency-Key wurde in den letzten 24 Stunden für eine andere Anfrage verwendet.',
    },
    advice: NEW_KEY,
  },
});
