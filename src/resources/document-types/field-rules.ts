import { isJsonObject } from '../../common/json-object.js';
import { type Message, message } from '../../common/messages/message.js';
import { nameError } from '../../common/text-error.js';
import { readItems, readName, readText } from '../../platform/http/input/read-with.js';
import { type ValueErrors } from '../../platform/http/input/rule.js';
import {
  FIELD_TYPES,
  type FieldOption,
  type FieldType,
  REFERENCE_TARGETS,
  type ReferenceTarget,
} from './document-type-field.entity.js';

/** Maximum number of live fields of a type. */
export const MAX_FIELDS = 100;
/** Maximum number of fields of a type, live and removed. */
export const MAX_FIELDS_EVER = 500;
export const MAX_OPTIONS = 500;
export const MAX_LABEL = 200;

export const FIELD_KEY = /^[a-z][A-Za-z0-9_]{0,49}$/;
export const OPTION_KEY = /^[A-Za-z0-9_-]{1,50}$/;

const INVALID_FIELD_KEY = message('value.field-key');
const INVALID_OPTION_KEY = message('value.option-key');

/** A field of a request, normalized and validated. */
export interface FieldInput {
  readonly key: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly labelDe: string;
  readonly labelEn: string;
  readonly options: readonly FieldOption[] | null;
  readonly referenceTarget: ReferenceTarget | null;
  readonly isRemoved: boolean;
}

/**
 * Normalizes fields as sent: trims texts, sets defaults for absent members, drops unknown members. Leaves
 * invalid parts for {@link fieldsErrors}. Does not use class-validator: a type can have thousands of options,
 * and validating each with it would block the process.
 */
export function readFields(value: unknown): unknown {
  return readItems(value, MAX_FIELDS_EVER, readField);
}

function readField(field: unknown): unknown {
  if (!isJsonObject(field)) return field;
  const { key, type, required, labelDe, labelEn, options = null } = field;
  const { referenceTarget = null, isRemoved = false } = field;
  return {
    ...readLabelled({ key, labelDe, labelEn }),
    type,
    required,
    options: readItems(options, MAX_OPTIONS, readOption),
    referenceTarget,
    isRemoved,
  };
}

function readOption(option: unknown): unknown {
  if (!isJsonObject(option)) return option;
  const { key, labelDe, labelEn } = option;
  return readLabelled({ key, labelDe, labelEn });
}

function readLabelled({ key, labelDe, labelEn }: Record<'key' | 'labelDe' | 'labelEn', unknown>) {
  return { key: readText(key), labelDe: readName(labelDe), labelEn: readName(labelEn) };
}

/**
 * Returns the errors of normalized fields by path: `[2].options[0].key`. Of two fields with the same key, the
 * second is the error.
 */
export function fieldsErrors(value: unknown, mayBeRemoved: boolean): ValueErrors | null {
  if (!Array.isArray(value)) return message('value.array');
  const live = value.filter((field: unknown) => !isJsonObject(field) || field.isRemoved !== true).length;
  if (live > MAX_FIELDS) return message('schema.max-live-fields', { max: MAX_FIELDS });
  if (value.length > MAX_FIELDS_EVER) return message('schema.max-fields', { max: MAX_FIELDS_EVER });
  const errors = new ErrorList();
  const keys = new Set<unknown>();
  value.forEach((field: unknown, index) => {
    const path = `[${index}]`;
    if (!isJsonObject(field)) return errors.add(path, message('value.object'));
    errors.add(`${path}.key`, keyError(field.key, FIELD_KEY, INVALID_FIELD_KEY, keys));
    errors.add(`${path}.type`, oneOfError(field.type, FIELD_TYPES));
    errors.add(`${path}.required`, booleanError(field.required));
    errors.add(`${path}.labelDe`, labelError(field.labelDe));
    errors.add(`${path}.labelEn`, labelError(field.labelEn));
    errors.add(`${path}.isRemoved`, booleanError(field.isRemoved));
    if (!mayBeRemoved && field.isRemoved === true)
      errors.add(`${path}.isRemoved`, message('schema.removed-in-new-type'));
    addOptionErrors(errors, `${path}.options`, field);
    errors.add(`${path}.referenceTarget`, targetError(field));
  });
  return errors.found;
}

/** A body can contain tens of thousands of errors; report only the first ones. */
const MAX_ERRORS = 500;

class ErrorList {
  private readonly errors = new Map<string, Message>();

  add(path: string, error: Message | null): void {
    if (error === null || this.errors.size >= MAX_ERRORS || this.errors.has(path)) return;
    this.errors.set(path, error);
  }

  get found(): ValueErrors | null {
    return this.errors.size > 0 ? Object.fromEntries(this.errors) : null;
  }
}

function addOptionErrors(errors: ErrorList, path: string, { type, options }: Record<string, unknown>): void {
  if (type !== 'Enumeration') {
    if (options !== null && FIELD_TYPES.includes(type as FieldType))
      errors.add(path, message('schema.options-unused'));
    return;
  }
  if (options === null) return errors.add(path, message('schema.options-required'));
  if (!Array.isArray(options)) return errors.add(path, message('value.array'));
  if (options.length === 0) return errors.add(path, message('value.empty'));
  if (options.length > MAX_OPTIONS)
    return errors.add(path, message('schema.max-options', { max: MAX_OPTIONS }));
  const keys = new Set<unknown>();
  options.forEach((option: unknown, index) => {
    if (!isJsonObject(option)) return errors.add(`${path}[${index}]`, message('value.object'));
    errors.add(`${path}[${index}].key`, keyError(option.key, OPTION_KEY, INVALID_OPTION_KEY, keys));
    errors.add(`${path}[${index}].labelDe`, labelError(option.labelDe));
    errors.add(`${path}[${index}].labelEn`, labelError(option.labelEn));
  });
}

function targetError({ type, referenceTarget }: Record<string, unknown>): Message | null {
  if (type === 'Reference')
    return referenceTarget === null
      ? message('schema.target-required')
      : oneOfError(referenceTarget, REFERENCE_TARGETS);
  if (referenceTarget === null || !FIELD_TYPES.includes(type as FieldType)) return null;
  return message('schema.target-unused');
}

function keyError(key: unknown, pattern: RegExp, invalidKey: Message, seen: Set<unknown>): Message | null {
  if (isMissing(key)) return message('value.required');
  if (typeof key !== 'string' || !pattern.test(key)) return invalidKey;
  if (seen.has(key)) return message('value.duplicate');
  seen.add(key);
  return null;
}

function labelError(label: unknown): Message | null {
  return isMissing(label) ? message('value.required') : nameError(label, MAX_LABEL);
}

function booleanError(value: unknown): Message | null {
  if (typeof value === 'boolean') return null;
  return isMissing(value) ? message('value.required') : message('value.boolean');
}

function oneOfError(value: unknown, values: readonly string[]): Message | null {
  if (isMissing(value)) return message('value.required');
  return typeof value === 'string' && values.includes(value)
    ? null
    : message('value.one-of', { values: values.join(', ') });
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}
