import { messages } from './catalogue.js';

/** Errors of document types and their fields, of field values of documents, and of filters by field values. */
export const FIELD_MESSAGES = messages({
  'schema.max-fields': { en: 'must have at most {max} fields', de: 'darf höchstens {max} Felder haben' },
  'schema.max-live-fields': {
    en: 'must have at most {max} fields, not counting removed fields',
    de: 'darf höchstens {max} Felder haben, entfernte nicht mitgezählt',
  },
  'schema.max-fields-ever': {
    en: 'must have at most {max} fields, including removed fields',
    de: 'darf einschließlich entfernter Felder höchstens {max} Felder haben',
  },
  'schema.max-size': {
    en: 'must have at most 1 MiB as JSON, including removed fields',
    de: 'darf als JSON einschließlich entfernter Felder höchstens 1 MiB groß sein',
  },
  'schema.max-options': { en: 'must have at most {max} options', de: 'darf höchstens {max} Optionen haben' },
  'schema.options-required': {
    en: 'is required when type is Enumeration',
    de: 'ist erforderlich, wenn type Enumeration ist',
  },
  'schema.options-unused': {
    en: 'must be null or absent unless type is Enumeration',
    de: 'muss null sein oder fehlen, wenn type nicht Enumeration ist',
  },
  'schema.target-required': {
    en: 'is required when type is Reference',
    de: 'ist erforderlich, wenn type Reference ist',
  },
  'schema.target-unused': {
    en: 'must be null or absent unless type is Reference',
    de: 'muss null sein oder fehlen, wenn type nicht Reference ist',
  },
  'schema.removed-in-new-type': {
    en: 'must not be true in a new document type',
    de: 'darf bei einem neuen Dokumenttyp nicht true sein',
  },
  'schema.removed-unknown': {
    en: 'is not a field of this document type',
    de: 'ist kein Feld dieses Dokumenttyps',
  },
  'schema.type-fixed': {
    en: 'cannot be changed; it is {type}',
    de: 'kann nicht geändert werden; der Wert ist {type}',
  },
  'schema.target-in-use': {
    en: 'cannot be changed while documents have a value',
    de: 'kann nicht geändert werden, solange Dokumente einen Wert haben',
  },
  'schema.option-in-use': {
    en: 'must keep {option}, because documents have this value',
    de: 'muss {option} enthalten, weil Dokumente diesen Wert haben',
  },
  'field.unknown': { en: 'is not a field of the document type', de: 'ist kein Feld des Dokumenttyps' },
  'field.unknown-in-all-types': {
    en: 'is not a field of any document type',
    de: 'ist in keinem Dokumenttyp ein Feld',
  },
  'field.without-type': {
    en: 'is not a field: a document without documentTypeId has no fields',
    de: 'ist kein Feld: ein Dokument ohne documentTypeId hat keine Felder',
  },
  'field.removed': {
    en: 'was removed from the document type and cannot be set',
    de: 'wurde aus dem Dokumenttyp entfernt und kann nicht gesetzt werden',
  },
  'field.max-size': {
    en: 'must have at most 2 MiB as JSON, including values of removed fields',
    de: 'darf als JSON einschließlich der Werte entfernter Felder höchstens 2 MiB groß sein',
  },
  'field.decimal': {
    en: 'must be a decimal number, such as "-12.5"',
    de: 'muss eine Dezimalzahl sein, etwa "-12.5"',
  },
  'field.number': {
    en: 'must be a decimal number such as "-12.5", or a JSON number',
    de: 'muss eine Dezimalzahl wie "-12.5" oder eine JSON-Zahl sein',
  },
  'field.inexact-number': {
    en: 'must be sent as a string, because a JSON number is exact only up to 15 significant digits',
    de: 'muss als Text gesendet werden, weil eine JSON-Zahl nur bis zu 15 gültigen Ziffern genau ist',
  },
  'field.max-digits': { en: 'must have at most {max} digits', de: 'darf höchstens {max} Ziffern haben' },
  'field.max-fraction': {
    en: 'must have at most {max} digits after the decimal point for {currency}',
    de: 'darf für {currency} höchstens {max} Nachkommastellen haben',
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
    en: 'must be an ISO 4217 currency code, such as EUR',
    de: 'muss ein Währungscode nach ISO 4217 sein, etwa EUR',
  },
  'field.date': {
    en: 'must be a date in the form YYYY-MM-DD',
    de: 'muss ein Datum in der Form JJJJ-MM-TT sein',
  },
  'field.option': {
    en: 'must be the key of an option of the field',
    de: 'muss der Schlüssel einer Option des Feldes sein',
  },
  'filter.max-size': {
    en: 'must have at most 64 KiB as JSON',
    de: 'darf als JSON höchstens 64 KiB groß sein',
  },
  'filter.field-key': { en: 'is not the key of a field', de: 'ist kein Schlüssel eines Feldes' },
  'filter.operator': {
    en: 'cannot be used with a field of type {types}',
    de: 'ist für ein Feld des Typs {types} nicht zulässig',
  },
  'filter.amount': {
    en: 'must be an amount, optionally with an ISO 4217 currency, such as "1234.50 EUR"',
    de: 'muss ein Betrag sein, wahlweise mit einer Währung nach ISO 4217, etwa "1234.50 EUR"',
  },
  'filter.value-with-operator': { en: 'must be null with {operator}', de: 'muss bei {operator} null sein' },
  'filter.no-value-with-operator': {
    en: 'is required with {operator}',
    de: 'ist bei {operator} erforderlich',
  },
  'filter.value-unused': {
    en: 'must be null or absent for this operator',
    de: 'muss bei diesem Operator null sein oder fehlen',
  },
  'filter.value-required': {
    en: 'is required for this operator',
    de: 'ist bei diesem Operator erforderlich',
  },
  'filter.sort-with-order': {
    en: 'must not be combined with order',
    de: 'darf nicht mit order kombiniert werden',
  },
  'filter.sort-without-type': {
    en: 'must not name a field without documentTypeId',
    de: 'darf ohne documentTypeId kein Feld nennen',
  },
  'filter.sort-by-reference': {
    en: 'must not name a Reference field',
    de: 'darf kein Feld vom Typ Reference nennen',
  },
  'filter.words-too-frequent': {
    en: 'has words that more than {max} documents contain, of which too few match: add a less frequent word, or limit createdFrom and createdTo',
    de: 'hat Wörter, die mehr als {max} Dokumente enthalten, von denen zu wenige passen: ein selteneres Wort ergänzen oder createdFrom und createdTo begrenzen',
  },
  'filter.relevance-without-query': {
    en: 'must not be relevance without q',
    de: 'darf ohne q nicht relevance sein',
  },
});
