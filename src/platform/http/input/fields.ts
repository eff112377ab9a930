import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy, ValidateIf } from 'class-validator';
import { parseDateTime } from '../../../common/timestamps.js';
import {
  MAX_MARKS,
  codePointLength,
  hasControlCharacters,
  hasEndlessMarks,
  isUuid,
  normalizeText,
} from '../../../common/text.js';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../../common/page.js';
import { Member, Reads, readItems } from './read-members.js';
import { type Message, isMessage, message } from '../../../common/messages/message.js';

/**
 * The kinds of values that requests carry, each declared once: how it is read, what is refused with which sentence,
 * and how the OpenAPI document shows it. A sentence completes the value's path: "name must not be empty".
 */

/** Null when the value is fine; otherwise sentences, for the value itself (key '') or for parts of it (`[2]`). */
export type Faults = Record<string, Message> | Message | null;

export interface FieldOptions {
  readonly optional?: boolean;
  readonly nullable?: boolean;
  /** With `optional`: whether the rest of the body asks for the member all the same. */
  readonly neededIf?: (body: object) => boolean;
  /** What is wrong with the member's being there at all, given the rest of the body; null when nothing is. */
  readonly misfit?: (body: object) => Message | null;
  readonly description?: string;
  readonly example?: unknown;
}

const MARK = '\u0000';

/** Packs the faults of one value into the single message that class-validator has room for. */
export function pack(faults: Exclude<Faults, null>): string {
  return JSON.stringify(isMessage(faults) ? { '': faults } : faults) + MARK;
}

/** What {@link pack} packed; a message of somebody else's validator stands for the value itself. */
export function unpackFaults(packed: string): Record<string, Message> {
  return packed.endsWith(MARK)
    ? (JSON.parse(packed.slice(0, -1)) as Record<string, Message>)
    : { '': message('value.invalid') };
}

/** A value with a check of its own; `check` is only asked about values that are there. */
export function Field(
  check: (value: unknown, body: object) => Faults,
  api: ApiPropertyOptions,
  options: FieldOptions = {},
): PropertyDecorator {
  const { optional = false, nullable = false, neededIf, misfit, description, example } = options;
  const judge = (value: unknown, body: object): Faults => {
    if (value === null && optional && !nullable) return message('value.null');
    return value === undefined || value === null
      ? message('value.required')
      : (misfit?.(body) ?? check(value, body));
  };
  return applyDecorators(
    Member(),
    ApiProperty({
      ...api,
      ...(description !== undefined && { description }),
      ...(example !== undefined && { example }),
      ...(nullable && { nullable }),
      required: !optional,
    } as ApiPropertyOptions),
    ValidateIf(
      (body: object, value) =>
        !((optional && value === undefined) || (nullable && value === null)) || neededIf?.(body) === true,
    ),
    ValidateBy({
      name: 'field',
      validator: {
        validate: (value, args) => judge(value, args?.object ?? {}) === null,
        defaultMessage: (args) => pack(judge(args?.value, args?.object ?? {}) ?? message('value.invalid')),
      },
    }),
  );
}

/** Faults of a text that has been normalised. */
export function textFaults(value: unknown, min: number, max: number, lines = false): Message | null {
  if (typeof value !== 'string') return message('value.string');
  if (!value.isWellFormed()) return message('value.lone-surrogate');
  if (hasControlCharacters(value, lines)) return message('value.control-character');
  if (hasEndlessMarks(value)) return message('value.combining-marks', { max: MAX_MARKS });
  const length = codePointLength(value);
  if (length < min) return min === 1 ? message('value.empty') : message('value.min-length', { min });
  if (length > max) return message('value.max-length', { max });
  return null;
}

const Normalized = () =>
  Reads((value) => (typeof value === 'string' && value.isWellFormed() ? normalizeText(value) : value));

