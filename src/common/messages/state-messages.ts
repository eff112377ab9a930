import { messages } from './catalogue.js';

/** Why a request cannot be answered now. */
export const STATE_MESSAGES = messages({
  'service.large-requests': {
    en: 'Too many large requests or answers are in progress; try again later.',
    de: 'Es sind zu viele große Anfragen oder Antworten in Arbeit; später noch einmal versuchen.',
  },
  'service.many-requests': {
    en: 'Too many requests are in progress; try again when some of them are answered.',
    de: 'Es sind zu viele Anfragen in Bearbeitung; noch einmal versuchen, wenn einige beantwortet sind.',
  },
  'service.stopping': { en: 'The service is stopping.', de: 'Der Dienst wird beendet.' },
  'service.database': { en: 'The database does not answer.', de: 'Die Datenbank antwortet nicht.' },
  'service.issuer': {
    en: 'The issuer has not answered since the start.',
    de: 'Der Issuer hat seit dem Start nicht geantwortet.',
  },
  'tenant.slug-taken': { en: 'The slug {slug} is taken.', de: 'Der Kurzname {slug} ist vergeben.' },
  'document.already-archived': {
    en: 'The document is archived already.',
    de: 'Das Dokument ist bereits archiviert.',
  },
});
