/** A position in a request that takes an identifier (an id, an invitation secret or a slug). */
export class Slot {
  constructor(
    readonly location: 'path' | 'query' | 'body',
    /** The name of the parameter, or the JSON path in the body, as `errors` of a problem names it. */
    readonly field: string,
    /** The identifier of a valid request: a key of `PopulatedTenant.identifiers`. */
    readonly resource: string,
  ) {}
}

/** A slot in a body that is written by hand instead of derived from its schema. */
export function bodySlot(field: string, resource: string): Slot {
  return new Slot('body', field, resource);
}
