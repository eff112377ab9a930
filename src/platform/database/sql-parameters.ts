/** Adds a value to a statement and returns its placeholder: `bind(5)` gives `$n`. */
export type Bind = (value: unknown) => string;

/** The values of a statement that is built from parts, in the order of their placeholders. */
export class SqlParameters {
  readonly list: unknown[];

  constructor(...first: unknown[]) {
    this.list = first;
  }

  readonly bind: Bind = (value) => {
    this.list.push(value);
    return `$${this.list.length}`;
  };
}
