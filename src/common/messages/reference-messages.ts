import { messages } from './catalogue.js';

/** Errors of values that must be the id or the key of something in the tenant. */
export const REFERENCE_MESSAGES = messages({
  'reference.file-type': {
    en: 'is not the id of a file type of this tenant',
    de: 'ist keine Kennung eines Aktentyps dieses Mandanten',
  },
  'reference.file': {
    en: 'is not the id of a file that is visible to you',
    de: 'ist keine Kennung einer sichtbaren Akte',
  },
  'reference.same-file': {
    en: 'must be another file than fromFileId',
    de: 'muss eine andere Akte als fromFileId sein',
  },
  'reference.disposal': {
    en: 'is not the id of a disposal with files that are visible to you and not yet disposed of',
    de: 'ist keine Kennung einer Aussonderung mit sichtbaren, noch nicht ausgesonderten Akten',
  },
  'reference.document': {
    en: 'is not the id of a document that is visible to you',
    de: 'ist keine Kennung eines sichtbaren Dokuments',
  },
  'reference.document-type': {
    en: 'is not the id of a document type of this tenant',
    de: 'ist keine Kennung eines Dokumenttyps dieses Mandanten',
  },
  'reference.inactive-document-type': {
    en: 'is the id of an inactive document type',
    de: 'ist die Kennung eines inaktiven Dokumenttyps',
  },
  'reference.tag': {
    en: 'is not the id of a tag of this tenant',
    de: 'ist keine Kennung eines Schlagworts dieses Mandanten',
  },
  'reference.member': {
    en: 'is not the id of a member of this tenant',
    de: 'ist keine Kennung eines Mitglieds dieses Mandanten',
  },
  'reference.role': {
    en: 'is not the id of a role of this tenant',
    de: 'ist keine Kennung einer Rolle dieses Mandanten',
  },
  'reference.saved-view': {
    en: 'is not the id of one of your saved views',
    de: 'ist keine Kennung einer eigenen gespeicherten Ansicht',
  },
  'reference.event-type': { en: 'is not a type of events', de: 'ist keine Art von Ereignissen' },
  'reference.permission': { en: 'is not a permission', de: 'ist keine Berechtigung' },
});
