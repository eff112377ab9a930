import { createHash } from 'node:crypto';
import type pg from 'pg';
import { caseFold } from '../../src/common/text.js';
import { BUILT_IN_ROLES } from '../../src/common/vocabulary/built-in-roles.js';
import { seedWordVectors } from './texts.js';
import { SEED_WORDS } from './words.js';

/** Keys of the seed users. `guest` has the role Guest, all others are administrators. */
export const USERS = ['admin', 'other', 'listed', 'guest', 'clerk-1', 'clerk-2', 'clerk-3'] as const;
export type UserKey = (typeof USERS)[number];

const ROLE_OF: Readonly<Partial<Record<UserKey, string>>> = { guest: 'guest' };

export const FIELDS = [
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

export function seededId(name: string): string {
  const hex = createHash('md5').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

export const seedUserId = (user: UserKey) => seededId(`person ${user}`);
export const seedUserEmail = (user: UserKey) => `${user}@bench.example`;
export const tenantId = (slug: string) => seededId(`tenant ${slug}`);
export const roleId = (slug: string, role: string) => seededId(`role ${slug} ${role}`);
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
      [seedUserId(user), issuer, user, seedUserEmail(user), caseFold(seedUserEmail(user)), caseFold(user)],
    );
  }
}

export async function seedWords(client: pg.Client): Promise<void> {
  await client.query(
    'CREATE TEMP TABLE IF NOT EXISTS bench_words (n integer PRIMARY KEY, word text, folded text, starts text[])',
  );
  await client.query(
    `INSERT INTO bench_words SELECT w.n, w.word, w.folded, w.starts
       FROM jsonb_to_recordset($1) AS w (n integer, word text, folded text, starts text[]) ON CONFLICT DO NOTHING`,
    [JSON.stringify(SEED_WORDS.map((word, n) => ({ n, ...word })))],
  );
  await seedWordVectors(client);
  await client.query('ANALYZE bench_words');
}

/** Inserts a tenant with roles, members, two file types, two document types with fields of all types, and tags. */
export async function seedTenant(client: pg.Client, slug: string): Promise<void> {
  const tenant = tenantId(slug);
  const insert = (table: string, row: Record<string, unknown>) =>
    client.query(
      `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
        .map((_, n) => `$${n + 1}`)
        .join(', ')})`,
      Object.values(row),
    );
  await insert('tenants', { id: tenant, name: `Tenant ${slug}` });
  await insert('tenant_slugs', { slug, tenant_id: tenant });
  for (const { key, name, permissions } of BUILT_IN_ROLES) {
    const row = {
      tenant_id: tenant,
      id: roleId(slug, key),
      key,
      name,
      name_key: caseFold(name),
      permissions,
    };
    await insert('roles', row);
  }
  for (const user of USERS) {
    const role = roleId(slug, ROLE_OF[user] ?? 'administrator');
    await insert('members', {
      tenant_id: tenant,
      user_id: seedUserId(user),
      role_id: role,
      first_called_at: new Date(),
    });
  }
  for (const index of [0, 1]) {
    const names = { name_de: `Art ${index}`, name_en: `Type ${index}`, sort_key: `art ${index}` };
    await insert('file_types', {
      tenant_id: tenant,
      id: fileTypeId(slug, index),
      key: `type${index}`,
      ...names,
    });
    const type = documentTypeId(slug, index);
    await insert('document_types', { tenant_id: tenant, id: type, key: `type${index}`, ...names });
    for (const [position, { key, type: kind }] of FIELDS.entries()) {
      await insert('document_type_fields', {
        ...{
          tenant_id: tenant,
          id: fieldId(slug, index, key),
          document_type_id: type,
          key,
          position,
          type: kind,
        },
        ...{ is_required: false, label_de: key, label_en: key },
        options:
          kind === 'Enumeration'
            ? JSON.stringify(CATEGORIES.map((option) => ({ key: option, labelDe: option, labelEn: option })))
            : null,
        reference_target: kind === 'Reference' ? 'File' : null,
      });
    }
  }
  for (let index = 0; index < TAGS; index += 1) {
    const name = `Tag ${index}`;
    await insert('tags', { tenant_id: tenant, id: tagId(slug, index), name, name_key: caseFold(name) });
  }
}
