import { isUuid, normalizeText } from '../../../common/text.js';

/** Converts the value of a member before it is validated. Must accept any value, and must not throw. */
type Reader = (value: unknown) => unknown;

const asSent: Reader = (value) => value;
const readersOf = new WeakMap<object, Map<string, Reader>>();

function declare(prototype: object, member: string, reader?: Reader): void {
  let readers = readersOf.get(prototype);
  if (!readers) readersOf.set(prototype, (readers = new Map<string, Reader>()));
  readers.set(member, reader ?? readers.get(member) ?? asSent);
}

/** Declares a member of a DTO. Its value is kept as sent, unless {@link ReadWith} converts it. */
export function DtoMember(): PropertyDecorator {
  return (prototype, member) => declare(prototype, String(member));
}

export function ReadWith(reader: Reader): PropertyDecorator {
  return (prototype, member) => declare(prototype, String(member), reader);
}

/**
 * Converts each item of an array. An array with more than `max` items stays unchanged; validation rejects its length.
 */
export function readItems(value: unknown, max: number, read: (item: unknown) => unknown): unknown {
  return Array.isArray(value) && value.length <= max ? value.map((item: unknown) => read(item)) : value;
}

/** Converts text to NFC and trims it; keeps other values. */
export function readText(value: unknown): unknown {
  return typeof value === 'string' && value.isWellFormed() ? normalizeText(value) : value;
}

/** Converts a UUID to lower case; keeps other values. */
export function readUuid(value: unknown): unknown {
  return isUuid(value) ? value.toLowerCase() : value;
}

const namesOf = new WeakMap<object, ReadonlySet<string>>();

/** Names of the members that a DTO class and its base classes declare. */
export function declaredMembers(dto: object): ReadonlySet<string> {
  const known = namesOf.get(dto);
  if (known) return known;
  const names = new Set<string>();
  for (let prototype = (dto as { prototype: object | null }).prototype; prototype !== null;) {
    for (const name of readersOf.get(prototype)?.keys() ?? []) names.add(name);
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  namesOf.set(dto, names);
  return names;
}

/**
 * Creates an instance of the DTO class from the declared members of `sent`. Not with class-transformer, which walks
 * into every value, calls a member named `constructor`, and drops a member named `toString`, although a document type
 * can have a field of that name.
 */
export function readMembers<T extends object>(dto: new () => T, sent: object): T {
  const instance = new dto();
  const read = new Set<string>();
  for (let prototype: object | null = dto.prototype as object; prototype !== null;) {
    for (const [member, reader] of readersOf.get(prototype) ?? []) {
      // A declaration in a class overrides the one in its base class.
      if (read.has(member) || !Object.hasOwn(sent, member)) continue;
      read.add(member);
      (instance as Record<string, unknown>)[member] = reader((sent as Record<string, unknown>)[member]);
    }
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return instance;
}
