/** A place in a request where something of the tenant is named. */
export class Slot {
  constructor(
    readonly where: 'path' | 'query' | 'body',
    /** As `errors` names it. */
    readonly place: string,
    /** What stands there when all is well, by its name in a settlement. */
    readonly thing: string,
  ) {}
}

/** One in a body that is written down, rather than made of its schema. */
export function slot(place: string, thing: string): Slot {
  return new Slot('body', place, thing);
}
