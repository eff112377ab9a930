import { isUuid, normalizeText } from '../../../common/text.js';

/** Makes of a member's value as sent what is checked and handed on. It sees values of any kind, and must not throw. */
type Reader = (value: unknown) => unknown;

const asSent: Reader = (value) => value;
const readersOf = new WeakMap<object, Map<string, Reader>>();

function declare(prototype: object, member: string, reader?: Reader): void {
  let readers = readersOf.get(prototype);
  if (!readers) readersOf.set(prototype, (readers = new Map<string, Reader>()));
  readers.set(member, reader ?? readers.get(member) ?? asSent);
}

/** Declares a member of a DTO, read as it was sent unless a {@link ReadWith} says otherwise. */
export function DtoMember(): PropertyDecorator {
  return (prototype, member) => declare(prototype, String(member));
}

/** Declares a member of a DTO and how it is read. */
export function ReadWith(reader: Reader): PropertyDecorator {
  return (prototype, member) => declare(prototype, String(member), reader);
}

/** Reads each item of an array; one with more than `max` items stays as it was sent, for its length to be refused. */
export function readItems(value: unknown, max: number, read: (item: unknown) => unknown): unknown {
  return Array.isArray(value) && value.length <= max ? value.map((item: unknown) => read(item)) : value;
}

/** Text in NFC and trimmed; other values as they were sent. */
export function readText(value: unknown): unknown {
  return typeof value === 'string' && value.isWellFormed() ? normalizeText(value) : value;
}

/** A UUID in lower case; other values as they were sent. */
export function readUuid(value: unknown): unknown {
  return isUuid(value) ? value.toLowerCase() : value;
}

const namesOf = new WeakMap<object, ReadonlySet<string>>();

/** Names of the members that a DTO class and those that it extends declare. */
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
 * An instance of the DTO class with the members that it declares, of those that were sent. What a client sends is
 * only ever data here: class-transformer would walk into every value and call a member named `constructor`, and would
 * drop one named `toString`, which a document type may well have as a field.
 */
export function readMembers<T extends object>(dto: new () => T, sent: object): T {
  const instance = new dto();
  const read = new Set<string>();
  for (let prototype: object | null = dto.prototype as object; prototype !== null;) {
    for (const [member, reader] of readersOf.get(prototype) ?? []) {
      // A class that declares a member anew goes before the one that it extends.
      if (read.has(member) || !Object.hasOwn(sent, member)) continue;
      read.add(member);
      (instance as Record<string, unknown>)[member] = reader((sent as Record<string, unknown>)[member]);
    }
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return instance;
}
