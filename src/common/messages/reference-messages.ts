import { messages } from './catalogue.js';

/** What a value can fail to refer to. */
export const REFERENCE_MESSAGES = messages({
  'reference.file-type': {
    en: 'names no file type of this tenant',
    de: 'nennt keinen Aktentyp dieses Mandanten',
  },
  'reference.file': {
    en: 'names no file that the caller can see',
    de: 'nennt keine Akte, die der Aufrufer sehen kann',
  },
  'reference.grant-target': {
    en: 'names no file that the caller sees',
    de: 'nennt keine Akte, die der Aufrufer sieht',
  },
  'reference.document': {
    en: 'names no document that the caller can see',
    de: 'nennt kein Dokument, das der Aufrufer sehen kann',
  },
  'reference.document-type': {
    en: 'names no document type of this tenant',
    de: 'nennt keinen Dokumenttyp dieses Mandanten',
  },
  'reference.inactive-document-type': {
    en: 'names an inactive document type',
    de: 'nennt einen stillgelegten Dokumenttyp',
  },
  'reference.tag': { en: 'names no tag of this tenant', de: 'nennt kein Schlagwort dieses Mandanten' },
  'reference.member': { en: 'names no member of this tenant', de: 'nennt kein Mitglied dieses Mandanten' },
  'reference.role': { en: 'names no role of this tenant', de: 'nennt keine Rolle dieses Mandanten' },
  'reference.saved-view': {
    en: 'names no saved view of the caller',
    de: 'nennt keine gespeicherte Ansicht des Aufrufers',
  },
  'reference.permission': { en: 'is not a permission', de: 'ist keine Berechtigung' },
});
