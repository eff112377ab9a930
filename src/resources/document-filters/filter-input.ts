import { isJsonObject } from '../../common/json-object.js';
import { type Message, message } from '../../common/messages/message.js';
import { textError } from '../../common/text-error.js';
import { isUuid } from '../../common/text.js';
import { readItems, readText, readUuid } from '../../platform/http/input/read-with.js';
import { type ValueErrors } from '../../platform/http/input/rule.js';
import { FIELD_KEY } from '../document-types/document-types.reader.js';
import { CONDITION_OPERATORS } from './metadata-condition.js';

export const MAX_TAGS = 20;
export const MAX_CONDITIONS = 20;
/** The maximum length of a Text value. */
export const MAX_VALUE = 10_000;

const WITHOUT_VALUE: readonly unknown[] = ['IsEmpty', 'IsNotEmpty'];

/**
 * Normalizes a filter as sent: trims texts, converts ids to lower case, replaces absent members by null or
 * empty lists, and drops unknown members. Leaves invalid parts for {@link filterErrors}.
 */
export function readFilter(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const { documentTypeId = null, fileId = null, tagIds = [], metadataConditions = [] } = value;
  return {
    documentTypeId: readUuid(documentTypeId),
    fileId: readUuid(fileId),
    tagIds: readItems(tagIds, MAX_TAGS, readUuid),
    metadataConditions: readItems(metadataConditions, MAX_CONDITIONS, readCondition),
  };
}

function readCondition(condition: unknown): unknown {
  if (!isJsonObject(condition)) return condition;
  const { fieldKey, operator, value = null } = condition;
  return { fieldKey: readText(fieldKey), operator, value: readText(value) };
}

/** Returns the errors of a normalized filter that do not depend on stored data, by path: `.tagIds[1]`. */
export function filterErrors(value: unknown): ValueErrors | null {
  if (!isJsonObject(value)) return message('value.object');
  const errors: Record<string, Message> = {};
  const add = (path: string, error: Message | null) => {
    if (error !== null) errors[path] = error;
  };
  add('.documentTypeId', value.documentTypeId === null ? null : idError(value.documentTypeId));
  add('.fileId', value.fileId === null ? null : idError(value.fileId));
  const { tagIds, metadataConditions } = value;
  add('.tagIds', listError(tagIds, MAX_TAGS));
  if (!errors['.tagIds']) {
    const seen = new Set<unknown>();
    (tagIds as unknown[]).forEach((id, index) => {
      add(`.tagIds[${index}]`, seen.has(id) ? message('value.duplicate') : idError(id));
      seen.add(id);
    });
  }
  add('.metadataConditions', listError(metadataConditions, MAX_CONDITIONS));
  if (!errors['.metadataConditions']) {
    (metadataConditions as unknown[]).forEach((condition, index) => {
      for (const [part, error] of Object.entries(conditionErrors(condition)))
        add(`.metadataConditions[${index}]${part}`, error);
    });
  }
  return Object.keys(errors).length > 0 ? errors : null;
}

function conditionErrors(condition: unknown): Record<string, Message | null> {
  if (!isJsonObject(condition)) return { '': message('value.object') };
  const { fieldKey, operator, value } = condition;
  const isKnown =
    typeof operator === 'string' && (CONDITION_OPERATORS as readonly string[]).includes(operator);
  return {
    '.fieldKey': keyError(fieldKey),
    '.operator': isKnown
      ? null
      : requiredOr(operator, message('value.one-of', { values: CONDITION_OPERATORS.join(', ') })),
    '.value': isKnown ? valueError(WITHOUT_VALUE.includes(operator), value) : null,
  };
}

function valueError(mustBeNull: boolean, value: unknown): Message | null {
  if (mustBeNull) return value === null ? null : message('filter.value-unused');
  return value === null ? message('filter.value-required') : textError(value, 1, MAX_VALUE, true);
}

function keyError(value: unknown): Message | null {
  if (typeof value === 'string' && FIELD_KEY.test(value)) return null;
  return requiredOr(value, typeof value === 'string' ? message('filter.field-key') : message('value.string'));
}

function idError(value: unknown): Message | null {
  return isUuid(value) ? null : message('value.uuid');
}

function listError(value: unknown, max: number): Message | null {
  if (!Array.isArray(value)) return message('value.array');
  return value.length > max ? message('value.max-items', { max }) : null;
}

function requiredOr(value: unknown, otherwise: Message): Message {
  return value === undefined || value === null ? message('value.required') : otherwise;
}
