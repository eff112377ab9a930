import { messages } from './catalogue.js';

/** Reasons why a valid request cannot be processed at present. */
export const STATE_MESSAGES = messages({
  'permission.needed': {
    en: 'Your role does not have the permission {permissions}, which this operation needs.',
    de: 'Die eigene Rolle hat nicht die Berechtigung {permissions}, die diese Aktion erfordert.',
  },
  'permission.one-of': {
    en: 'Your role has none of the permissions {permissions}, of which this operation needs one.',
    de: 'Die eigene Rolle hat keine der Berechtigungen {permissions}, von denen diese Aktion eine erfordert.',
  },
  'precondition.weak-tag': {
    en: 'If-Match contains a weak entity tag (W/"…"), which never matches. A proxy that compresses answers makes tags weak: send the tag without W/ and without what the proxy added.',
    de: 'If-Match enthält ein schwaches Entity-Tag (W/"…"), das nie übereinstimmt. Ein Proxy, der Antworten komprimiert, schwächt Tags ab: das Tag ohne W/ und ohne Zusätze des Proxys senden.',
  },
  'service.large-requests': {
    en: 'Too many large requests or responses are in progress. Try again later.',
    de: 'Zu viele große Anfragen oder Antworten sind in Bearbeitung. Später erneut versuchen.',
  },
  'service.many-requests': {
    en: 'Too many of your requests are in progress. Try again when some of them have completed.',
    de: 'Zu viele eigene Anfragen sind in Bearbeitung. Erneut versuchen, sobald einige abgeschlossen sind.',
  },
  'evidence.many-exports': {
    en: 'An export of the audit log is in progress. Try again when it has ended.',
    de: 'Ein Export des Protokolls ist in Arbeit. Erneut versuchen, sobald er beendet ist.',
  },
  'stream.many-of-caller': {
    en: 'You have {max} open streams, the maximum. Close one before you open another.',
    de: 'Es sind bereits {max} eigene Streams geöffnet, mehr sind nicht möglich. Vor dem Öffnen eines weiteren einen schließen.',
  },
  'stream.many-of-tenant': {
    en: 'The members of the tenant have {max} open streams, the maximum. Try again later.',
    de: 'Die Mitglieder des Mandanten haben bereits {max} Streams geöffnet, mehr sind nicht möglich. Später erneut versuchen.',
  },
  'stream.many-of-instance': {
    en: 'The service has too many open streams. Try again later.',
    de: 'Beim Dienst sind zu viele Streams geöffnet. Später erneut versuchen.',
  },
  'invitation.many-mails-to-address': {
    en: 'An address gets at most {max} invitation mails from a tenant within 24 hours.',
    de: 'Eine Adresse erhält von einem Mandanten innerhalb von 24 Stunden höchstens {max} Einladungen per E-Mail.',
  },
  'invitation.many-mails-of-inviter': {
    en: 'A member can send at most {max} invitation mails within 24 hours.',
    de: 'Ein Mitglied kann innerhalb von 24 Stunden höchstens {max} Einladungen per E-Mail senden.',
  },
  'invitation.many-mails-of-tenant': {
    en: 'The members of a tenant can send at most {max} invitation mails within 24 hours.',
    de: 'Die Mitglieder eines Mandanten können innerhalb von 24 Stunden höchstens {max} Einladungen per E-Mail senden.',
  },
  'service.stopping': { en: 'The service is shutting down.', de: 'Der Dienst wird beendet.' },
  'service.database': { en: 'The database is not reachable.', de: 'Die Datenbank ist nicht erreichbar.' },
  'service.database-read-only': {
    en: 'The database accepts no changes at present.',
    de: 'Die Datenbank nimmt derzeit keine Änderungen an.',
  },
  'service.issuer': {
    en: 'The identity provider (issuer) has not responded since the service started.',
    de: 'Der Aussteller (issuer) hat seit dem Start des Dienstes nicht geantwortet.',
  },
  'tenant.slug-taken': {
    en: 'The slug {slug} is already taken.',
    de: 'Der Kurzname {slug} ist bereits vergeben.',
  },
  'tenant.is-suspended': {
    en: 'The operator of the service has suspended this tenant.',
    de: 'Der Betreiber des Dienstes hat diesen Mandanten gesperrt.',
  },
  'document.already-archived': {
    en: 'The document is already archived.',
    de: 'Das Dokument ist bereits archiviert.',
  },
});
