import { isJsonObject } from '../../common/json-object.js';
import { type Message, message } from '../../common/messages/message.js';
import { textError } from '../../common/text-error.js';
import { readItems, readText } from '../../platform/http/input/read-members.js';
import { type ValueErrors } from '../../platform/http/input/rule.js';
import {
  FIELD_TYPES,
  type FieldOption,
  type FieldType,
  REFERENCE_TARGETS,
  type ReferenceTarget,
} from './document-type-field.entity.js';

/** Fields that a type can have, removed ones not counted. */
export const MAX_FIELDS = 100;
/** Fields that a type can ever have had. */
export const MAX_FIELDS_EVER = 500;
export const MAX_OPTIONS = 500;
export const MAX_LABEL = 200;

export const FIELD_KEY = /^[a-z][A-Za-z0-9_]{0,49}$/;
export const OPTION_KEY = /^[A-Za-z0-9_-]{1,50}$/;

const FIELD_KEY_FAULT = message('value.field-key');
const OPTION_KEY_FAULT = message('value.option-key');

/** A field as a request gives it, read and checked. */
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
 * Reads fields as they are sent: text normalised, what is absent as what it counts as, unknown members left out. What
 * cannot be read stays for {@link fieldsErrors} to find. By hand, because a type can have thousands of options, and a
 * validator for each would keep everybody else waiting.
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
  return { key: readText(key), labelDe: readText(labelDe), labelEn: readText(labelEn) };
}

/** What is wrong with fields that were read, by path: `[2].options[0].key`. Of two that clash, the later is wrong. */
export function fieldsErrors(value: unknown, mayBeRemoved: boolean): ValueErrors | null {
  if (!Array.isArray(value)) return message('value.array');
  const live = value.filter((field: unknown) => !isJsonObject(field) || field.isRemoved !== true).length;
  if (live > MAX_FIELDS) return message('schema.max-live-fields', { max: MAX_FIELDS });
  if (value.length > MAX_FIELDS_EVER) return message('schema.max-fields', { max: MAX_FIELDS_EVER });
  const faults = new FaultList();
  const keys = new Set<unknown>();
  value.forEach((field: unknown, index) => {
    const path = `[${index}]`;
    if (!isJsonObject(field)) return faults.add(path, message('value.object'));
    faults.add(`${path}.key`, keyFault(field.key, FIELD_KEY, FIELD_KEY_FAULT, keys));
    faults.add(`${path}.type`, oneOf(field.type, FIELD_TYPES));
    faults.add(`${path}.required`, booleanFault(field.required));
    faults.add(`${path}.labelDe`, labelFault(field.labelDe));
    faults.add(`${path}.labelEn`, labelFault(field.labelEn));
    faults.add(`${path}.isRemoved`, booleanFault(field.isRemoved));
    if (!mayBeRemoved && field.isRemoved === true)
      faults.add(`${path}.isRemoved`, message('schema.removed-in-new-type'));
    addOptionsFaults(faults, `${path}.options`, field);
    faults.add(`${path}.referenceTarget`, targetFault(field));
  });
  return faults.found;
}

/** A body has room for tens of thousands of faults; the answer need not tell more of them than anybody reads. */
const MAX_FAULTS = 500;

class FaultList {
  private readonly faults = new Map<string, Message>();

  add(path: string, fault: Message | null): void {
    if (fault === null || this.faults.size >= MAX_FAULTS || this.faults.has(path)) return;
    this.faults.set(path, fault);
  }

  get found(): ValueErrors | null {
    return this.faults.size > 0 ? Object.fromEntries(this.faults) : null;
  }
}

function addOptionsFaults(faults: FaultList, path: string, { type, options }: Record<string, unknown>): void {
  if (type !== 'Enumeration') {
    if (options !== null && FIELD_TYPES.includes(type as FieldType))
      faults.add(path, message('schema.options-unused'));
    return;
  }
  if (options === null) return faults.add(path, message('schema.options-required'));
  if (!Array.isArray(options)) return faults.add(path, message('value.array'));
  if (options.length === 0) return faults.add(path, message('value.empty'));
  if (options.length > MAX_OPTIONS)
    return faults.add(path, message('schema.max-options', { max: MAX_OPTIONS }));
  const keys = new Set<unknown>();
  options.forEach((option: unknown, index) => {
    if (!isJsonObject(option)) return faults.add(`${path}[${index}]`, message('value.object'));
    faults.add(`${path}[${index}].key`, keyFault(option.key, OPTION_KEY, OPTION_KEY_FAULT, keys));
    faults.add(`${path}[${index}].labelDe`, labelFault(option.labelDe));
    faults.add(`${path}[${index}].labelEn`, labelFault(option.labelEn));
  });
}

function targetFault({ type, referenceTarget }: Record<string, unknown>): Message | null {
  if (type === 'Reference')
    return referenceTarget === null
      ? message('schema.target-required')
      : oneOf(referenceTarget, REFERENCE_TARGETS);
  if (referenceTarget === null || !FIELD_TYPES.includes(type as FieldType)) return null;
  return message('schema.target-unused');
}

function keyFault(key: unknown, pattern: RegExp, fault: Message, seen: Set<unknown>): Message | null {
  if (isMissing(key)) return message('value.required');
  if (typeof key !== 'string' || !pattern.test(key)) return fault;
  if (seen.has(key)) return message('value.duplicate');
  seen.add(key);
  return null;
}

function labelFault(label: unknown): Message | null {
  return isMissing(label) ? message('value.required') : textError(label, 1, MAX_LABEL);
}

function booleanFault(value: unknown): Message | null {
  if (typeof value === 'boolean') return null;
  return isMissing(value) ? message('value.required') : message('value.boolean');
}

function oneOf(value: unknown, values: readonly string[]): Message | null {
  if (isMissing(value)) return message('value.required');
  return typeof value === 'string' && values.includes(value)
    ? null
    : message('value.one-of', { values: values.join(', ') });
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}
