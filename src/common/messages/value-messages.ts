import { messages } from './catalogue.js';

/** Errors of values in any request. Texts begin in lower case, because clients show them after the path of the value: “name must not be empty”. */
export const VALUE_MESSAGES = messages({
  'value.true': { en: 'must be true', de: 'muss true sein' },
  'value.required': { en: 'is required', de: 'ist erforderlich' },
  'value.null': { en: 'must not be null', de: 'darf nicht null sein' },
  'value.string': { en: 'must be a string', de: 'muss ein Text sein' },
  'value.boolean': { en: 'must be true or false', de: 'muss true oder false sein' },
  'value.array': { en: 'must be an array', de: 'muss eine Liste sein' },
  'value.object': { en: 'must be an object', de: 'muss ein Objekt sein' },
  'value.json-object': { en: 'must be a JSON object', de: 'muss ein JSON-Objekt sein' },
  'value.uuid': { en: 'must be a UUID', de: 'muss eine UUID sein' },
  'value.uuid-list': {
    en: 'must be a comma-separated list of distinct UUIDs',
    de: 'muss eine durch Kommas getrennte Liste verschiedener UUIDs sein',
  },
  'value.notification-type': {
    en: 'is not a type of notification',
    de: 'ist kein Typ von Benachrichtigungen',
  },
  'value.one-of-list': {
    en: 'must be a comma-separated list of distinct values of {values}',
    de: 'muss eine durch Kommas getrennte Liste verschiedener Werte aus {values} sein',
  },
  'value.one-of': { en: 'must be one of {values}', de: 'muss einer dieser Werte sein: {values}' },
  'value.between': {
    en: 'must be an integer from {min} to {max}',
    de: 'muss eine ganze Zahl von {min} bis {max} sein',
  },
  'value.whole-number': {
    en: 'must be an integer from 1 to {max}',
    de: 'muss eine ganze Zahl von 1 bis {max} sein',
  },
  'value.integer': {
    en: 'must be an integer from 0 to {max}',
    de: 'muss eine ganze Zahl von 0 bis {max} sein',
  },
  'value.date-time': {
    en: 'must be an ISO 8601 date-time with a time zone, such as 2026-11-23T10:00:00Z',
    de: 'muss ein Zeitpunkt nach ISO 8601 mit Zeitzone sein, etwa 2026-11-23T10:00:00Z',
  },
  'value.future': { en: 'must be in the future', de: 'muss in der Zukunft liegen' },
  'value.not-before': { en: 'must not be earlier than {member}', de: 'darf nicht vor {member} liegen' },
  'value.email-address': { en: 'must be an e-mail address', de: 'muss eine E-Mail-Adresse sein' },
  'value.issuer-url': {
    en: 'must be the URL of an issuer, beginning with https:// or http://',
    de: 'muss die mit https:// oder http:// beginnende URL eines Ausstellers sein',
  },
  'value.webhook-url': {
    en: 'must be a URL that begins with https://, without user and password',
    de: 'muss eine mit https:// beginnende URL ohne Benutzername und Passwort sein',
  },
  'value.webhook-address': {
    en: 'must not have an address that is not public',
    de: 'darf keine nicht öffentliche Adresse haben',
  },
  'numbering.pattern': {
    en: 'must contain seq in braces exactly once, with or without a width (seq:1 to seq:9), and in braces otherwise only yyyy, yy and mm',
    de: 'muss seq in geschweiften Klammern genau einmal enthalten, auch mit Breite (seq:1 bis seq:9), und in Klammern sonst nur yyyy, yy und mm',
  },
  'value.date': { en: 'must be a day in the form YYYY-MM-DD', de: 'muss ein Tag der Form JJJJ-MM-TT sein' },
  'disposal.future': { en: 'must not be after today', de: 'darf nicht nach heute liegen' },
  'disposal.only-for': {
    en: 'is only for the decision {decision}',
    de: 'ist nur für die Entscheidung {decision} zulässig',
  },
  'retention.period': {
    en: 'must be a whole number of years or months, from P1M to P1200M or P1Y to P100Y',
    de: 'muss eine ganze Zahl von Jahren oder Monaten sein, von P1M bis P1200M oder P1Y bis P100Y',
  },
  'numbering.next-without-pattern': { en: 'needs a pattern', de: 'ist nur mit einem Muster zulässig' },
  'numbering.next-given': {
    en: 'must be greater than {given}, the greatest number given so far',
    de: 'muss größer sein als {given}, die größte bisher vergebene Zahl',
  },
  'value.invisible': {
    en: 'must have at least one visible character',
    de: 'muss mindestens ein sichtbares Zeichen haben',
  },
  'value.empty': { en: 'must not be empty', de: 'darf nicht leer sein' },
  'value.given-twice': { en: 'must not be repeated', de: 'darf nur einmal angegeben werden' },
  'value.duplicate': { en: 'is a duplicate', de: 'kommt mehrfach vor' },
  'value.not-with': {
    en: 'must not be combined with {member}',
    de: 'ist nicht zusammen mit {member} zulässig',
  },
  'value.required-without': {
    en: 'is required unless {member} is given',
    de: 'ist erforderlich, wenn {member} fehlt',
  },
  'value.only-for': { en: 'is allowed only for {actions}', de: 'ist nur bei {actions} zulässig' },
  'value.min-length': {
    en: 'must have at least {min} characters',
    de: 'muss mindestens {min} Zeichen haben',
  },
  'value.max-length': { en: 'must have at most {max} characters', de: 'darf höchstens {max} Zeichen haben' },
  'value.max-items': { en: 'must have at most {max} items', de: 'darf höchstens {max} Einträge haben' },
  'value.no-words': { en: 'must have at least one word', de: 'muss mindestens ein Wort haben' },
  'value.max-words': { en: 'must have at most {max} words', de: 'darf höchstens {max} Wörter haben' },
  'value.max-beginnings': {
    en: 'must have at most {max} words with * at the end',
    de: 'darf höchstens {max} Wörter mit * am Ende haben',
  },
  'value.max-members': {
    en: 'must have at most {max} properties',
    de: 'darf höchstens {max} Eigenschaften haben',
  },
  'value.lone-surrogate': {
    en: 'must be valid Unicode, without lone surrogates',
    de: 'muss gültiges Unicode sein, ohne einzelne Surrogate',
  },
  'value.control-character': {
    en: 'must not contain control characters',
    de: 'darf keine Steuerzeichen enthalten',
  },
  'value.combining-marks': {
    en: 'must not have more than {max} combining marks in a row',
    de: 'darf nicht mehr als {max} kombinierende Zeichen in Folge haben',
  },
  'value.type-key': {
    en: 'must have 1 to 50 letters (a to z), digits, underscores or hyphens, and begin with a lower-case letter',
    de: 'muss aus 1 bis 50 Buchstaben (a bis z), Ziffern, Unter- oder Bindestrichen bestehen und mit einem Kleinbuchstaben beginnen',
  },
  'value.field-key': {
    en: 'must have 1 to 50 letters (a to z), digits or underscores, and begin with a lower-case letter',
    de: 'muss aus 1 bis 50 Buchstaben (a bis z), Ziffern oder Unterstrichen bestehen und mit einem Kleinbuchstaben beginnen',
  },
  'value.option-key': {
    en: 'must have 1 to 50 letters (a to z), digits, underscores or hyphens',
    de: 'muss aus 1 bis 50 Buchstaben (a bis z), Ziffern, Unter- oder Bindestrichen bestehen',
  },
  'value.idempotency-key': {
    en: 'must have 1 to 255 visible ASCII characters',
    de: 'muss aus 1 bis 255 sichtbaren ASCII-Zeichen bestehen',
  },
  'value.cursor': { en: 'is not a cursor of this list', de: 'ist kein Cursor dieser Liste' },
  'event.other-log': {
    en: 'belongs to another event log, because the database was restored; start without it',
    de: 'gehört zu einem anderen Ereignisprotokoll, weil die Datenbank wiederhergestellt wurde; ohne ihn beginnen',
  },
  'event.after-end': {
    en: 'must not be greater than the sequence of the newest event',
    de: 'darf nicht größer sein als die Nummer des neuesten Ereignisses',
  },
  'value.unknown-member': { en: 'is not a known property', de: 'ist keine bekannte Eigenschaft' },
  'value.unknown-parameter': { en: 'is not a known parameter', de: 'ist kein bekannter Parameter' },
  'value.unknown-part': { en: 'is not a known part', de: 'ist kein bekannter Teil' },
});
