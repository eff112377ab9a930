import { caseFold } from '../../src/common/text.js';
import { BUILT_IN_ROLES } from '../../src/common/vocabulary/built-in-roles.js';
import { BUILT_IN_ROLES_VERSION } from '../../src/platform/database/schema/built-in-roles.js';
import { ACCESS_VERSIONS } from '../../src/platform/database/transactions/database-layout.js';
import { withClient } from '../database.js';
import { type LoadRequest } from '../load.js';
import { fileNumber } from '../seed/rows.js';
import { seedUserId, seedUsers, seedWords, seededId } from '../seed/tenants.js';
import { THREE_WORDS } from '../seed/words.js';

export interface ManyTenants {
  readonly tenants: number;
  readonly filesPerTenant: number;
}

export const MANY_TENANTS: ManyTenants = { tenants: 10_000, filesPerTenant: 100 };
/** For a run with few, short rounds. */
export const QUICK_MANY_TENANTS: ManyTenants = { tenants: 200, filesPerTenant: 100 };

export interface ScaleLoad {
  readonly status: number;
  readonly next: () => LoadRequest;
}

const slug = (tenant: number) => `many-${String(tenant).padStart(6, '0')}`;
const SLUG = `'many-' || lpad(t::text, 6, '0')`;
const base = (tenant: number) => `/api/v1/t/${slug(tenant)}`;

/** SQL of the same id as `seededId` in ../seed/tenants.ts. */
const idSql = (name: string) =>
  `overlay(overlay(md5(${name}) PLACING '7' FROM 13 FOR 1) PLACING '8' FROM 17 FOR 1)::uuid`;
const TENANT = idSql(`'tenant ' || ${SLUG}`);
const FILE_TYPE = idSql(`'file type ' || ${SLUG} || ' 0'`);
const FILE_NUMBER = `'AZ-' || (2020 + i % 7) || '/' || lpad(i::text, 8, '0')`;
const CREATED_AT = `(timestamptz '2025-01-01 00:00:00+00' + t * interval '1 ms' + i * interval '1 hour')`;

/** The request that a service answers with 200 when it is ready. */
export const MANY_TENANTS_PROBE = `${base(1)}/files?limit=50`;

/** Fills an empty schema, distributed or not, with tenants that have one member, one file type and files. */
export async function seedManyTenants(ownerUrl: string, issuer: string, size: ManyTenants): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    await seedUsers(client, issuer);
    await seedWords(client);
    const tenants = `generate_series(1, ${size.tenants}) t`;
    const insert = (into: string, select: string, values: unknown[] = []) =>
      client.query(`INSERT INTO ${into} SELECT ${select}`, values);
    await insert('tenants (id, name, built_in_roles)', `${TENANT}, ${SLUG}, $1 FROM ${tenants}`, [
      BUILT_IN_ROLES_VERSION,
    ]);
    await insert('tenant_slugs (slug, tenant_id)', `${SLUG}, ${TENANT} FROM ${tenants}`);
    const distributed = await client.query(
      `SELECT FROM pg_class WHERE oid = to_regclass('${ACCESS_VERSIONS}')`,
    );
    if (distributed.rowCount) await insert(`${ACCESS_VERSIONS} (tenant_id)`, `${TENANT} FROM ${tenants}`);
    for (const { key, name, permissions } of BUILT_IN_ROLES) {
      await insert(
        'roles (tenant_id, id, key, name, name_key, permissions)',
        `${TENANT}, ${idSql(`'role ' || ${SLUG} || ' ${key}'`)}, $1, $2, $3, $4::text[] FROM ${tenants}`,
        [key, name, caseFold(name), permissions],
      );
    }
    await insert(
      'members (tenant_id, user_id, role_id, first_called_at)',
      `${TENANT}, $1::uuid, ${idSql(`'role ' || ${SLUG} || ' administrator'`)}, now() FROM ${tenants}`,
      [seedUserId('admin')],
    );
    await insert(
      'file_types (tenant_id, id, key, name_de, name_en, sort_key)',
      `${TENANT}, ${FILE_TYPE}, 'type0', 'Art 0', 'Type 0', 'type 0' FROM ${tenants}`,
    );
    await insert(
      `files (tenant_id, id, file_type_id, number, number_key, name, status, search_text, search_starts, created_by,
              created_at, updated_at)`,
      `${TENANT}, ${idSql(`'file ' || ${SLUG} || ' ' || i`)}, ${FILE_TYPE}, ${FILE_NUMBER}, lower(${FILE_NUMBER}),
       w1.word || ' ' || w2.word || ' ' || w3.word, 'Open',
       lower(${FILE_NUMBER}) || E'\\n' || w1.folded || ' ' || w2.folded || ' ' || w3.folded,
       ARRAY(SELECT DISTINCT s FROM unnest(ARRAY['a', 'az'] || w1.starts || w2.starts || w3.starts) s),
       $1::uuid, ${CREATED_AT}, ${CREATED_AT}
       FROM ${tenants} CROSS JOIN generate_series(1, ${size.filesPerTenant}) i ${THREE_WORDS}`,
      [seedUserId('admin')],
    );
    // VACUUM also creates the visibility map, as in a database that has run for some time.
    await client.query('VACUUM (ANALYZE) tenants, tenant_slugs, roles, members, file_types, files');
  });
}

/**
 * Number of tenants that are active during the measurement. The round for warming up is long enough that every process
 * has read their rights once.
 */
const ACTIVE_TENANTS = 200;

let sent = 0;

/** Requests to the active tenants, which are spread over all tenants. */
export function manyTenantsLoads(size: ManyTenants): Readonly<Record<string, ScaleLoad>> {
  // Prime steps visit every tenant and every file before they repeat one.
  const next = () => {
    sent += 1;
    const active = sent % ACTIVE_TENANTS;
    return { tenant: 1 + ((active * 7919) % size.tenants), file: 1 + ((sent * 31) % size.filesPerTenant) };
  };
  const get = (path: string): LoadRequest => ({ method: 'GET', path });
  return {
    ListFiles: { status: 200, next: () => get(`${base(next().tenant)}/files?limit=50`) },
    GetFile: {
      status: 200,
      next: () => {
        const { tenant, file } = next();
        return get(`${base(tenant)}/files/${seededId(`file ${slug(tenant)} ${file}`)}`);
      },
    },
    CreateFile: {
      status: 201,
      next: () => {
        const { tenant } = next();
        const body = {
          fileTypeId: seededId(`file type ${slug(tenant)} 0`),
          number: `NEW-${process.pid}-${Date.now()}-${fileNumber(sent)}`,
          name: 'Neubau Feuerwache Nord, zweiter Bauabschnitt',
        };
        return { method: 'POST', path: `${base(tenant)}/files`, body: JSON.stringify(body) };
      },
    },
  };
}
