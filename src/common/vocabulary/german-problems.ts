import { type ProblemCode, type ProblemKind } from './problems.js';

/** Title and detail of every problem in German; the words for things are those of the German demo data. */
export const GERMAN_PROBLEMS: Readonly<Record<ProblemCode, Pick<ProblemKind, 'title' | 'detail'>>> = {
  'request.invalid': {
    title: 'Die Anfrage ist nicht gültig',
    detail: 'Einige Werte der Anfrage werden nicht angenommen; errors nennt jeden davon.',
  },
  'request.malformed-body': {
    title: 'Der Inhalt der Anfrage ist nicht lesbar',
    detail: 'Der Inhalt ist kein wohlgeformtes JSON in UTF-8 oder zu tief verschachtelt.',
  },
  'request.malformed-http': {
    title: 'Keine HTTP-Anfrage',
    detail: 'Die Anfrage hält sich nicht an HTTP.',
  },
  'request.idempotency-key-reused': {
    title: 'Idempotency-Key schon benutzt',
    detail: 'Dieser Idempotency-Key wurde in den letzten 24 Stunden für eine andere Anfrage benutzt.',
  },
  'authentication.required': {
    title: 'Anmeldung erforderlich',
    detail: 'Mit der Anfrage ist ein gültiges Zugriffstoken als Bearer-Token zu senden.',
  },
  'tenant.no-access': {
    title: 'Kein Zugang zu diesem Mandanten',
    detail: 'Diesen Mandanten gibt es nicht, oder der Aufrufer ist nicht sein Mitglied.',
  },
  'permission.missing': {
    title: 'Berechtigung fehlt',
    detail: 'Die Rolle des Aufrufers erlaubt diesen Vorgang nicht.',
  },
  'permission.escalation': {
    title: 'Mehr, als der Aufrufer darf',
    detail: 'Niemand kann Rechte vergeben, ändern oder nehmen, die er selbst nicht hat.',
  },
  'route.not-found': { title: 'Kein solcher Pfad', detail: 'Unter diesem Pfad gibt es nichts.' },
  'resource.not-found': {
    title: 'Nicht gefunden',
    detail: 'So etwas gibt es nicht, oder der Aufrufer kann es nicht sehen.',
  },
  'route.method-not-allowed': {
    title: 'Methode nicht erlaubt',
    detail: 'Dieser Pfad nimmt diese Methode nicht an; welche er annimmt, sagt der Header Allow.',
  },
  'request.not-acceptable': {
    title: 'Nicht annehmbar',
    detail: 'Die Antwort gibt es in keiner Form, die der Header Accept zulässt.',
  },
  'request.idempotency-conflict': {
    title: 'Idempotency-Key schon benutzt',
    detail: 'Dieser Idempotency-Key wurde in den letzten 24 Stunden für eine andere Anfrage benutzt.',
  },
  'file.number-taken': {
    title: 'Aktenzeichen vergeben',
    detail: 'Eine andere Akte des Mandanten hat dieses Aktenzeichen.',
  },
  'file.already-closed': {
    title: 'Akte schon geschlossen',
    detail: 'Die Akte ist bereits geschlossen.',
  },
  'file.already-open': { title: 'Akte schon offen', detail: 'Die Akte ist bereits offen.' },
  'file.closed': {
    title: 'Akte geschlossen',
    detail:
      'Ein Dokument in einer geschlossenen Akte bleibt, wie es ist; in eine solche Akte kommt nichts hinein, und aus ihr kommt nichts heraus.',
  },
  'file.documents-processing': {
    title: 'Dokumente werden verarbeitet',
    detail: 'Eine Akte wird nicht geschlossen, solange eines ihrer Dokumente verarbeitet wird.',
  },
  'file.not-empty': {
    title: 'Akte nicht leer',
    detail: 'Gelöscht wird nur eine offene Akte ohne Dokumente, auch ohne solche im Papierkorb.',
  },
  'file-type.key-taken': {
    title: 'Schlüssel des Aktentyps vergeben',
    detail: 'Ein anderer Aktentyp des Mandanten hat diesen Schlüssel.',
  },
  'document-type.key-taken': {
    title: 'Schlüssel des Dokumenttyps vergeben',
    detail: 'Ein anderer Dokumenttyp des Mandanten hat diesen Schlüssel.',
  },
  'document.processing': {
    title: 'Dokument wird verarbeitet',
    detail: 'Das Dokument wird noch verarbeitet.',
  },
  'document.archived': {
    title: 'Dokument archiviert',
    detail: 'Ein archiviertes Dokument wird weder bearbeitet noch verschlagwortet.',
  },
  'document.not-archived': {
    title: 'Dokument nicht archiviert',
    detail: 'Das Dokument ist nicht archiviert.',
  },
  'document.deleted': {
    title: 'Dokument im Papierkorb',
    detail: 'Ein Dokument im Papierkorb kann nur wiederhergestellt werden.',
  },
  'document.not-deleted': {
    title: 'Dokument nicht im Papierkorb',
    detail: 'Das Dokument ist nicht im Papierkorb.',
  },
  'document.too-many-links': {
    title: 'Zu viele Schlagwörter oder Akten',
    detail: 'Ein Dokument hat höchstens 1.000 Schlagwörter und liegt in höchstens 1.000 Akten.',
  },
  'document.without-content': {
    title: 'Dokument ohne Inhalt',
    detail: 'Das Dokument hat keinen Inhalt.',
  },
  'document.not-confidential': {
    title: 'Dokument nicht vertraulich',
    detail: 'Das Dokument ist nicht vertraulich.',
  },
  'confidentiality.last-user': {
    title: 'Letzte Person der Liste',
    detail: 'Die letzte Person wird von der Liste eines vertraulichen Dokuments nicht gestrichen.',
  },
  'tag.name-taken': {
    title: 'Name des Schlagworts vergeben',
    detail: 'Ein anderes Schlagwort des Mandanten hat diesen Namen.',
  },
  'saved-view.name-taken': {
    title: 'Name der Ansicht vergeben',
    detail: 'Der Aufrufer hat eine andere gespeicherte Ansicht dieses Namens.',
  },
  'saved-view.too-many': {
    title: 'Zu viele gespeicherte Ansichten',
    detail: 'Niemand kann mehr als 500 gespeicherte Ansichten haben.',
  },
  'saved-view.too-large': {
    title: 'Gespeicherte Ansichten zu groß',
    detail: 'Die Filter aller gespeicherten Ansichten eines Benutzers haben zusammen höchstens 2 MiB.',
  },
  'role.name-taken': {
    title: 'Name der Rolle vergeben',
    detail: 'Eine andere Rolle des Mandanten hat diesen Namen.',
  },
  'role.built-in': {
    title: 'Eingebaute Rolle',
    detail: 'Eingebaute Rollen werden weder geändert noch gelöscht.',
  },
  'role.in-use': {
    title: 'Rolle in Gebrauch',
    detail: 'Eine Rolle, die Mitglieder oder offene Einladungen haben, wird nicht gelöscht.',
  },
  'member.last-administrator': {
    title: 'Letztes verwaltendes Mitglied',
    detail:
      'Das letzte Mitglied, das Rollen und Mitglieder verwalten darf, kann dieses Recht nicht verlieren.',
  },
  'member.exists': {
    title: 'Schon Mitglied',
    detail: 'Diese Person ist bereits Mitglied des Mandanten.',
  },
  'invitation.exists': {
    title: 'Schon eingeladen',
    detail: 'Für diese Adresse gibt es eine offene Einladung, oder ein Mitglied hat sie.',
  },
  'invitation.ended': {
    title: 'Einladung beendet',
    detail: 'Nur eine offene Einladung kann zurückgezogen werden.',
  },
  'access-grant.ended': {
    title: 'Freigabe beendet',
    detail: 'Die Freigabe ist abgelaufen oder wurde schon zurückgezogen.',
  },
  'tenant.slug-unavailable': {
    title: 'Kurzname nicht verfügbar',
    detail: 'Dieser Kurzname (slug) ist nicht zu haben: er ist falsch gebildet, vorbehalten oder vergeben.',
  },
  'request.precondition-failed': {
    title: 'Vorbedingung nicht erfüllt',
    detail: 'Die Ressource hat sich geändert, seit das Entity-Tag in If-Match gelesen wurde.',
  },
  'request.too-large': {
    title: 'Anfrage zu groß',
    detail: 'Der Inhalt der Anfrage ist größer, als angenommen wird.',
  },
  'request.unsupported-media-type': {
    title: 'Medientyp nicht unterstützt',
    detail: 'Der Inhalt der Anfrage hat keinen Medientyp, den dieser Vorgang annimmt.',
  },
  'content.range-not-satisfiable': {
    title: 'Bereich nicht vorhanden',
    detail: 'Der Inhalt hat den verlangten Bereich nicht.',
  },
  'request.rate-limited': {
    title: 'Zu viele Anfragen',
    detail:
      'Zu viele Anfragen; in wie vielen Sekunden die nächste angenommen wird, sagt der Header Retry-After.',
  },
  'request.headers-too-large': {
    title: 'Header zu groß',
    detail: 'Die Header der Anfrage sind größer, als angenommen wird.',
  },
  'service.error': {
    title: 'Interner Fehler',
    detail:
      'Der Dienst konnte nicht antworten; die Kennung der Anfrage führt in seinem Protokoll zur Ursache.',
  },
  'service.unavailable': {
    title: 'Dienst nicht verfügbar',
    detail:
      'Der Dienst kann jetzt nicht antworten; nach so vielen Sekunden, wie Retry-After nennt, wieder versuchen.',
  },
  'content.storage-full': {
    title: 'Speicher voll',
    detail: 'Für den Inhalt ist kein Platz mehr.',
  },
  'content.quota-exceeded': {
    title: 'Speicherkontingent erschöpft',
    detail: 'Der Mandant hat seinen Speicherplatz aufgebraucht.',
  },
};