/** Text of `min` to `max` code points after NFC and trimming. */
export function TextField(
  options: FieldOptions & { min?: number; max: number; lines?: boolean },
): PropertyDecorator {
  const { min = 1, max, lines = false } = options;
  return applyDecorators(
    Normalized(),
    Field(
      (value) => textFaults(value, min, max, lines),
      { type: String, ...(min > 0 && { minLength: min }), maxLength: max },
      options,
    ),
  );
}

/** Names, titles and labels. */
export function NameField(options: FieldOptions = {}): PropertyDecorator {
  return TextField({ max: 200, ...options });
}

/** Text of a fixed form. */
export function PatternField(pattern: RegExp, fault: Message, options: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    Normalized(),
    Field(
      (value) => (typeof value === 'string' && pattern.test(value) ? null : fault),
      { type: String, pattern: pattern.source },
      options,
    ),
  );
}

const LowerCase = () => Reads((value) => (isUuid(value) ? value.toLowerCase() : value));

export function UuidField(options: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    LowerCase(),
    Field(
      (value) => (isUuid(value) ? null : message('value.uuid')),
      { type: String, format: 'uuid' },
      options,
    ),
  );
}

/** A list of UUIDs without repetition. */
export function UuidListField(options: FieldOptions & { min?: number; max: number }): PropertyDecorator {
  const { min = 0, max } = options;
  return applyDecorators(
    Reads((value) => readItems(value, max, (id) => (isUuid(id) ? id.toLowerCase() : id))),
    Field(
      (value) => uuidListFaults(value, max, min),
      {
        type: 'array',
        items: { type: 'string', format: 'uuid' },
        ...(min > 0 && { minItems: min }),
        maxItems: max,
        uniqueItems: true,
      },
      options,
    ),
  );
}

function uuidListFaults(value: unknown, max: number, min = 0): Faults {
  if (!Array.isArray(value)) return message('value.array');
  if (value.length === 0 && min > 0) return message('value.empty');
  if (value.length > max) return message('value.max-items', { max });
  const faults: Record<string, Message> = {};
  const seen = new Set<unknown>();
  value.forEach((id: unknown, index) => {
    if (!isUuid(id)) faults[`[${index}]`] = message('value.uuid');
    else if (seen.has(id)) faults[`[${index}]`] = message('value.duplicate');
    seen.add(id);
  });
  return Object.keys(faults).length > 0 ? faults : null;
}

export function BooleanField(options: FieldOptions = {}): PropertyDecorator {
  return Field(
    (value) => (typeof value === 'boolean' ? null : message('value.boolean')),
    { type: Boolean },
    options,
  );
}

export function EnumField(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return Field(
    (value) =>
      typeof value === 'string' && values.includes(value)
        ? null
        : message('value.one-of', { values: values.join(', ') }),
    { type: String, enum: [...values] },
    options,
  );
}

/** ISO 8601 with an offset; the handler gets the text in its canonical form. */
export function DateTimeField(options: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    Reads((value) => (typeof value === 'string' ? (parseDateTime(value)?.toISOString() ?? value) : value)),
    Field(
      (value) => (typeof value === 'string' && parseDateTime(value) ? null : message('value.date-time')),
      { type: String, format: 'date-time' },
      options,
    ),
  );
}

/** A query parameter: always optional, given at most once, never empty unless it says so. */
function QueryField(
  check: (value: string) => Message | null,
  api: ApiPropertyOptions,
  options: FieldOptions & { mayBeEmpty?: boolean } = {},
): PropertyDecorator {
  return Field(
    (value) => {
      if (typeof value !== 'string') return message('value.given-twice');
      if (value === '' && !options.mayBeEmpty) return message('value.empty');
      return check(value);
    },
    api,
    { ...options, optional: true },
  );
}

const DIGITS = /^\d{1,9}$/;

const LIMIT = 'How many items a page has at most';

/** How OpenAPI describes an array in one query parameter. */
const COMMA_SEPARATED: object = { style: 'form', explode: false };

