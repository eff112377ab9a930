/** How one environment variable is read, and what the README's table says about it. */
export interface Variable<T> {
  readonly name: string;
  readonly description: string;
  /** How the default reads in the README's table. */
  readonly defaultText: string;
  /** Never shown, neither in logs nor in messages. */
  readonly secret?: boolean;
  /** Gets undefined for an unset (or empty) variable; throws a sentence without the variable's name. */
  readonly read: (text: string | undefined) => T;
}
