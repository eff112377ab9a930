/** Adds a value to a statement's parameters and returns its placeholder, such as `$3`. */
export type Bind = (value: unknown) => string;

/** Parameters of a statement that is built from parts, in the order of their placeholders. */
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

/** Returns the LIKE pattern of texts that contain this one. */
export function patternContaining(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
