import { Injectable } from '@nestjs/common';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { FIELD_TYPES, type FieldType } from './document-type-field.entity.js';
import {
  type DocumentTypeView,
  DocumentTypesRepository,
  type ConditionField,
} from './document-types.repository.js';
import { type FieldView } from './schema-change.js';

export { FIELD_KEY } from './field-rules.js';
export { FIELD_TYPES };
export { type DocumentTypeView, type FieldType, type FieldView, type ConditionField as NamedField };

/** What other resources ask about document types. */
@Injectable()
export class DocumentTypesReader {
  constructor(private readonly documentTypes: DocumentTypesRepository) {}

  /** Null when there is no such type. */
  find(tx: TenantTransaction, id: string): Promise<DocumentTypeView | null> {
    return this.documentTypes.findView(tx, id);
  }

  async exists(tx: TenantTransaction, id: string): Promise<boolean> {
    return (await this.documentTypes.find(tx, id)) !== null;
  }

  /**
   * The type for a document that is about to take it: neither it nor its fields change until the commit, so that no
   * document gets a value whose field or option is being taken away. Null when there is none.
   */
  lockShared(tx: TenantTransaction, id: string): Promise<DocumentTypeView | null> {
    return this.documentTypes.lockViewShared(tx, id);
  }

  /** The live fields with one of these keys: of one type, or of all when it is null. */
  findFields(
    tx: TenantTransaction,
    keys: readonly string[],
    documentTypeId: string | null,
  ): Promise<ConditionField[]> {
    return this.documentTypes.findFields(tx, keys, documentTypeId);
  }
}
