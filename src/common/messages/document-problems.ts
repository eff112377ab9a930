import { NOTHING_TO_DO } from './advice.js';
import { problems } from './catalogue.js';

const OTHER_KEY = {
  en: 'Take another key, or use the type that has it. Upper and lower case make no difference.',
  de: 'Einen anderen Schlüssel nehmen oder den Typ nutzen, der ihn hat. Groß- und Kleinschreibung macht keinen Unterschied.',
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
      en: 'Take another number, or find the file that has it with q on the list of files; it may be one that the caller cannot see.',
      de: 'Ein anderes Aktenzeichen nehmen oder die Akte, die es hat, mit q in der Liste der Akten suchen; vielleicht kann der Aufrufer sie nicht sehen.',
    },
  },
  'file.already-closed': {
    status: 409,
    title: { en: 'File already closed', de: 'Akte schon geschlossen' },
    detail: { en: 'The file is closed already.', de: 'Die Akte ist bereits geschlossen.' },
    advice: NOTHING_TO_DO,
  },
  'file.already-open': {
    status: 409,
    title: { en: 'File already open', de: 'Akte schon offen' },
    detail: { en: 'The file is open already.', de: 'Die Akte ist bereits offen.' },
    advice: NOTHING_TO_DO,
  },
  'file.closed': {
    status: 409,
    title: { en: 'File closed', de: 'Akte geschlossen' },
    detail: {
      en: 'A document in a closed file stays as it is, and nothing is filed into it or taken out of it.',
      de: 'Ein Dokument in einer geschlossenen Akte bleibt, wie es ist; in eine solche Akte kommt nichts hinein, und aus ihr kommt nichts heraus.',
    },
    advice: {
      en: 'Reopen the file first. A document may be in several files: every one of them has to be open.',
      de: 'Zuerst die Akte wieder öffnen. Ein Dokument kann in mehreren Akten sein: jede davon muss offen sein.',
    },
  },
  'file.documents-processing': {
    status: 409,
    title: { en: 'Documents are being processed', de: 'Dokumente werden verarbeitet' },
    detail: {
      en: 'A file is not closed while one of its documents is being processed.',
      de: 'Eine Akte wird nicht geschlossen, solange eines ihrer Dokumente verarbeitet wird.',
    },
    advice: {
      en: 'Try again shortly: processing takes seconds.',
      de: 'Bald wieder versuchen: die Verarbeitung dauert Sekunden.',
    },
  },
  'file.not-empty': {
    status: 409,
    title: { en: 'File not empty', de: 'Akte nicht leer' },
    detail: {
      en: 'Only an open file without documents, those in the bin included, can be deleted.',
      de: 'Gelöscht wird nur eine offene Akte ohne Dokumente, auch ohne solche im Papierkorb.',
    },
    advice: {
      en: 'Take the documents out of the file; reopen it if it is closed. Documents in the bin count until they are purged or restored and taken out.',
      de: 'Die Dokumente aus der Akte nehmen; eine geschlossene zuerst öffnen. Dokumente im Papierkorb zählen, bis sie endgültig gelöscht oder wiederhergestellt und herausgenommen sind.',
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
      en: 'Try again shortly: the document becomes Active by itself.',
      de: 'Bald wieder versuchen: das Dokument wird von selbst aktiv.',
    },
  },
  'document.archived': {
    status: 409,
    title: { en: 'Document archived', de: 'Dokument archiviert' },
    detail: {
      en: 'An archived document is not edited or tagged.',
      de: 'Ein archiviertes Dokument wird weder bearbeitet noch verschlagwortet.',
    },
    advice: {
      en: 'Unarchive the document, change it, and archive it again.',
      de: 'Das Dokument aus dem Archiv holen, ändern und wieder archivieren.',
    },
  },
  'document.not-archived': {
    status: 409,
    title: { en: 'Document not archived', de: 'Dokument nicht archiviert' },
    detail: { en: 'The document is not archived.', de: 'Das Dokument ist nicht archiviert.' },
    advice: NOTHING_TO_DO,
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
    detail: { en: 'The document is not in the bin.', de: 'Das Dokument ist nicht im Papierkorb.' },
    advice: NOTHING_TO_DO,
  },
  'document.too-many-links': {
    status: 409,
    title: { en: 'Too many tags or files', de: 'Zu viele Schlagwörter oder Akten' },
    detail: {
      en: 'A document has at most 1,000 tags, and is in at most 1,000 files.',
      de: 'Ein Dokument hat höchstens 1.000 Schlagwörter und liegt in höchstens 1.000 Akten.',
    },
    advice: {
      en: 'Take off tags that are no longer used, or take the document out of files.',
      de: 'Nicht mehr gebrauchte Schlagwörter entfernen oder das Dokument aus Akten nehmen.',
    },
  },
  'document.without-content': {
    status: 404,
    title: { en: 'Document without content', de: 'Dokument ohne Inhalt' },
    detail: { en: 'The document has no content.', de: 'Das Dokument hat keinen Inhalt.' },
    advice: {
      en: 'Nothing: this document lies on paper, or has values only. Its content is null when it is read.',
      de: 'Nichts: dieses Dokument liegt auf Papier vor oder hat nur Werte. Beim Lesen ist sein content null.',
    },
  },
  'document.not-confidential': {
    status: 409,
    title: { en: 'Document not confidential', de: 'Dokument nicht vertraulich' },
    detail: { en: 'The document is not confidential.', de: 'Das Dokument ist nicht vertraulich.' },
    advice: { en: 'Switch confidentiality on first.', de: 'Zuerst die Vertraulichkeit einschalten.' },
  },
  'confidentiality.last-user': {
    status: 409,
    title: { en: 'Last user of the list', de: 'Letzte Person der Liste' },
    detail: {
      en: 'The last user cannot be taken off the list of a confidential document.',
      de: 'Die letzte Person wird von der Liste eines vertraulichen Dokuments nicht gestrichen.',
    },
    advice: {
      en: 'Put somebody else on the list first, or switch confidentiality off.',
      de: 'Zuerst jemand anderen auf die Liste setzen oder die Vertraulichkeit ausschalten.',
    },
  },
});
