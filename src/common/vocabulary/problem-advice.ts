import { type Language } from './languages.js';
import { PROBLEMS, type ProblemCode } from './problems.js';

type Advice = Readonly<Record<Language, string>>;

/** What the program, or the person who wrote it or uses it, can do about a problem. */
export function adviceOn(code: ProblemCode, language: Language): string {
  return (BY_CODE[code] ?? BY_STATUS[PROBLEMS[code].status] ?? IN_DOUBT)[language];
}

const IN_DOUBT: Advice = {
  en: 'Read detail: it says what stands in the way.',
  de: 'In detail steht, was im Weg ist.',
};

const BY_STATUS: Readonly<Record<number, Advice>> = {
  400: {
    en: 'Correct the values that errors names by their path in the request. The same request again is refused again.',
    de: 'Die Werte berichtigen, die errors mit ihrem Pfad in der Anfrage nennt. Dieselbe Anfrage noch einmal wird wieder abgelehnt.',
  },
  401: {
    en: 'Get a new access token from the issuer and send it as “Authorization: Bearer …”. The WWW-Authenticate header says what was wrong with the last one.',
    de: 'Beim Aussteller ein neues Zugriffstoken holen und als „Authorization: Bearer …“ senden. Was am letzten falsch war, sagt der Header WWW-Authenticate.',
  },
  403: {
    en: 'Ask somebody who manages the tenant for the right. Another token of the same user changes nothing.',
    de: 'Wer den Mandanten verwaltet, kann das Recht geben. Ein anderes Token derselben Person ändert nichts.',
  },
  404: {
    en: 'Check the path and the ids in it; what was there may have gone, or may be out of the caller’s sight.',
    de: 'Den Pfad und die Kennungen darin prüfen; was dort war, kann gelöscht oder dem Aufrufer nicht sichtbar sein.',
  },
  405: {
    en: 'Use one of the methods that the Allow header names.',
    de: 'Eine der Methoden nehmen, die der Header Allow nennt.',
  },
  406: { en: 'Accept application/json.', de: 'Im Header Accept application/json zulassen.' },
  409: {
    en: 'Read the current state, and decide anew. The same request may succeed once that state has changed.',
    de: 'Den jetzigen Stand lesen und neu entscheiden. Dieselbe Anfrage kann gelingen, sobald er sich geändert hat.',
  },
  412: {
    en: 'Read the resource again, apply the change to what it is now, and send its new entity tag.',
    de: 'Die Ressource neu lesen, die Änderung auf ihren jetzigen Stand anwenden und dessen Entity-Tag senden.',
  },
  413: { en: 'Send less.', de: 'Weniger senden.' },
  415: {
    en: 'Send the body as application/json, or as multipart/form-data where content is uploaded.',
    de: 'Den Inhalt als application/json senden, oder als multipart/form-data, wo hochgeladen wird.',
  },
  416: {
    en: 'Ask for a part within the size that the Content-Range header tells.',
    de: 'Einen Bereich innerhalb der Größe verlangen, die der Header Content-Range nennt.',
  },
  429: {
    en: 'Wait for as many seconds as the Retry-After header says. RateLimit tells on every answer what is left.',
    de: 'So viele Sekunden warten, wie der Header Retry-After sagt. Was noch übrig ist, sagt RateLimit auf jeder Antwort.',
  },
  431: { en: 'Send fewer or shorter header fields.', de: 'Weniger oder kürzere Header senden.' },
  500: {
    en: 'Try again; if it stays, report the request id to whoever runs the service.',
    de: 'Noch einmal versuchen; bleibt es dabei, dem Betreiber die Kennung der Anfrage nennen.',
  },
  503: {
    en: 'Try again after as many seconds as the Retry-After header says.',
    de: 'Nach so vielen Sekunden, wie der Header Retry-After sagt, noch einmal versuchen.',
  },
  507: {
    en: 'Tell whoever runs the service; nothing that the client does will help.',
    de: 'Dem Betreiber des Dienstes Bescheid geben; der Client kann nichts tun.',
  },
};

