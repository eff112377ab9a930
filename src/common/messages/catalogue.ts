import { type Language, type Text } from './languages.js';

/** The names in braces: `'from {min} to {max}'` has `min` and `max`. */
export type Placeholders<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** One kind of problem (RFC 9457): what `type` names and `/problems/{code}` explains. */
interface ProblemKind {
  readonly status: number;
  readonly title: Text;
  /** The detail of a problem that has no detail of its own. */
  readonly detail: Text;
  /** What the client, its developer or its user can do. */
  readonly advice: Text;
}

/** The text itself if its translations have the same placeholders; otherwise a type that no text has. */
type Consistent<T extends Text> = [Placeholders<T['en']>, Placeholders<T['de']>] extends [
  Placeholders<T['de']>,
  Placeholders<T['en']>,
]
  ? T
  : { readonly [L in Language]: { readonly placeholders: Placeholders<T['en'] | T['de']> } };

/** Texts by code. It does not compile if a language is missing, or if placeholders differ between languages. */
export function messages<const T extends Readonly<Record<string, Text>>>(
  texts: T & { readonly [C in keyof T]: Consistent<T[C]> },
): T {
  return texts;
}

/** Kinds of problems by code. It does not compile if a part or a language is missing. */
export function problems<const T extends Readonly<Record<string, ProblemKind>>>(kinds: T): T {
  return kinds;
}

/** What a client shows for a notification, and all parameters; those whose values are codes with a text for each. */
export interface NotificationKind {
  readonly text: Text;
  readonly parameters: Readonly<Record<string, Readonly<Record<string, Text>> | null>>;
}

/** Types of notifications. It does not compile if a text has a placeholder that is no parameter. */
export function notifications<const T extends Readonly<Record<string, NotificationKind>>>(
  types: T & {
    readonly [N in keyof T]: {
      readonly text: Consistent<T[N]['text']>;
      readonly parameters: Readonly<Record<Placeholders<T[N]['text']['en']>, unknown>>;
    };
  },
): T {
  return types;
}

/** The text with its placeholders replaced. */
export function fill(text: string, params: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{([^}]+)\}/g, (placeholder, name: string) => String(params[name] ?? placeholder));
}
