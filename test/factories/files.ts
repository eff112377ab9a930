import { newId } from '../../src/common/identifier.js';
import { caseFold, nameKey } from '../../src/common/text.js';
import { fileSearchKeys } from '../../src/resources/files/file-search.js';
import { type Actor } from '../support/actor.js';
import { type TestTenant } from '../support/tenant.js';

let count = 0;

/** Inserts a file type directly, without an audit entry. */
export async function saveFileType(
  tenant: TestTenant,
  overrides: { id?: string; key?: string; nameDe?: string; nameEn?: string } = {},
): Promise<{ id: string; key: string; nameDe: string; nameEn: string }> {
  count += 1;
  const {
    id = newId(),
    key = `type-${count}`,
    nameDe = `Art ${count}`,
    nameEn = `Type ${count}`,
  } = overrides;
  await tenant.service.query(
    `INSERT INTO file_types (tenant_id, id, key, name_de, name_en, sort_key) VALUES ($1, $2, $3, $4, $5, $6)`,
    [tenant.id, id, key, nameDe, nameEn, caseFold(nameDe)],
  );
  return { id, key, nameDe, nameEn };
}

export interface FileOverrides {
  readonly id?: string;
  readonly fileTypeId?: string;
  readonly number?: string;
  readonly name?: string;
  readonly status?: 'Open' | 'Closed';
  /** ISO 8601; now by default. */
  readonly createdAt?: string;
}

/** Inserts a file directly, without audit entry and notification. */
export async function saveFile(
  tenant: TestTenant,
  creator: Actor,
  overrides: FileOverrides = {},
): Promise<{ id: string; fileTypeId: string; number: string; name: string }> {
  count += 1;
  const {
    id = newId(),
    number = `N-${count}`,
    name = `File ${count}`,
    status = 'Open',
    createdAt = null,
  } = overrides;
  const fileTypeId = overrides.fileTypeId ?? (await saveFileType(tenant)).id;
  const { searchText, searchStarts } = fileSearchKeys(number, name);
  await tenant.service.query(
    `INSERT INTO files (tenant_id, id, file_type_id, number, number_key, name, status, search_text, search_starts,
                        created_by, created_at, updated_at, closed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, coalesce($11, now()), coalesce($11, now()),
             CASE WHEN $7 = 'Closed' THEN now() END)`,
    [
      tenant.id,
      id,
      fileTypeId,
      number,
      nameKey(number),
      name,
      status,
      searchText,
      searchStarts,
      creator.userId,
      createdAt,
    ],
  );
  return { id, fileTypeId, number, name };
}
