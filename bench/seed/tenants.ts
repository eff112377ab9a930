import { createHash } from 'node:crypto';
import type pg from 'pg';
import { caseFold } from '../../src/common/text.js';
import { BUILT_IN_ROLES } from '../../src/common/vocabulary/built-in-roles.js';
import { emailOf } from '../environment.js';

/** Keys of the seed users. `guest` has the role Guest, all others are administrators. */
const USERS = ['admin', 'other', 'listed', 'guest', 'clerk-1', 'clerk-2', 'clerk-3'] as const;
export type UserKey = (typeof USERS)[number];

const ROLE_OF: Readonly<Partial<Record<UserKey, string>>> = { guest: 'guest' };

const FIELDS = [
  { key: 'subject', type: 'Text' },
  { key: 'quantity', type: 'Number' },
  { key: 'received', type: 'Date' },
  { key: 'total', type: 'Money' },
  { key: 'category', type: 'Enumeration' },
  { key: 'related', type: 'Reference' },
] as const;
export type FieldKey = (typeof FIELDS)[number]['key'];

export const CATEGORIES = ['building', 'finance', 'legal', 'staff', 'other'] as const;
export const TAGS = 20;

function seededId(name: string): string {
  const hex = createHash('md5').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

export const seedUserId = (user: UserKey) => seededId(`person ${user}`);
export const tenantId = (slug: string) => seededId(`tenant ${slug}`);
const roleId = (slug: string, role: string) => seededId(`role ${slug} ${role}`);
export const fileTypeId = (slug: string, index: number) => seededId(`file type ${slug} ${index}`);
export const documentTypeId = (slug: string, index: number) => seededId(`document type ${slug} ${index}`);
export const fieldId = (slug: string, index: number, key: FieldKey) =>
  seededId(`field ${slug} ${index} ${key}`);
export const tagId = (slug: string, index: number) => seededId(`tag ${slug} ${index}`);

/** Inserts the users, or changes their issuer: its URL differs in each run. */
export async function seedUsers(client: pg.Client, issuer: string): Promise<void> {
  for (const user of USERS) {
    await client.query(
      `INSERT INTO users (id, issuer, subject, email, email_key, email_verified, display_name, name_key)
       VALUES ($1, $2, $3, $4, $5, true, $3, $6) ON CONFLICT (id) DO UPDATE SET issuer = excluded.issuer`,
      [seedUserId(user), issuer, user, emailOf(user), caseFold(emailOf(user)), caseFold(user)],
    );
  }
}

/** Inserts a tenant with roles, members, two file types, two document types with fields of all types, and tags. */
export async function seedTenant(client: pg.Client, slug: string): Promise<void> {
  const tenant = tenantId(slug);
  await client.query('INSERT INTO tenants (id, name) VALUES ($1, $2)', [tenant, `Tenant ${slug}`]);
  const insert = (table: string, row: Record<string, unknown>) => {
    const columns = ['tenant_id', ...Object.keys(row)];
    const places = columns.map((_, n) => `$${n + 1}`);
    return client.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})`, [
      tenant,
      ...Object.values(row),
    ]);
  };
  await insert('tenant_slugs', { slug });
  for (const { key, name, permissions } of BUILT_IN_ROLES)
    await insert('roles', { id: roleId(slug, key), key, name, name_key: caseFold(name), permissions });
  for (const user of USERS) {
    const role = roleId(slug, ROLE_OF[user] ?? 'administrator');
    await insert('members', { user_id: seedUserId(user), role_id: role, first_called_at: new Date() });
  }
  const options = CATEGORIES.map((option) => ({ key: option, labelDe: option, labelEn: option }));
  for (const index of [0, 1]) {
    const names = {
      key: `type${index}`,
      name_de: `Art ${index}`,
      name_en: `Type ${index}`,
      sort_key: `art ${index}`,
    };
    const type = documentTypeId(slug, index);
    await insert('file_types', { id: fileTypeId(slug, index), ...names });
    await insert('document_types', { id: type, ...names });
    for (const [position, { key, type: kind }] of FIELDS.entries()) {
      await insert('document_type_fields', {
        ...{ id: fieldId(slug, index, key), document_type_id: type, key, position, type: kind },
        ...{ is_required: false, label_de: key, label_en: key },
        options: kind === 'Enumeration' ? JSON.stringify(options) : null,
        reference_target: kind === 'Reference' ? 'File' : null,
      });
    }
  }
  for (let index = 0; index < TAGS; index += 1) {
    const name = `Tag ${index}`;
    await insert('tags', { id: tagId(slug, index), name, name_key: caseFold(name) });
  }
}
