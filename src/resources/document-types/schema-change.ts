import { isDeepStrictEqual } from 'node:util';
import { newId } from '../../common/identifier.js';
import { message } from '../../common/messages/message.js';
import { type FieldErrors } from '../../common/problem.js';
import { type FieldInput, MAX_FIELDS_EVER } from './field-rules.js';

/** A stored field. */
export interface FieldView extends FieldInput {
  readonly id: string;
}

/** A change to a field that is refused while a document has an affected value. */
export interface BreakingChange {
  /** Path in the request, for the error. */
  readonly path: string;
  readonly fieldId: string;
  /** Key of the removed option; null if the reference target changes. */
  readonly optionKey: string | null;
}

export interface SchemaChange {
  /** All fields after the change: the live ones in the given order, then the removed ones. */
  readonly fields: readonly FieldView[];
  readonly breakingChanges: readonly BreakingChange[];
  readonly isChange: boolean;
}

/**
 * Computes the fields of a type from the stored and the given fields. A field is removed if it is missing or
 * given as removed; every other given field is live, whether it is new, existing or restored. Adds to
 * `errors` what the stored fields do not allow.
 */
export function changeSchema(
  stored: readonly FieldView[],
  given: readonly FieldInput[],
  errors: FieldErrors,
): SchemaChange {
  const known = new Map(stored.map((field) => [field.key, field]));
  const breakingChanges: BreakingChange[] = [];
  const live: FieldView[] = [];
  const removed = new Map<string, FieldView>();
  given.forEach((input, index) => {
    const path = `fields[${index}]`;
    const former = known.get(input.key);
    if (!former) {
      if (input.isRemoved) errors[`${path}.isRemoved`] = [message('schema.removed-unknown')];
      else live.push({ ...input, id: newId() });
      return;
    }
    if (former.type === input.type) breakingChanges.push(...breakingChangesOf(former, input, path));
    else errors[`${path}.type`] = [message('schema.type-fixed', { type: former.type })];
    const field = { ...input, id: former.id };
    if (input.isRemoved) removed.set(input.key, field);
    else live.push(field);
  });
  const keys = new Set(live.map(({ key }) => key));
  const removedFields = stored
    .filter(({ key }) => !keys.has(key))
    .map((field) => removed.get(field.key) ?? { ...field, isRemoved: true });
  const fields = [...live, ...removedFields];
  if (fields.length > MAX_FIELDS_EVER)
    errors.fields = [message('schema.max-fields-ever', { max: MAX_FIELDS_EVER })];
  return { fields, breakingChanges, isChange: !isDeepStrictEqual(fields, stored) };
}

function breakingChangesOf(former: FieldView, input: FieldInput, path: string): BreakingChange[] {
  const fieldId = former.id;
  if (former.referenceTarget !== input.referenceTarget)
    return [{ path: `${path}.referenceTarget`, fieldId, optionKey: null }];
  const kept = new Set(input.options?.map(({ key }) => key));
  return (former.options ?? [])
    .filter(({ key }) => !kept.has(key))
    .map(({ key }) => ({ path: `${path}.options`, fieldId, optionKey: key }));
}

/**
 * Describes the change for the audit log: `+` added, `−` removed, `↺` restored, `~` changed (`+ due, − state,
 * ↺ note, ~ amount`). Empty if nothing changed.
 */
export function describeChange(before: readonly FieldView[], after: readonly FieldView[]): string {
  const known = new Map(before.map((field) => [field.key, field]));
  const marks = after.flatMap((field) => {
    const former = known.get(field.key);
    const mark = markOf(former, field);
    return mark ? [`${mark} ${field.key}`] : [];
  });
  if (marks.length === 0) return isDeepStrictEqual(before, after) ? '' : 'fields in another order';
  const shown = marks.slice(0, MAX_DESCRIBED);
  const more = marks.length - shown.length;
  return `fields ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const MAX_DESCRIBED = 20;

function markOf(former: FieldView | undefined, field: FieldView): string | null {
  if (!former) return '+';
  if (former.isRemoved !== field.isRemoved) return field.isRemoved ? '−' : '↺';
  return isDeepStrictEqual(former, field) ? null : '~';
}

/** Whether the change affects the words by which documents are found: labels of values, and removed fields. */
export function changesWords(stored: readonly FieldView[], fields: readonly FieldView[]): boolean {
  const known = new Map(fields.map((field) => [field.id, field]));
  return stored.some(({ id, isRemoved, options }) => {
    const now = known.get(id);
    const labels = new Map(now?.options?.map((option) => [option.key, option]));
    return (
      now?.isRemoved !== isRemoved ||
      options?.some((option) => !isDeepStrictEqual(labels.get(option.key), option)) === true
    );
  });
}
