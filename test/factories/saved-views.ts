import { newId } from '../../src/common/identifier.js';
import { nameKey } from '../../src/common/text.js';
import { type Actor } from '../support/actor.js';
import { type TestTenant } from '../support/tenant.js';
import { buildField, saveDocumentType } from './document-types.js';

export interface ConditionBody {
  readonly fieldKey: string;
  readonly operator: string;
  readonly value: string | null;
}

export interface FilterBody {
  readonly documentTypeId: string | null;
  readonly fileId: string | null;
  readonly tagIds: string[];
  readonly metadataConditions: ConditionBody[];
}

export interface SavedViewBody {
  readonly id: string;
  readonly name: string;
  readonly filter: FilterBody;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const NO_FILTER: FilterBody = {
  documentTypeId: null,
  fileId: null,
  tagIds: [],
  metadataConditions: [],
};

let count = 0;

/** Inserts a saved view directly, without an audit entry and without checking the filter. */
export async function saveView(
  tenant: TestTenant,
  { userId }: Actor,
  { name, filter = {} }: { name?: string; filter?: Partial<FilterBody> } = {},
): Promise<{ id: string; name: string; filter: FilterBody }> {
  const id = newId();
  count += 1;
  const given = name ?? `View ${count}`;
  const whole = { ...NO_FILTER, ...filter };
  await tenant.service.query(
    `INSERT INTO saved_views (tenant_id, id, owner_id, name, name_key, filter, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, now() - interval '1 hour', now() - interval '1 hour')`,
    [tenant.id, id, userId, given, nameKey(given), JSON.stringify(whole)],
  );
  return { id, name: given, filter: whole };
}

/** Includes a removed field. */
export function saveTypeWithAllFieldTypes(tenant: TestTenant): ReturnType<typeof saveDocumentType> {
  return saveDocumentType(tenant, {
    fields: [
      buildField('note'),
      buildField('count', { type: 'Number' }),
      buildField('due', { type: 'Date' }),
      buildField('money', { type: 'Money' }),
      buildField('state', { options: ['open', 'paid'] }),
      buildField('file', { referenceTarget: 'File' }),
      buildField('gone', { isRemoved: true }),
    ],
  });
}
