import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { orNotFound } from '../../common/problem.js';
import { type BoundedRow, boundedPage } from '../../platform/database/paging/bounded-page.js';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { DocumentTypeEntity } from './document-type.entity.js';
import { type FieldView, type BreakingChange } from './schema-change.js';

export { type FieldView } from './schema-change.js';

/** The live fields come first. */
export type DocumentTypeView = DocumentTypeEntity & { readonly fields: readonly FieldView[] };

/** Maximum number of refused changes that one response reports. */
const MAX_REPORTED = 100;

/** @param tenantId Parameter with the id of the tenant. */
const fieldsOf = (tenantId: string) => `(
  SELECT coalesce(json_agg(json_build_object(
           'key', f.key, 'type', f.type, 'required', f.is_required, 'labelDe', f.label_de, 'labelEn', f.label_en,
           'options', f.options, 'referenceTarget', f.reference_target, 'isRemoved', f.is_removed, 'id', f.id
         ) ORDER BY f.position), '[]')
    FROM document_type_fields f WHERE f.tenant_id = ${tenantId} AND f.document_type_id = t.id)`;

/**
 * Upper bound for the size of the fields of type `t` in a response, in bytes. Each field needs at most 250
 * besides its labels and options.
 */
const FIELDS_SIZE = `(
  SELECT coalesce(sum(250 + octet_length(f.label_de) + octet_length(f.label_en) + f.options_size), 0)
    FROM document_type_fields f WHERE f.tenant_id = $1 AND f.document_type_id = t.id)`;

@Injectable()
export class DocumentTypesRepository extends TenantRepository<DocumentTypeEntity> {
  private readonly viewColumns: string;

  constructor(dataSource: DataSource) {
    super(dataSource, DocumentTypeEntity);
    this.viewColumns = `${this.select('t')}, ${fieldsOf('$1')} AS fields`;
  }

  /**
   * Sorted by German name. Returns one row more than `limit` to show that another page exists, or as many as
   * fit into one page.
   */
  list(
    tx: TenantTransaction,
    after: Position | null,
    limit: number,
  ): Promise<(DocumentTypeView & BoundedRow)[]> {
    const order = (alias: string) => `${alias}.sort_key COLLATE "und-x-icu", ${alias}.id`;
    const afterPosition = after ? 'AND (t.sort_key COLLATE "und-x-icu", t.id) > ($3::text, $4::uuid)' : '';
    const types = `SELECT t.*, ${FIELDS_SIZE} AS fields_size FROM document_types t
                    WHERE t.tenant_id = $1 ${afterPosition} ORDER BY ${order('t')} LIMIT $2`;
    return tx.query<DocumentTypeView & BoundedRow>(
      `SELECT ${this.viewColumns}, t."hasMore"
         FROM ${boundedPage(types, 'r.fields_size', order('r'))} t ORDER BY ${order('t')}`,
      [tx.tenantId, limit + 1, ...(after ?? [])],
    );
  }

  async findView(tx: TenantTransaction, id: string): Promise<DocumentTypeView | null> {
    const [type] = await this.send<DocumentTypeView>(tx, this.viewStatement(tx, id));
    return type ?? null;
  }

  /**
   * Locks the type until the commit: no document can take the type, and no other transaction can change it.
   * Throws 404 if it does not exist.
   */
  async lockView(tx: TenantTransaction, id: string): Promise<DocumentTypeView> {
    return orNotFound(await this.readLockedView(tx, id, 'for_no_key_update'));
  }

  /**
   * Locks the type and its fields until the commit; other transactions can take the same lock. Returns null
   * if the type does not exist.
   */
  lockViewSharedOrNull(tx: TenantTransaction, id: string): Promise<DocumentTypeView | null> {
    return this.readLockedView(tx, id, 'pessimistic_read');
  }

  /** Two statements: a single one that waited for the lock would return the fields from before the wait. */
  private async readLockedView(
    tx: TenantTransaction,
    id: string,
    lock: 'pessimistic_read' | 'for_no_key_update',
  ): Promise<DocumentTypeView | null> {
    const [, [type]] = await tx.queryAll<[object, DocumentTypeView]>([
      this.selectStatement(tx, { id }, { lock }),
      this.viewStatement(tx, id),
    ]);
    return type ?? null;
  }

  /** @param before see `indexBefore` of the entity */
  async setIndexed(tx: TenantTransaction, id: string, before: string | null): Promise<void> {
    await tx.query('UPDATE document_types SET index_before = $3 WHERE tenant_id = $1 AND id = $2', [
      tx.tenantId,
      id,
      before,
    ]);
  }

  private viewStatement(tx: TenantTransaction, id: string) {
    return this.statement(tx, 'view', { id }, () =>
      this.rows().addSelect(fieldsOf(':tenantId'), 'fields').andWhere('t.id = :id'),
    );
  }

  /**
   * Writes all fields of the type. The key and type of a field are never updated, and fields are never
   * deleted.
   */
  async saveFields(tx: TenantTransaction, typeId: string, fields: readonly FieldView[]): Promise<void> {
    if (fields.length === 0) return;
    const rows = fields.map((field, position) => ({ ...field, position }));
    await tx.query(
      `INSERT INTO document_type_fields AS f
         (tenant_id, id, document_type_id, key, position, type, is_required, label_de, label_en, options,
          reference_target, is_removed)
       SELECT $1, g.id, $2, g.key, g.position, g.type, g.required, g."labelDe", g."labelEn", nullif(g.options, 'null'),
              g."referenceTarget", g."isRemoved"
         FROM jsonb_to_recordset($3) AS g (id uuid, key text, position integer, type text, required boolean,
           "labelDe" text, "labelEn" text, options jsonb, "referenceTarget" text, "isRemoved" boolean)
       ON CONFLICT (tenant_id, document_type_id, key) DO UPDATE
         SET position = excluded.position, is_required = excluded.is_required, label_de = excluded.label_de,
             label_en = excluded.label_en, options = excluded.options, reference_target = excluded.reference_target,
             is_removed = excluded.is_removed`,
      [tx.tenantId, typeId, JSON.stringify(rows)],
    );
  }

  /**
   * Returns the first of these changes that affect a value of a document, including documents in the bin; at
   * most {@link MAX_REPORTED}. The type must be locked.
   */
  async inUse(tx: TenantTransaction, breakingChanges: readonly BreakingChange[]): Promise<BreakingChange[]> {
    if (breakingChanges.length === 0) return [];
    const used = await tx.query<{ index: number }>(
      `SELECT w.index::int AS index
         FROM unnest($2::uuid[], $3::text[]) WITH ORDINALITY AS w (field_id, option_key, index)
        WHERE CASE WHEN w.option_key IS NULL
          THEN EXISTS (SELECT FROM document_values v
                        WHERE v.tenant_id = $1 AND v.field_id = w.field_id AND v.reference_id IS NOT NULL)
          ELSE EXISTS (SELECT FROM document_values v
                        WHERE v.tenant_id = $1 AND v.field_id = w.field_id AND v.option_key = w.option_key) END
        ORDER BY w.index LIMIT ${MAX_REPORTED}`,
      [
        tx.tenantId,
        breakingChanges.map(({ fieldId }) => fieldId),
        breakingChanges.map(({ optionKey }) => optionKey),
      ],
    );
    return used.flatMap(({ index }) => breakingChanges[index - 1] ?? []);
  }
}