/** `limit` of a list. Read it with {@link limitOf}. */
export function LimitQuery(): PropertyDecorator {
  return QueryField(
    (value) =>
      DIGITS.test(value) && Number(value) >= 1 && Number(value) <= MAX_LIMIT
        ? null
        : message('value.whole-number', { max: MAX_LIMIT }),
    { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    { description: LIMIT },
  );
}

/** Lists by name carry the folded name of the last row in the cursor: 200 characters of up to 5 bytes each. */
const MAX_CURSOR_LENGTH = 2000;
const CURSOR_BOUNDS = { minLength: 1, maxLength: MAX_CURSOR_LENGTH };

export function CursorQuery(): PropertyDecorator {
  return QueryField(
    (value) => (value.length <= MAX_CURSOR_LENGTH ? null : message('value.cursor')),
    { type: String, ...CURSOR_BOUNDS },
    {
      description: '`nextCursor` of the previous page',
    },
  );
}

export function UuidQuery(options: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    LowerCase(),
    QueryField(
      (value) => (isUuid(value) ? null : message('value.uuid')),
      { type: String, format: 'uuid' },
      options,
    ),
  );
}

/** An array of UUIDs, on the wire separated by commas, without repetition; the handler reads the text. */
export function UuidListQuery(options: FieldOptions & { max: number }): PropertyDecorator {
  return applyDecorators(
    Reads((value) => (typeof value === 'string' ? value.toLowerCase() : value)),
    QueryField(
      (value) => {
        const faults = uuidListFaults(value.split(','), options.max);
        return faults === null || isMessage(faults) ? faults : message('value.uuid-list');
      },
      {
        type: 'array',
        items: { type: 'string', format: 'uuid' },
        minItems: 1,
        maxItems: options.max,
        uniqueItems: true,
        ...COMMA_SEPARATED,
      },
      options,
    ),
  );
}

export function EnumQuery(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return QueryField(
    (value) => (values.includes(value) ? null : message('value.one-of', { values: values.join(', ') })),
    { type: String, enum: [...values] },
    options,
  );
}

/** Exactly `true` or `false`; the handler reads the text. */
export function BooleanQuery(options: FieldOptions = {}): PropertyDecorator {
  return QueryField(
    (value) => (value === 'true' || value === 'false' ? null : message('value.boolean')),
    { type: Boolean },
    options,
  );
}

export function DateTimeQuery(options: FieldOptions = {}): PropertyDecorator {
  return QueryField(
    (value) => (parseDateTime(value) ? null : message('value.date-time')),
    { type: String, format: 'date-time' },
    options,
  );
}

/** Text to look for, of any length without `max`; empty is no filter where `mayBeEmpty`. */
export function TextQuery(options: FieldOptions & { max?: number; mayBeEmpty?: boolean }): PropertyDecorator {
  const { max } = options;
  return applyDecorators(
    Normalized(),
    QueryField(
      (value) => textFaults(value, 0, max ?? Infinity),
      {
        type: String,
        ...(!options.mayBeEmpty && { minLength: 1 }),
        ...(max !== undefined && { maxLength: max }),
      },
      options,
    ),
  );
}

/** `limit` of a list that is asked for by a body. */
export function LimitField(): PropertyDecorator {
  return Field(
    (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_LIMIT
        ? null
        : message('value.whole-number', { max: MAX_LIMIT }),
    { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    { optional: true, nullable: true, description: LIMIT },
  );
}

/** `cursor` of a list that is asked for by a body. */
export function CursorField(): PropertyDecorator {
  return Field(
    (value) => {
      if (typeof value !== 'string') return message('value.string');
      return value.length > 0 && value.length <= MAX_CURSOR_LENGTH ? null : message('value.cursor');
    },
    { type: String, ...CURSOR_BOUNDS },
    { optional: true, nullable: true, description: '`nextCursor` of the previous page' },
  );
}

/** What every cursor-paged list takes. */
export class PageQuery {
  @CursorQuery()
  cursor?: string;

  /** As sent: decimal digits. */
  @LimitQuery()
  limit?: string;
}
