import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { memberPath } from '../../../common/member-path.js';
import { message } from '../../../common/messages/message.js';
import { type FieldErrors } from '../../../common/problem.js';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import {
  type DocumentTypeView,
  DocumentTypesReader,
  type FieldView,
} from '../../document-types/document-types.reader.js';
import { type FieldValues } from '../document.entity.js';
import { DocumentValuesRepository } from './document-values.repository.js';
import { ReferenceTargetsRepository } from './reference-targets.repository.js';
import { type FieldValue, WITHOUT_TYPE, readValue } from './value-rules.js';
import { type ValueOfField } from './values-text.js';

/** The type of a document and its values by field key, as sent or as returned. */
interface TypedValues {
  readonly documentTypeId: string | null;
  readonly fields: FieldValues;
}

/** The data to store for the values of a request. */
interface AcceptedValues extends TypedValues {
  /** `fields` and the values of removed fields that the document keeps. */
  readonly stored: FieldValues;
  /** Errors for missing required values. They do not apply while the document does not change. */
  readonly missing: FieldErrors;
  readonly values: readonly ValueOfField[];
  /** Ids of fields whose values stay unchanged. */
  readonly kept: readonly string[];
}

/**
 * Maximum size of all values of a document as JSON in bytes. A single request is smaller, but values of
 * removed fields add up over time.
 */
const MAX_SIZE = 2 * 1024 * 1024;

const NONE: AcceptedValues = {
  documentTypeId: null,
  fields: {},
  stored: {},
  missing: {},
  values: [],
  kept: [],
};

/** The only code that validates the values of a document against its type. */
@Injectable()
export class DocumentValues {
  constructor(
    private readonly types: DocumentTypesReader,
    private readonly targets: ReferenceTargetsRepository,
    private readonly repository: DocumentValuesRepository,
  ) {}

  /**
   * Validates the given values against the type, which is locked (shared) until the commit. Adds errors to
   * `errors`, so that one response reports all of them; the result is then meaningless. Accepts values that
   * the document already has: the target of a Reference may have become invisible, or a currency may no
   * longer be in the standard.
   *
   * @param current what the document has now; null for a new one
   */
  async accept(
    tx: TenantTransaction,
    caller: Caller,
    given: TypedValues,
    current: (TypedValues & { readonly id: string }) | null,
    errors: FieldErrors,
  ): Promise<AcceptedValues> {
    if (given.documentTypeId === null) {
      for (const key of Object.keys(given.fields)) errors[`fields${memberPath(key)}`] = [WITHOUT_TYPE];
      return NONE;
    }
    const type = await this.types.lockSharedOrNull(tx, given.documentTypeId);
    if (!type) {
      errors.documentTypeId = [message('reference.document-type')];
      return NONE;
    }
    const former = current?.documentTypeId === type.id ? current : null;
    if (!type.isActive && !former) errors.documentTypeId = [message('reference.inactive-document-type')];
    const { values, invalidKeys } = readValues(type, given.fields, former?.fields ?? {}, errors);
    await this.checkReferences(tx, caller, values, former?.fields ?? {}, errors);
    const fields = byKey(values);
    const hidden = former ? await this.hiddenValues(tx, former.id, type) : {};
    const stored = { ...fields, ...hidden };
    // An earlier release allowed larger values. They can be changed, but must not grow.
    const size = sizeOf(stored);
    if (size > MAX_SIZE && size > sizeOf({ ...former?.fields, ...hidden }))
      errors.fields = [message('field.max-size')];
    return {
      documentTypeId: type.id,
      fields,
      stored,
      missing: missingValues(type, new Set([...Object.keys(fields), ...invalidKeys])),
      values,
      kept: type.fields.filter(({ isRemoved }) => isRemoved).map(({ id }) => id),
    };
  }

  private async checkReferences(
    tx: TenantTransaction,
    caller: Caller,
    values: readonly KeyedValue[],
    former: FieldValues,
    errors: FieldErrors,
  ): Promise<void> {
    for (const target of ['File', 'Document', 'User'] as const) {
      const references = values.filter(
        ({ field, value }) => field.referenceTarget === target && !isFormer(former, field.key, value),
      );
      const ids = references.map(({ value }) => value as string);
      const visible = await this.targets.visible(tx, caller, target, ids);
      for (const { field, value } of references) {
        if (!visible.has(value as string)) errors[`fields.${field.key}`] = [REFERENCE_ERRORS[target]];
      }
    }
  }

  /** The values of removed fields, which the document keeps. */
  private async hiddenValues(
    tx: TenantTransaction,
    documentId: string,
    { fields }: DocumentTypeView,
  ): Promise<FieldValues> {
    const removed = new Set(fields.filter(({ isRemoved }) => isRemoved).map(({ key }) => key));
    if (removed.size === 0) return {};
    const stored = await this.repository.stored(tx, documentId);
    return Object.fromEntries(Object.entries(stored).filter(([key]) => removed.has(key)));
  }
}

const REFERENCE_ERRORS = {
  File: message('reference.file'),
  Document: message('reference.document'),
  User: message('reference.member'),
};

type KeyedValue = ValueOfField & { readonly field: FieldView };

function readValues(
  { fields }: DocumentTypeView,
  given: FieldValues,
  former: FieldValues,
  errors: FieldErrors,
): { values: KeyedValue[]; invalidKeys: string[] } {
  const known = new Map(fields.map((field) => [field.key, field]));
  const invalidKeys: string[] = [];
  const values = Object.entries(given).flatMap(([key, sent]) => {
    const path = `fields${memberPath(key)}`;
    const field = known.get(key);
    if (!field || field.isRemoved) {
      errors[path] = [message(field ? 'field.removed' : 'field.unknown')];
      return [];
    }
    const reading = isFormer(former, key, sent) ? { value: sent as FieldValue } : readValue(field, sent);
    if ('value' in reading) return reading.value === null ? [] : [{ field, value: reading.value }];
    for (const [part, found] of Object.entries(reading.errors)) errors[`${path}${part}`] = [found];
    invalidKeys.push(key);
    return [];
  });
  return { values, invalidKeys };
}

/** Whether the document already has this value, in normalized form. */
function isFormer(former: FieldValues, key: string, value: unknown): boolean {
  return value !== null && Object.hasOwn(former, key) && isDeepStrictEqual(former[key], value);
}

function sizeOf(fields: FieldValues): number {
  return Buffer.byteLength(JSON.stringify(fields));
}

function byKey(values: readonly KeyedValue[]): FieldValues {
  return Object.fromEntries(values.map(({ field, value }) => [field.key, value]));
}

function missingValues({ fields }: DocumentTypeView, given: ReadonlySet<string>): FieldErrors {
  return Object.fromEntries(
    fields
      .filter(({ key, required, isRemoved }) => required && !isRemoved && !given.has(key))
      .map(({ key }) => [`fields.${key}`, [message('value.required')]]),
  );
}
