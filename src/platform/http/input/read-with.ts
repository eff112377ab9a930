import { applyDecorators } from '@nestjs/common';
import { Expose, Transform, Type } from 'class-transformer';
import { isUuid, normalizeName, normalizeText } from '../../../common/text.js';

/** A class without members, so class-transformer does not convert what is inside a value. */
class Nested {}

/**
 * Declares a member of a DTO, with its own value as sent. class-transformer would otherwise convert nested objects,
 * and call or drop members that a client named `constructor` or `toString` (docs/adr/0017).
 */
export function AsSent(): PropertyDecorator {
  return applyDecorators(
    Expose(),
    Type(() => Nested),
    Transform(({ obj, key }) => {
      const sent = obj as Record<string, unknown>;
      return Object.hasOwn(sent, key) ? sent[key] : undefined;
    }),
  );
}

/** Converts the value of a member before it is validated. `read` must accept any value, and must not throw. */
export function ReadWith(read: (value: unknown) => unknown): PropertyDecorator {
  return Transform(({ value }) => read(value));
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

/** Converts a name to its normal form; keeps other values. */
export function readName(value: unknown): unknown {
  return typeof value === 'string' && value.isWellFormed() ? normalizeName(value) : value;
}

/** Converts a UUID to lower case; keeps other values. */
export function readUuid(value: unknown): unknown {
  return isUuid(value) ? value.toLowerCase() : value;
}

/** Converts text with commas to a list; keeps other values. */
export function readList(value: unknown): unknown {
  return typeof value === 'string' ? value.split(',') : value;
}
