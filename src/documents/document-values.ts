import { Injectable } from '@nestjs/common';
import { type FieldErrors } from '../common/problem.js';
import { type TenantTransaction } from '../database/tenant-transaction.js';
import { type Caller } from '../tenancy/caller.js';
import { type FieldValues } from './document.entity.js';

/** The type of a document and its values by field key: as a request gives them, and as they are stored. */
export interface TypedValues {
  readonly documentTypeId: string | null;
  readonly fields: FieldValues;
}

/**
 * The only place that knows what a document may say by its type. There are no document types yet: no id names one,
 * and without a type there is no field.
 */
@Injectable()
export class DocumentValues {
  /**
   * What to store for the given values. What cannot be accepted is added to `errors`, so that it is told together
   * with everything else that stored data refuse; then the result means nothing.
   *
   * @param current what the document has now; null for a new one
   */
  async accept(
    _tx: TenantTransaction,
    _caller: Caller,
    given: TypedValues,
    _current: TypedValues | null,
    errors: FieldErrors,
  ): Promise<TypedValues> {
    if (given.documentTypeId !== null) errors.documentTypeId = ['names no document type of this tenant'];
    for (const key of Object.keys(given.fields)) {
      errors[`fields.${key}`] = ['is not a field of the type of the document'];
    }
    return { documentTypeId: null, fields: {} };
  }
}
