import { problems } from './catalogue.js';

/** Holds. A problem never contains the name or the reason of a hold. */
export const RECORDS_PROBLEMS = problems({
  'hold.active': {
    status: 409,
    title: { en: 'Hold active', de: 'Löschsperre aktiv' },
    detail: {
      en: 'An active hold contains the document or its file, which therefore cannot be changed or removed.',
      de: 'Für das Dokument oder seine Akte besteht eine Löschsperre. Änderungen und Löschen sind nicht möglich.',
    },
    advice: {
      en: 'Ask a records manager whether the hold can be released.',
      de: 'Bei der Schriftgutverwaltung nachfragen, ob die Löschsperre aufgehoben werden kann.',
    },
  },
  'hold.released': {
    status: 409,
    title: { en: 'Hold released', de: 'Löschsperre aufgehoben' },
    detail: {
      en: 'The hold has been released and cannot be changed any more.',
      de: 'Die Löschsperre ist aufgehoben und kann nicht mehr geändert werden.',
    },
    advice: {
      en: 'Create a new hold. No action is needed to release this one.',
      de: 'Eine neue Löschsperre anlegen. Diese muss nicht mehr aufgehoben werden.',
    },
  },
});
