import { BODY_MESSAGES } from './body-messages.js';
import { type Placeholders, fill } from './catalogue.js';
import { FIELD_MESSAGES } from './field-messages.js';
import { type Language, type Text } from './languages.js';
import { REFERENCE_MESSAGES } from './reference-messages.js';
import { STATE_MESSAGES } from './state-messages.js';
import { VALUE_MESSAGES } from './value-messages.js';

/** All messages of problem documents, by code. */
export const MESSAGES = {
  ...VALUE_MESSAGES,
  ...REFERENCE_MESSAGES,
  ...FIELD_MESSAGES,
  ...BODY_MESSAGES,
  ...STATE_MESSAGES,
};

export type MessageCode = keyof typeof MESSAGES;

/** Parameters of a message: none, or one object with a value for each placeholder. */
export type MessageParams<C extends MessageCode> = [Placeholders<(typeof MESSAGES)[C]['en']>] extends [never]
  ? []
  : [params: Readonly<Record<Placeholders<(typeof MESSAGES)[C]['en']>, string | number>>];

interface SingleMessage {
  readonly code: MessageCode;
  readonly params: Readonly<Record<string, string | number>>;
}

/** An error independent of language. With `anyOf`, correcting one of the listed errors is enough. */
export type Message = SingleMessage | { readonly anyOf: readonly Message[] };

export function message<C extends MessageCode>(code: C, ...[params]: MessageParams<C>): Message {
  return { code, params: params ?? {} };
}

const OR: Text = { en: '; or ', de: '; oder ' };

export function textOf(message: Message, language: Language): string {
  if ('anyOf' in message) return message.anyOf.map((one) => textOf(one, language)).join(OR[language]);
  return fill(MESSAGES[message.code][language], message.params);
}

export function isMessage(value: object): value is Message {
  return 'anyOf' in value || ('code' in value && 'params' in value);
}
