import { ValidateBy, type ValidationOptions } from 'class-validator';
import { type Message } from '../../../common/messages/message.js';

/** What is wrong with a value: one message, or messages by their place in the value (`[2].key`). */
export type ValueErrors = Message | Readonly<Record<string, Message>>;

type Check = (value: unknown, body: object) => ValueErrors | null;

/** What each rule of a DTO keeps in class-validator's `context`, to be found with the error. */
export type RuleContext = { readonly message: Message } | { readonly check: Check };

/** Options of a validator of class-validator itself: its message. */
export function withMessage(message: Message): ValidationOptions {
  return { context: { message } satisfies RuleContext };
}

/**
 * A rule that class-validator does not have, or whose message depends on the value. `check` returns null for a valid
 * value. The validation pipe calls it again for an invalid one, to get what to report.
 *
 * @param name unique among the rules of a member
 */
export function Rule(name: string, check: Check): PropertyDecorator {
  return ValidateBy(
    { name, validator: { validate: (value, args) => check(value, args?.object ?? {}) === null } },
    // class-validator passes on the context of an error only if it has a message.
    { message: name, context: { check } satisfies RuleContext },
  );
}
