/** An environment variable: how it is read, and its row in docs/configuration.md. */
export interface Variable<T> {
  readonly name: string;
  /** Name in earlier releases. It is read if the variable is not set. */
  readonly formerName?: string;
  readonly description: string;
  /** The default as shown in docs/configuration.md. Not given: what `read` returns for an unset variable. */
  readonly defaultText?: string;
  /** Whether the value must not appear in logs and messages. */
  readonly secret?: boolean;
  /** Receives undefined for an unset or empty variable. Throws an error whose message continues the variable's name. */
  readonly read: (text: string | undefined) => T;
}

/** The values of a table of variables. */
export type ValuesOf<T extends Record<string, Variable<unknown>>> = {
  readonly [K in keyof T]: ReturnType<T[K]['read']>;
};
