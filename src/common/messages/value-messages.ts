import { messages } from './catalogue.js';

/** What can be wrong with a value of any request. A text that completes the path of the value begins in lower case: “name must not be empty”. */
export const VALUE_MESSAGES = messages({
  'value.required': { en: 'is required', de: 'wird benötigt' },
  'value.null': { en: 'must not be null', de: 'darf nicht null sein' },
  'value.invalid': { en: 'is not valid', de: 'ist nicht gültig' },
  'value.string': { en: 'must be a string', de: 'muss ein Text sein' },
  'value.boolean': { en: 'must be true or false', de: 'muss true oder false sein' },
  'value.array': { en: 'must be an array', de: 'muss eine Liste sein' },
  'value.object': { en: 'must be an object', de: 'muss ein Objekt sein' },
  'value.json-object': { en: 'must be a JSON object', de: 'muss ein JSON-Objekt sein' },
  'value.uuid': { en: 'must be a UUID', de: 'muss eine UUID sein' },
  'value.uuid-list': {
    en: 'must be UUIDs, separated by commas, none twice',
    de: 'müssen UUIDs sein, durch Kommas getrennt, keine zweimal',
  },
  'value.one-of': { en: 'must be one of {values}', de: 'muss eines von diesen sein: {values}' },
  'value.whole-number': {
    en: 'must be a whole number from 1 to {max}',
    de: 'muss eine ganze Zahl von 1 bis {max} sein',
  },
  'value.date-time': {
    en: 'must be an ISO 8601 date-time with an offset',
    de: 'muss ein Zeitpunkt nach ISO 8601 mit Zeitzonenabstand sein',
  },
  'value.future': { en: 'must be in the future', de: 'muss in der Zukunft liegen' },
  'value.not-before': { en: 'must not be earlier than {member}', de: 'darf nicht vor {member} liegen' },
  'value.email-address': { en: 'must be an e-mail address', de: 'muss eine E-Mail-Adresse sein' },
  'value.issuer-url': {
    en: 'must be the URL of an issuer, beginning with https:// or http://',
    de: 'muss die URL eines Ausstellers sein, beginnend mit https:// oder http://',
  },
  'value.empty': { en: 'must not be empty', de: 'darf nicht leer sein' },
  'value.given-twice': { en: 'must not be given twice', de: 'darf nicht zweimal angegeben sein' },
  'value.duplicate': { en: 'must not be there twice', de: 'darf nicht doppelt vorkommen' },
  'value.only-for': { en: 'is for {actions} only', de: 'ist nur für {actions} vorgesehen' },
  'value.min-length': {
    en: 'must have at least {min} characters',
    de: 'muss mindestens {min} Zeichen haben',
  },
  'value.max-length': { en: 'must have at most {max} characters', de: 'darf höchstens {max} Zeichen haben' },
  'value.max-items': { en: 'must have at most {max} items', de: 'darf höchstens {max} Einträge haben' },
  'value.max-words': { en: 'must have at most {max} words', de: 'darf höchstens {max} Wörter haben' },
  'value.max-members': {
    en: 'must have at most {max} members',
    de: 'darf höchstens {max} Angaben enthalten',
  },
  'value.lone-surrogate': {
    en: 'must be well-formed Unicode, without lone surrogates',
    de: 'muss wohlgeformtes Unicode sein, ohne einzelne Surrogate',
  },
  'value.control-character': {
    en: 'must not contain control characters',
    de: 'darf keine Steuerzeichen enthalten',
  },
  'value.combining-marks': {
    en: 'must not have more than {max} combining marks in a row',
    de: 'darf nicht mehr als {max} kombinierende Zeichen hintereinander haben',
  },
  'value.type-key': {
    en: 'must begin with a lower-case letter and have at most 50 letters (a to z), digits, underscores or hyphens',
    de: 'muss mit einem Kleinbuchstaben beginnen und darf höchstens 50 Buchstaben (a bis z), Ziffern, Unter- oder Bindestriche haben',
  },
  'value.field-key': {
    en: 'must begin with a lower-case letter and have at most 50 letters (a to z), digits or underscores',
    de: 'muss mit einem Kleinbuchstaben beginnen und darf höchstens 50 Buchstaben (a bis z), Ziffern oder Unterstriche haben',
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
  'value.unknown-member': { en: 'is not a known member', de: 'ist keine bekannte Angabe' },
  'value.unknown-parameter': { en: 'is not a known parameter', de: 'ist kein bekannter Parameter' },
  'value.unknown-part': { en: 'is not a known part', de: 'ist kein bekannter Teil' },
});
