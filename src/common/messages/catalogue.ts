import { type Language, type Text } from './languages.js';

/** The placeholder names of a text: `min` and `max` for `'from {min} to {max}'`. */
export type Placeholders<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** One kind of problem (RFC 9457). `type` refers to it, and the page `/problems/{code}` explains it. */
interface ProblemKind {
  readonly status: number;
  readonly title: Text;
  /** Default for problems that are raised without a specific detail. */
  readonly detail: Text;
  /** How the client, its developer or its user can solve the problem. */
  readonly advice: Text;
}

/** `T` if all translations have the same placeholders; otherwise a type that no text matches, so that it does not compile. */
type Consistent<T extends Text> = [Placeholders<T['en']>, Placeholders<T['de']>] extends [
  Placeholders<T['de']>,
  Placeholders<T['en']>,
]
  ? T
  : { readonly [L in Language]: { readonly placeholders: Placeholders<T['en'] | T['de']> } };

/** Texts by code. Does not compile if a language is missing, or if placeholders differ between languages. */
export function messages<const T extends Readonly<Record<string, Text>>>(
  texts: T & { readonly [C in keyof T]: Consistent<T[C]> },
): T {
  return texts;
}

/** Kinds of problems by code. Does not compile if a part or a language is missing. */
export function problems<const T extends Readonly<Record<string, ProblemKind>>>(kinds: T): T {
  return kinds;
}

/** The text of a notification and its parameters. A parameter whose values are codes has a text for each code; others have null. */
export interface NotificationKind {
  readonly text: Text;
  readonly parameters: Readonly<Record<string, Readonly<Record<string, Text>> | null>>;
}

/** Notification types. Does not compile if a text has a placeholder without a parameter. */
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

/** A placeholder without a parameter stays. */
export function fill(text: string, params: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{([^}]+)\}/g, (placeholder, name: string) => String(params[name] ?? placeholder));
}
