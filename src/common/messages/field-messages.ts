import { messages } from './catalogue.js';

/** Document types and their fields, the values that documents have of them, and filters by these values. */
export const FIELD_MESSAGES = messages({
  'schema.max-fields': { en: 'must have at most {max} fields', de: 'darf höchstens {max} Felder haben' },
  'schema.max-live-fields': {
    en: 'must have at most {max} fields, removed ones not counted',
    de: 'darf höchstens {max} Felder haben, entfernte nicht mitgezählt',
  },
  'schema.max-fields-ever': {
    en: 'cannot be more than {max} with the removed ones',
    de: 'dürfen mit den entfernten nicht mehr als {max} sein',
  },
  'schema.max-size': {
    en: 'must have at most 1 MiB as JSON, removed ones included',
    de: 'dürfen als JSON höchstens 1 MiB haben, entfernte eingeschlossen',
  },
  'schema.max-options': { en: 'must have at most {max} options', de: 'darf höchstens {max} Optionen haben' },
  'schema.options-required': { en: 'is required for an Enumeration', de: 'wird bei Enumeration benötigt' },
  'schema.options-unused': {
    en: 'must be null or absent unless type is Enumeration',
    de: 'muss null sein oder fehlen, außer wenn type Enumeration ist',
  },
  'schema.target-required': { en: 'is required for a Reference', de: 'wird bei Reference benötigt' },
  'schema.target-unused': {
    en: 'must be null or absent unless type is Reference',
    de: 'muss null sein oder fehlen, außer wenn type Reference ist',
  },
  'schema.removed-in-new-type': {
    en: 'must not be true in a new document type',
    de: 'darf bei einem neuen Dokumenttyp nicht true sein',
  },
  'schema.removed-unknown': {
    en: 'names no field of this document type',
    de: 'nennt kein Feld dieses Dokumenttyps',
  },
  'schema.type-fixed': { en: 'cannot change; it is {type}', de: 'ist nicht zu ändern; es ist {type}' },
  'schema.target-in-use': {
    en: 'cannot change while documents have a value',
    de: 'ist nicht zu ändern, solange Dokumente einen Wert haben',
  },
  'schema.option-in-use': {
    en: 'must keep {option}, which documents have',
    de: 'muss {option} behalten, denn Dokumente haben diesen Wert',
  },
  'field.unknown': { en: 'is not a field of the document type', de: 'ist kein Feld des Dokumenttyps' },
  'field.unknown-in-all-types': {
    en: 'is not a field of any document type',
    de: 'ist kein Feld irgendeines Dokumenttyps',
  },
  'field.without-type': {
    en: 'is not a field: without documentTypeId a document has none',
    de: 'ist kein Feld: ohne documentTypeId hat ein Dokument keine',
  },
  'field.removed': {
    en: 'was removed from the document type and cannot be set',
    de: 'wurde aus dem Dokumenttyp entfernt und kann nicht gesetzt werden',
  },
  'field.max-size': {
    en: 'must have at most 2 MiB as JSON, with the values of removed fields',
    de: 'darf als JSON höchstens 2 MiB haben, mit den Werten entfernter Felder',
  },
  'field.decimal': {
    en: 'must be a decimal number in digits, such as "-12.5"',
    de: 'muss eine Dezimalzahl in Ziffern sein, etwa "-12.5"',
  },
  'field.number': {
    en: 'must be a decimal number in digits, such as "-12.5", or a JSON number',
    de: 'muss eine Dezimalzahl in Ziffern sein, etwa "-12.5", oder eine JSON-Zahl',
  },
  'field.inexact-number': {
    en: 'must be sent as a string: a JSON number has at most 15 significant digits, or it would not arrive as it was sent',
    de: 'muss als Text gesendet werden: eine JSON-Zahl hat höchstens 15 gültige Ziffern, sonst käme sie nicht so an, wie sie gesendet wurde',
  },
  'field.max-digits': { en: 'must have at most {max} digits', de: 'darf höchstens {max} Ziffern haben' },
  'field.max-fraction': {
    en: 'must have at most {max} digits after the point in {currency}',
    de: 'darf höchstens {max} Ziffern nach dem Punkt haben, denn so viele hat {currency}',
  },
  'field.value': {
    en: 'must be a string, a number, or an object with amount and currency',
    de: 'muss ein Text, eine Zahl oder ein Objekt mit amount und currency sein',
  },
  'field.money': {
    en: 'must be an object with amount and currency',
    de: 'muss ein Objekt mit amount und currency sein',
  },
  'field.currency': {
    en: 'must be the code of an ISO 4217 currency, such as EUR',
    de: 'muss eine Währung nach ISO 4217 sein, etwa EUR',
  },
  'field.date': {
    en: 'must be a day of the calendar, YYYY-MM-DD',
    de: 'muss ein Tag des Kalenders sein, JJJJ-MM-TT',
  },
  'field.option': {
    en: 'must be the key of an option of the field',
    de: 'muss der Schlüssel einer Option des Feldes sein',
  },
  'filter.max-size': { en: 'must have at most 64 KiB as JSON', de: 'darf als JSON höchstens 64 KiB haben' },
  'filter.field-key': { en: 'is not the key of a field', de: 'ist kein Schlüssel eines Feldes' },
  'filter.operator': {
    en: 'does not fit a field of the type {types}',
    de: 'passt nicht zu einem Feld des Typs {types}',
  },
  'filter.amount': {
    en: 'must be an amount, or an amount and an ISO 4217 currency, such as "1234.50 EUR"',
    de: 'muss ein Betrag sein, oder ein Betrag mit einer Währung nach ISO 4217, etwa "1234.50 EUR"',
  },
  'filter.value-with-operator': { en: 'must be null with {operator}', de: 'muss bei {operator} null sein' },
  'filter.no-value-with-operator': { en: 'is required with {operator}', de: 'wird bei {operator} benötigt' },
  'filter.value-unused': {
    en: 'must be null or absent for this operator',
    de: 'muss bei diesem Operator null sein oder fehlen',
  },
  'filter.value-required': { en: 'is required for this operator', de: 'wird bei diesem Operator benötigt' },
  'filter.sort-with-order': {
    en: 'must not be given together with order',
    de: 'darf nicht zusammen mit order angegeben sein',
  },
  'filter.relevance-without-query': {
    en: 'must not be relevance without a q',
    de: 'darf ohne q nicht relevance sein',
  },
});
