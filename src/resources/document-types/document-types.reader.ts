import { Injectable } from '@nestjs/common';
import { type Page } from '../../common/page.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type PageQuery } from '../../platform/http/input/page-query.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { FIELD_TYPES, type FieldType } from './document-type-field.entity.js';
import { type DocumentTypeResponse } from './document-types.dto.js';
import { type DocumentTypeView, DocumentTypesRepository } from './document-types.repository.js';
import { DocumentTypesService } from './document-types.service.js';
import { type FieldView } from './schema-change.js';

export { FIELD_KEY } from './field-rules.js';
export { FIELD_TYPES };
export { type DocumentTypeView, type FieldType, type FieldView };

/** A live (not removed) field that a search condition can refer to. */
export interface ConditionField {
  readonly id: string;
  readonly documentTypeId: string;
  readonly key: string;
  readonly type: FieldType;
}

@Injectable()
export class DocumentTypesReader {
  constructor(
    private readonly documentTypes: DocumentTypesRepository,
    private readonly service: DocumentTypesService,
  ) {}

  list(caller: Caller, page: PageQuery): Promise<Page<DocumentTypeResponse>> {
    return this.service.list(caller, page);
  }

  find(tx: TenantTransaction, id: string): Promise<DocumentTypeView | null> {
    return this.documentTypes.findView(tx, id);
  }

  async exists(tx: TenantTransaction, id: string): Promise<boolean> {
    return (await this.documentTypes.find(tx, id)) !== null;
  }

  /**
   * Locks the type (shared) for a document that is about to get it: type and fields cannot change until the
   * commit. So no document gets a value of a field or option that is being removed. Returns null if the type
   * does not exist.
   */
  lockSharedOrNull(tx: TenantTransaction, id: string): Promise<DocumentTypeView | null> {
    return this.documentTypes.lockViewSharedOrNull(tx, id);
  }

  /**
   * Locks a type whose documents are to be indexed, like {@link lockSharedOrNull}. Null if there is none.
   */
  async lockToIndexOrNull(tx: TenantTransaction): Promise<DocumentTypeView | null> {
    const [next] = await tx.query<{ id: string }>(
      'SELECT t.id FROM document_types t WHERE t.tenant_id = $1 AND t.index_before IS NOT NULL ORDER BY t.id LIMIT 1',
      [tx.tenantId],
    );
    return next ? this.lockSharedOrNull(tx, next.id) : null;
  }

  setIndexed(tx: TenantTransaction, id: string, before: string | null): Promise<void> {
    return this.documentTypes.setIndexed(tx, id, before);
  }

  /** Live fields with one of these keys; of all types if `documentTypeId` is null. */
  findFields(
    tx: TenantTransaction,
    keys: readonly string[],
    documentTypeId: string | null,
  ): Promise<ConditionField[]> {
    return tx.query<ConditionField>(
      `SELECT f.id, f.document_type_id AS "documentTypeId", f.key, f.type FROM document_type_fields f
        WHERE f.tenant_id = $1 AND f.key = ANY ($2::text[]) AND NOT f.is_removed
          AND ($3::uuid IS NULL OR f.document_type_id = $3::uuid)
        ORDER BY f.id`,
      [tx.tenantId, keys, documentTypeId],
    );
  }
}