const IDEMPOTENCY: Advice = {
  en: 'Make a new key for each new request, and send the same key only with the very same request.',
  de: 'Für jede neue Anfrage einen neuen Schlüssel bilden und denselben nur mit genau derselben Anfrage senden.',
};
const OTHER_NAME: Advice = {
  en: 'Take another name, or use what has it already. Upper and lower case make no difference.',
  de: 'Einen anderen Namen nehmen oder das nutzen, was ihn schon hat. Groß- und Kleinschreibung macht keinen Unterschied.',
};
const OTHER_KEY: Advice = {
  en: 'Take another key, or use the type that has it. Upper and lower case make no difference.',
  de: 'Einen anderen Schlüssel nehmen oder den Typ nutzen, der ihn hat. Groß- und Kleinschreibung macht keinen Unterschied.',
};
const NOTHING_TO_DO: Advice = {
  en: 'Nothing: things are as the request wants them. Read the resource again where its state was not known.',
  de: 'Nichts: es ist schon so, wie die Anfrage es will. Die Ressource neu lesen, wo ihr Stand nicht bekannt war.',
};

/** Where there is something more telling to say than for the status. */
const BY_CODE: Partial<Readonly<Record<ProblemCode, Advice>>> = {
  'request.malformed-body': {
    en: 'Have a JSON library write the body, in UTF-8, at most 32 levels deep.',
    de: 'Den Inhalt von einer JSON-Bibliothek schreiben lassen, in UTF-8, höchstens 32 Ebenen tief.',
  },
  'request.malformed-http': {
    en: 'Use an HTTP library, and look at proxies in between.',
    de: 'Eine HTTP-Bibliothek verwenden und auf Proxys dazwischen achten.',
  },
  'request.idempotency-key-reused': IDEMPOTENCY,
  'request.idempotency-conflict': IDEMPOTENCY,
  'tenant.no-access': {
    en: 'Check the slug in the path, and with whose token the request is sent. Somebody who manages the tenant can invite.',
    de: 'Den Kurznamen im Pfad prüfen, und mit wessen Token gesendet wird. Wer den Mandanten verwaltet, kann einladen.',
  },
  'permission.escalation': {
    en: 'Have somebody do it who holds all the rights that it is about.',
    de: 'Jemanden darum bitten, der alle Rechte hat, um die es geht.',
  },
  'route.not-found': {
    en: 'Check the path: it is case-sensitive, takes no slash at its end, and stands in /openapi.json.',
    de: 'Den Pfad prüfen: Groß- und Kleinschreibung zählt, am Ende steht kein Schrägstrich; alle Pfade stehen in /openapi.json.',
  },
  'file.number-taken': {
    en: 'Take another number, or find the file that has it with q on the list of files; it may be one that the caller cannot see.',
    de: 'Ein anderes Aktenzeichen nehmen oder die Akte, die es hat, mit q in der Liste der Akten suchen; vielleicht kann der Aufrufer sie nicht sehen.',
  },
  'file.already-closed': NOTHING_TO_DO,
  'file.already-open': NOTHING_TO_DO,
  'file.closed': {
    en: 'Reopen the file first. A document may be in several files: every one of them has to be open.',
    de: 'Zuerst die Akte wieder öffnen. Ein Dokument kann in mehreren Akten sein: jede davon muss offen sein.',
  },
  'file.documents-processing': {
    en: 'Try again shortly: processing takes seconds.',
    de: 'Bald wieder versuchen: die Verarbeitung dauert Sekunden.',
  },
  'file.not-empty': {
    en: 'Take the documents out of the file; reopen it if it is closed. Documents in the bin count until they are purged or restored and taken out.',
    de: 'Die Dokumente aus der Akte nehmen; eine geschlossene zuerst öffnen. Dokumente im Papierkorb zählen, bis sie endgültig gelöscht oder wiederhergestellt und herausgenommen sind.',
  },
  'file-type.key-taken': OTHER_KEY,
  'document-type.key-taken': OTHER_KEY,
  'document.processing': {
    en: 'Try again shortly: the document becomes Active by itself.',
    de: 'Bald wieder versuchen: das Dokument wird von selbst aktiv.',
  },
  'document.archived': {
    en: 'Unarchive the document, change it, and archive it again.',
    de: 'Das Dokument aus dem Archiv holen, ändern und wieder archivieren.',
  },
  'document.not-archived': NOTHING_TO_DO,
  'document.deleted': {
    en: 'Restore the document first.',
    de: 'Das Dokument zuerst wiederherstellen.',
  },
  'document.not-deleted': NOTHING_TO_DO,
  'document.too-many-links': {
    en: 'Take off tags that are no longer used, or take the document out of files.',
    de: 'Nicht mehr gebrauchte Schlagwörter entfernen oder das Dokument aus Akten nehmen.',
  },
  'document.without-content': {
    en: 'Nothing: this document lies on paper, or has values only. Its content is null when it is read.',
    de: 'Nichts: dieses Dokument liegt auf Papier vor oder hat nur Werte. Beim Lesen ist sein content null.',
  },
  'document.not-confidential': {
    en: 'Switch confidentiality on first.',
    de: 'Zuerst die Vertraulichkeit einschalten.',
  },
  'confidentiality.last-user': {
    en: 'Put somebody else on the list first, or switch confidentiality off.',
    de: 'Zuerst jemand anderen auf die Liste setzen oder die Vertraulichkeit ausschalten.',
  },
  'content.quota-exceeded': {
    en: 'Send less, delete documents, or ask the operator for a higher limit. Documents in the bin count until a day after they are purged.',
    de: 'Weniger senden, Dokumente löschen oder den Betreiber um ein höheres Limit bitten. Dokumente im Papierkorb zählen, bis sie seit einem Tag endgültig gelöscht sind.',
  },
  'tag.name-taken': OTHER_NAME,
  'saved-view.name-taken': OTHER_NAME,
  'saved-view.too-many': {
    en: 'Delete saved views that are no longer used.',
    de: 'Gespeicherte Ansichten löschen, die nicht mehr gebraucht werden.',
  },
  'saved-view.too-large': {
    en: 'Delete saved views that are no longer used, or make their filters smaller.',
    de: 'Gespeicherte Ansichten löschen, die nicht mehr gebraucht werden, oder ihre Filter verkleinern.',
  },
  'role.name-taken': OTHER_NAME,
  'role.built-in': {
    en: 'Create a role with the permissions that are wanted, and give that one.',
    de: 'Eine Rolle mit den gewünschten Berechtigungen anlegen und diese vergeben.',
  },
  'role.in-use': {
    en: 'Give its members another role, and revoke the pending invitations to it.',
    de: 'Ihren Mitgliedern eine andere Rolle geben und die offenen Einladungen zu ihr zurückziehen.',
  },
  'member.last-administrator': {
    en: 'Give somebody else both roles.manage and members.manage first.',
    de: 'Zuerst jemand anderem roles.manage und members.manage geben.',
  },
  'member.exists': {
    en: 'Change the role of the member instead.',
    de: 'Stattdessen die Rolle des Mitglieds ändern.',
  },
  'invitation.exists': {
    en: 'Wait for the answer to the invitation, or revoke it and invite anew.',
    de: 'Auf die Antwort zur Einladung warten, oder sie zurückziehen und neu einladen.',
  },
  'invitation.ended': NOTHING_TO_DO,
  'access-grant.ended': NOTHING_TO_DO,
  'tenant.slug-unavailable': {
    en: 'Take another one: 3 to 63 lower-case letters, digits and hyphens, with neither a hyphen at an end nor the form of a UUID.',
    de: 'Einen anderen nehmen: 3 bis 63 Kleinbuchstaben, Ziffern und Bindestriche, kein Bindestrich am Rand, nicht in der Form einer UUID.',
  },
};
