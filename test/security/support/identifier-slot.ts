/** A field in a request where something of the tenant is named. */
export class Slot {
  constructor(
    readonly location: 'path' | 'query' | 'body',
    /** As `errors` names it. */
    readonly field: string,
    /** What stands there when all is well, by its name in a populated. */
    readonly resource: string,
  ) {}
}

/** One in a body that is written down, rather than made of its schema. */
export function slot(field: string, resource: string): Slot {
  return new Slot('body', field, resource);
}
