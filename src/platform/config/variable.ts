/** How one environment variable is read, and its row in the table of docs/configuration.md. */
export interface Variable<T> {
  readonly name: string;
  readonly description: string;
  /** The default, as docs/configuration.md shows it. */
  readonly defaultText: string;
  /** Never shown, neither in logs nor in messages. */
  readonly secret?: boolean;
  /** Gets undefined for an unset (or empty) variable; throws a sentence without the variable's name. */
  readonly read: (text: string | undefined) => T;
}
