import { Injectable } from '@nestjs/common';
import { caseFold } from '../../../common/text.js';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { type FieldView } from '../../document-types/document-types.reader.js';
import { type FieldValues } from '../document.entity.js';
import { type FieldValue } from './value-rules.js';
import { type ValueOfField } from './values-text.js';

/** The column of `document_values` for the type of the field; the other columns are null. */
interface ValueColumns {
  text_key?: string;
  number_value?: string;
  currency?: string;
  date_value?: string;
  option_key?: string;
  reference_id?: string;
}

@Injectable()
export class DocumentValuesRepository {
  /** Returns all values in the row of the document, including those of removed fields. */
  async stored(tx: TenantTransaction, documentId: string): Promise<FieldValues> {
    const [row] = await tx.query<{ fields: FieldValues }>(
      'SELECT d.fields FROM documents d WHERE d.tenant_id = $1 AND d.id = $2',
      [tx.tenantId, documentId],
    );
    return row?.fields ?? {};
  }

  /** Locks the next documents of a type with values, also of removed fields, the newest first. */
  lockOfType(
    tx: TenantTransaction,
    typeId: string,
    before: string,
    limit: number,
  ): Promise<{ id: string; fields: FieldValues }[]> {
    return tx.query(
      `SELECT d.id, d.fields FROM documents d
        WHERE d.tenant_id = $1 AND d.document_type_id = $2 AND d.id < $3 AND d.fields <> '{}'
        ORDER BY d.id DESC LIMIT $4 FOR SHARE`,
      [tx.tenantId, typeId, before, limit],
    );
  }

  /** Replaces the values of the document, except for those of the fields in `kept`. */
  async replace(
    tx: TenantTransaction,
    documentId: string,
    values: readonly ValueOfField[],
    kept: readonly string[],
  ): Promise<void> {
    await tx.query(
      'DELETE FROM document_values WHERE tenant_id = $1 AND document_id = $2 AND field_id <> ALL ($3::uuid[])',
      [tx.tenantId, documentId, kept],
    );
    await this.insert(tx, documentId, values);
  }

  async insert(tx: TenantTransaction, documentId: string, values: readonly ValueOfField[]): Promise<void> {
    if (values.length === 0) return;
    const rows = values.map(({ field, value }) => ({ field_id: field.id, ...columnsOf(field.type, value) }));
    await tx.query(
      `INSERT INTO document_values (tenant_id, document_id, field_id, created_at, text_key, number_value, currency,
                                    date_value, option_key, reference_id)
       SELECT d.tenant_id, d.id, v.field_id, d.created_at, v.text_key, v.number_value, v.currency, v.date_value,
              v.option_key, v.reference_id
         FROM documents d,
              jsonb_to_recordset($3) AS v (field_id uuid, text_key text, number_value numeric, currency text,
                                           date_value date, option_key text, reference_id uuid)
        WHERE d.tenant_id = $1 AND d.id = $2`,
      [tx.tenantId, documentId, JSON.stringify(rows)],
    );
  }
}

function columnsOf(type: FieldView['type'], value: FieldValue): ValueColumns {
  if (typeof value !== 'string') return { number_value: value.amount, currency: value.currency };
  switch (type) {
    case 'Text':
      return { text_key: caseFold(value) };
    case 'Number':
    case 'Money':
      return { number_value: value };
    case 'Date':
      return { date_value: value };
    case 'Enumeration':
      return { option_key: value };
    case 'Reference':
      return { reference_id: value };
  }
}
