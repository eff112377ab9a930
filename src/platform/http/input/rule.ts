import { ValidateBy, type ValidationOptions } from 'class-validator';
import { type Message } from '../../../common/messages/message.js';

/** Errors of a value: one message, or messages by path inside the value (`[2].key`). */
export type ValueErrors = Message | Readonly<Record<string, Message>>;

type Check = (value: unknown, body: object) => ValueErrors | null;

/** Content of class-validator's `context` of each rule. Errors carry it. */
export type RuleContext = { readonly message: Message } | { readonly check: Check };

export function withMessage(message: Message): ValidationOptions {
  return { context: { message } satisfies RuleContext };
}

/**
 * A custom rule, or one whose message depends on the value. `check` returns null for a valid value. For an invalid
 * value, the validation pipe calls it again to get the errors.
 *
 * @param name unique among the rules of a member
 */
export function Rule(name: string, check: Check): PropertyDecorator {
  return ValidateBy(
    { name, validator: { validate: (value, args) => check(value, args?.object ?? {}) === null } },
    // class-validator attaches the context to an error only if the rule has a message.
    { message: name, context: { check } satisfies RuleContext },
  );
}
