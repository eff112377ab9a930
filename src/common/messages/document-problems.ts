import { NO_CHANGE_NEEDED } from './advice.js';
import { problems } from './catalogue.js';

const OTHER_KEY = {
  en: 'Choose another key, or use the type that has this key. Keys are not case-sensitive.',
  de: 'Einen anderen Schlüssel wählen oder den Typ mit diesem Schlüssel verwenden. Groß- und Kleinschreibung wird nicht unterschieden.',
};

/** States of files, document types and documents. */
export const DOCUMENT_PROBLEMS = problems({
  'file.number-taken': {
    status: 409,
    title: { en: 'File number taken', de: 'Aktenzeichen vergeben' },
    detail: {
      en: 'Another file of the tenant has this number.',
      de: 'Eine andere Akte des Mandanten hat dieses Aktenzeichen.',
    },
    advice: {
      en: 'Choose another number. To find the file that has it, search with q in the list of files; that file may not be visible to you.',
      de: 'Ein anderes Aktenzeichen wählen. Die Akte mit diesem Aktenzeichen ist mit q in der Liste der Akten zu finden, sofern sie sichtbar ist.',
    },
  },
  'numbering.none': {
    status: 409,
    title: { en: 'No numbering', de: 'Keine Nummerierung' },
    detail: {
      en: 'The file type has no pattern for numbers.',
      de: 'Der Aktentyp hat kein Muster für Aktenzeichen.',
    },
    advice: {
      en: 'Set a pattern for the file type, or create the file with a number of your own.',
      de: 'Ein Muster für den Aktentyp festlegen oder die Akte mit einem eigenen Aktenzeichen anlegen.',
    },
  },
  'numbering.exhausted': {
    status: 409,
    title: { en: 'No free number', de: 'Kein freies Aktenzeichen' },
    detail: {
      en: 'The next 1,000 numbers of the file type are in use or too long.',
      de: 'Die nächsten 1.000 Aktenzeichen des Aktentyps sind vergeben oder zu lang.',
    },
    advice: {
      en: 'Continue the numbering with a greater number, or change the pattern.',
      de: 'Die Nummerierung mit einer größeren Zahl fortsetzen oder das Muster ändern.',
    },
  },
  'export.too-large': {
    status: 409,
    title: { en: 'Export too large', de: 'Export zu groß' },
    detail: {
      en: 'An export has at most 100,000 documents, 250,000 contents and 50 GB.',
      de: 'Ein Export hat höchstens 100.000 Dokumente, 250.000 Inhalte und 50 GB.',
    },
    advice: {
      en: 'Create several exports, for example one for each file type or for groups of files.',
      de: 'Mehrere Exporte anlegen, etwa einen für jeden Aktentyp oder für Gruppen von Akten.',
    },
  },
  'export.too-many': {
    status: 409,
    title: { en: 'Too many exports', de: 'Zu viele Exporte' },
    detail: {
      en: 'You already have 3 exports that are not finished, or 100 exports.',
      de: 'Es gibt bereits 3 unfertige eigene Exporte oder 100 eigene Exporte.',
    },
    advice: {
      en: 'Wait until one is ready, or delete one.',
      de: 'Warten, bis einer fertig ist, oder einen löschen.',
    },
  },
  'export.not-ready': {
    status: 409,
    title: { en: 'Export not ready', de: 'Export nicht bereit' },
    detail: {
      en: 'The export is not finished, has failed or has expired.',
      de: 'Der Export ist noch nicht fertig, fehlgeschlagen oder abgelaufen.',
    },
    advice: {
      en: 'The status of the export says which. If it is Pending or Running, wait; otherwise create a new export.',
      de: 'Der Status des Exports nennt den Grund. Bei Pending oder Running warten, sonst einen neuen Export anlegen.',
    },
  },
  'export.outdated': {
    status: 409,
    title: { en: 'Export outdated', de: 'Export veraltet' },
    detail: {
      en: 'The export contains something that you can no longer see.',
      de: 'Der Export enthält etwas, das inzwischen nicht mehr sichtbar ist.',
    },
    advice: { en: 'Create a new export.', de: 'Einen neuen Export anlegen.' },
  },
  'file.already-closed': {
    status: 409,
    title: { en: 'File already closed', de: 'Akte bereits geschlossen' },
    detail: { en: 'The file is already closed.', de: 'Die Akte ist bereits geschlossen.' },
    advice: NO_CHANGE_NEEDED,
  },
  'file.already-open': {
    status: 409,
    title: { en: 'File already open', de: 'Akte bereits offen' },
    detail: { en: 'The file is already open.', de: 'Die Akte ist bereits offen.' },
    advice: NO_CHANGE_NEEDED,
  },
  'file.closed': {
    status: 409,
    title: { en: 'File closed', de: 'Akte geschlossen' },
    detail: {
      en: 'The file is closed. Its documents cannot be changed, and none can be filed or unfiled.',
      de: 'Die Akte ist geschlossen. Ihre Dokumente können nicht geändert, hinzugefügt oder entfernt werden.',
    },
    advice: {
      en: 'Reopen the file. If the document is in several files, all of them must be open.',
      de: 'Die Akte wieder öffnen. Liegt das Dokument in mehreren Akten, müssen alle offen sein.',
    },
  },
  'file.documents-processing': {
    status: 409,
    title: { en: 'Documents are being processed', de: 'Dokumente werden verarbeitet' },
    detail: {
      en: 'The file cannot be closed while one of its documents is being processed.',
      de: 'Die Akte kann nicht geschlossen werden, solange eines ihrer Dokumente verarbeitet wird.',
    },
    advice: {
      en: 'Try again shortly. Processing usually takes seconds.',
      de: 'In Kürze erneut versuchen. Die Verarbeitung dauert meist nur Sekunden.',
    },
  },
  'file.not-empty': {
    status: 409,
    title: { en: 'File not empty', de: 'Akte nicht leer' },
    detail: {
      en: 'Only an open file without documents can be deleted. Documents in the bin count.',
      de: 'Nur eine offene Akte ohne Dokumente kann gelöscht werden. Dokumente im Papierkorb zählen mit.',
    },
    advice: {
      en: 'Reopen the file if it is closed, and unfile its documents. Restore and unfile documents in the bin, or wait until they are purged.',
      de: 'Die Akte öffnen, falls sie geschlossen ist, und die Dokumente aus ihr entfernen. Dokumente im Papierkorb wiederherstellen und entfernen oder ihr endgültiges Löschen abwarten.',
    },
  },
  'file-type.key-taken': {
    status: 409,
    title: { en: 'File type key taken', de: 'Schlüssel des Aktentyps vergeben' },
    detail: {
      en: 'Another file type of the tenant has this key.',
      de: 'Ein anderer Aktentyp des Mandanten hat diesen Schlüssel.',
    },
    advice: OTHER_KEY,
  },
  'document-type.key-taken': {
    status: 409,
    title: { en: 'Document type key taken', de: 'Schlüssel des Dokumenttyps vergeben' },
    detail: {
      en: 'Another document type of the tenant has this key.',
      de: 'Ein anderer Dokumenttyp des Mandanten hat diesen Schlüssel.',
    },
    advice: OTHER_KEY,
  },
  'document.processing': {
    status: 409,
    title: { en: 'Document being processed', de: 'Dokument wird verarbeitet' },
    detail: { en: 'The document is still being processed.', de: 'Das Dokument wird noch verarbeitet.' },
    advice: {
      en: 'Try again shortly. The document becomes Active when processing ends.',
      de: 'In Kürze erneut versuchen. Nach der Verarbeitung wird das Dokument aktiv.',
    },
  },
  'document.archived': {
    status: 409,
    title: { en: 'Document archived', de: 'Dokument archiviert' },
    detail: {
      en: 'An archived document cannot be edited or tagged.',
      de: 'Ein archiviertes Dokument kann nicht bearbeitet oder verschlagwortet werden.',
    },
    advice: {
      en: 'Unarchive the document, change it, and archive it again.',
      de: 'Die Archivierung aufheben, das Dokument ändern und erneut archivieren.',
    },
  },
  'document.not-archived': {
    status: 409,
    title: { en: 'Document not archived', de: 'Dokument nicht archiviert' },
    detail: { en: 'The document is not archived.', de: 'Das Dokument ist nicht archiviert.' },
    advice: NO_CHANGE_NEEDED,
  },
  'document.deleted': {
    status: 409,
    title: { en: 'Document in the bin', de: 'Dokument im Papierkorb' },
    detail: {
      en: 'A document in the bin can only be restored.',
      de: 'Ein Dokument im Papierkorb kann nur wiederhergestellt werden.',
    },
    advice: { en: 'Restore the document first.', de: 'Das Dokument zuerst wiederherstellen.' },
  },
  'document.not-deleted': {
    status: 409,
    title: { en: 'Document not in the bin', de: 'Dokument nicht im Papierkorb' },
    detail: { en: 'The document is not in the bin.', de: 'Das Dokument liegt nicht im Papierkorb.' },
    advice: NO_CHANGE_NEEDED,
  },
  'document.too-many-links': {
    status: 409,
    title: { en: 'Too many tags or files', de: 'Zu viele Schlagwörter oder Akten' },
    detail: {
      en: 'A document can have at most 1,000 tags and be in at most 1,000 files.',
      de: 'Ein Dokument kann höchstens 1.000 Schlagwörter haben und in höchstens 1.000 Akten liegen.',
    },
    advice: {
      en: 'Remove tags that are no longer used, or unfile the document from some files.',
      de: 'Nicht mehr benötigte Schlagwörter entfernen oder das Dokument aus einigen Akten entfernen.',
    },
  },
  'document.not-in-file': {
    status: 409,
    title: { en: 'Document not in the file', de: 'Dokument nicht in der Akte' },
    detail: {
      en: 'The document is in neither of the two files.',
      de: 'Das Dokument liegt in keiner der beiden Akten.',
    },
    advice: {
      en: 'Load the document again: its fileIds say which files it is in.',
      de: 'Das Dokument neu laden: Seine fileIds sagen, in welchen Akten es liegt.',
    },
  },
  'document.without-content': {
    status: 404,
    title: { en: 'Document without content', de: 'Dokument ohne Inhalt' },
    detail: { en: 'The document has no content.', de: 'Das Dokument hat keinen Inhalt.' },
    advice: {
      en: 'No action needed: the document exists only on paper or as field values. Its content property is null.',
      de: 'Kein Handlungsbedarf: Das Dokument liegt nur auf Papier oder als Feldwerte vor. Seine Eigenschaft content ist null.',
    },
  },
  'content-link.invalid': {
    status: 403,
    title: { en: 'Content link not valid', de: 'Link zum Inhalt ungültig' },
    detail: {
      en: 'The address has expired, or it is not complete.',
      de: 'Die Adresse ist abgelaufen oder unvollständig.',
    },
    advice: {
      en: 'Create a new link to the content with an access token. A link is valid for at most 15 minutes.',
      de: 'Mit einem Zugriffstoken einen neuen Link zum Inhalt anlegen. Ein Link gilt höchstens 15 Minuten.',
    },
  },
  'document.without-text': {
    status: 404,
    title: { en: 'Document without text', de: 'Dokument ohne Text' },
    detail: {
      en: 'The content of the document has no text, or its text could not be read.',
      de: 'Der Inhalt des Dokuments hat keinen Text, oder der Text konnte nicht gelesen werden.',
    },
    advice: {
      en: 'Read content.text and content.failure of the document. Scans have text only if the service recognises characters (OCR).',
      de: 'content.text und content.failure des Dokuments lesen. Eingescannte Seiten haben nur Text, wenn der Dienst Zeichen erkennt (OCR).',
    },
  },
  'document.without-preview': {
    status: 404,
    title: { en: 'Document without preview', de: 'Dokument ohne Vorschau' },
    detail: {
      en: 'The content of the document has a format without preview, or it cannot be shown.',
      de: 'Für das Format des Inhalts gibt es keine Vorschau, oder er kann nicht dargestellt werden.',
    },
    advice: {
      en: 'Show a symbol for the media type instead. PDFs, images, Office files and plain text have previews, unless they are encrypted, damaged or too large.',
      de: 'Stattdessen ein Symbol für den Medientyp anzeigen. PDFs, Bilder, Office-Dateien und reiner Text haben eine Vorschau, wenn sie nicht verschlüsselt, beschädigt oder zu groß sind.',
    },
  },
  'document.preview-not-installed': {
    status: 404,
    title: { en: 'Preview not installed', de: 'Vorschau nicht installiert' },
    detail: {
      en: 'This service has no program that shows this format.',
      de: 'Dieser Dienst hat kein Programm, das dieses Format darstellt.',
    },
    advice: {
      en: 'Show a symbol for the media type instead. Operators: PDFs and images need the package @napi-rs/canvas, Office files also LibreOffice (setting CONVERTER).',
      de: 'Stattdessen ein Symbol für den Medientyp anzeigen. Betrieb: PDFs und Bilder brauchen das Paket @napi-rs/canvas, Office-Dateien außerdem LibreOffice (Einstellung CONVERTER).',
    },
  },
  'document.without-page': {
    status: 404,
    title: { en: 'No such page', de: 'Seite nicht vorhanden' },
    detail: {
      en: 'The document has fewer pages.',
      de: 'Das Dokument hat weniger Seiten.',
    },
    advice: {
      en: 'Request a page from 1 to content.pageCount. Office files can have other pages here.',
      de: 'Eine Seite von 1 bis content.pageCount anfordern. Office-Dateien können hier andere Seiten haben.',
    },
  },
  'document.not-confidential': {
    status: 409,
    title: { en: 'Document not confidential', de: 'Dokument nicht vertraulich' },
    detail: { en: 'The document is not confidential.', de: 'Das Dokument ist nicht vertraulich.' },
    advice: {
      en: 'Make the document confidential first.',
      de: 'Das Dokument zuerst als vertraulich kennzeichnen.',
    },
  },
  'confidentiality.last-user': {
    status: 409,
    title: { en: 'Last user on the list', de: 'Letzte Person auf der Zugriffsliste' },
    detail: {
      en: 'The last user cannot be removed from the access list of a confidential document.',
      de: 'Die letzte Person kann nicht von der Zugriffsliste eines vertraulichen Dokuments entfernt werden.',
    },
    advice: {
      en: 'Add another user to the list first, or end the confidentiality of the document.',
      de: 'Zuerst eine weitere Person auf die Zugriffsliste setzen oder die Vertraulichkeit aufheben.',
    },
  },
});
