import { newId } from '../../src/common/identifier.js';
import { caseFold } from '../../src/common/text.js';
import { type TestTenant } from '../support/tenant.js';

export interface FieldBody {
  readonly key: string;
  readonly type: 'Text' | 'Number' | 'Date' | 'Money' | 'Enumeration' | 'Reference';
  readonly required: boolean;
  readonly labelDe: string;
  readonly labelEn: string;
  readonly options: { key: string; labelDe: string; labelEn: string }[] | null;
  readonly referenceTarget: string | null;
  readonly isRemoved?: boolean;
}

export type FieldOverrides = Partial<Omit<FieldBody, 'options'>> & {
  /** Keys, or complete options. */
  readonly options?: readonly (string | { key: string; labelDe: string; labelEn: string })[] | null;
};

/** A field as in requests and answers. The type is Text, or Enumeration with options, or Reference with a target. */
export function buildField(key: string, overrides: FieldOverrides = {}): FieldBody {
  const { options = null, referenceTarget = null, ...rest } = overrides;
  return {
    key,
    type: options ? 'Enumeration' : referenceTarget ? 'Reference' : 'Text',
    required: false,
    labelDe: `${key} auf Deutsch`,
    labelEn: `${key} in English`,
    options: options?.map((option) => (typeof option === 'string' ? buildOption(option) : option)) ?? null,
    referenceTarget,
    ...rest,
  };
}

export function buildOption(key: string) {
  return { key, labelDe: `${key} auf Deutsch`, labelEn: `${key} in English` };
}

let count = 0;

/** Inserts a document type directly, without an audit entry. */
export async function saveDocumentType(
  tenant: TestTenant,
  overrides: {
    key?: string;
    nameDe?: string;
    nameEn?: string;
    isActive?: boolean;
    fields?: readonly FieldBody[];
  } = {},
): Promise<{
  id: string;
  key: string;
  nameDe: string;
  nameEn: string;
  fields: FieldBody[];
  isActive: boolean;
}> {
  const { service } = tenant;
  const id = newId();
  count += 1;
  const { key = `type-${count}`, nameDe = `Art ${count}`, nameEn = `Type ${count}` } = overrides;
  const { isActive = true, fields = [] } = overrides;
  await service.query(
    `INSERT INTO document_types (tenant_id, id, key, name_de, name_en, sort_key, is_active, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() - interval '1 hour', now() - interval '1 hour')`,
    [tenant.id, id, key, nameDe, nameEn, caseFold(nameDe), isActive],
  );
  for (const [position, field] of fields.entries()) {
    await service.query(
      `INSERT INTO document_type_fields (tenant_id, id, document_type_id, key, position, type, is_required, label_de,
                                         label_en, options, reference_target, is_removed)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        tenant.id,
        newId(),
        id,
        field.key,
        position,
        field.type,
        field.required,
        field.labelDe,
        field.labelEn,
        field.options && JSON.stringify(field.options),
        field.referenceTarget,
        field.isRemoved === true,
      ],
    );
  }
  return { id, key, nameDe, nameEn, fields: [...fields], isActive };
}
