import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { newId } from '../../src/common/identifier.js';
import { type TenantTransaction } from '../../src/database/tenant-transaction.js';
import { FilesRepository, type FileFilter } from '../../src/files/files.repository.js';
import { Caller } from '../../src/tenancy/caller.js';
import { type Permission } from '../../src/vocabulary/permissions.js';
import { saveAccessGrant } from '../factories/access-grants.js';
import { saveFileType } from '../factories/files.js';
import { type Actor } from '../support/actor.js';
import { TestService } from '../support/service.js';
import { type TestTenant } from '../support/tenant.js';

/** Enough for the planner to see a difference; raise it to measure. */
const ROWS = Number(process.env.PLAN_ROWS ?? 30_000);

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

/** A large tenant, as the role that serves sees it for somebody with `files.read`, or with grants alone. */
describe('A page of the files of a large tenant', () => {
  let service: TestService;
  let client: pg.Client;
  let tenant: TestTenant;
  let guest: Actor;
  let rareTypeId: string;
  beforeAll(async () => {
    service = await TestService.start();
    tenant = await service.tenant();
    guest = await tenant.as('guest');
    const [common, rare] = [await saveFileType(tenant), await saveFileType(tenant)];
    rareTypeId = rare.id;
    await fill(tenant, common.id, ROWS, 1);
    await fill(tenant, rareTypeId, 100, 300 * ROWS);
    const small = await service.tenant();
    await fill(small, (await saveFileType(small)).id, 100, 1);
    // The three eldest but for those of the rare type, all of which are elder.
    const eldest = await service.query<{ id: string }>(
      'SELECT id FROM files WHERE tenant_id = $1 AND file_type_id = $2 ORDER BY created_at LIMIT 3',
      [tenant.id, common.id],
    );
    for (const { id } of eldest) await saveAccessGrant(tenant, guest, { file: id });
    await saveAccessGrant(tenant, guest, { fileType: rareTypeId }, { toRole: true });
    await service.query('VACUUM ANALYZE files, access_grants');
    client = new pg.Client({ connectionString: service.database.serviceUrl });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await service.stop();
  });

  /** Files a second apart, the youngest so many seconds old. */
  async function fill(where: TestTenant, typeId: string, rows: number, age: number): Promise<void> {
    await service.query(
      `INSERT INTO files (tenant_id, id, file_type_id, number, number_key, name, search_text, search_starts, created_by,
                          created_at)
       SELECT $1, gen_random_uuid(), $2::uuid, n || ($2::uuid)::text, n || ($2::uuid)::text, 'File', n || E'\\nfile', '{f,fi}', $3,
              now() - ($4::int + n) * interval '1 second'
         FROM generate_series(1, $5::int) n`,
      [where.id, typeId, (await where.as('viewer')).userId, age, rows],
    );
  }

  /** Blocks that the repository's own statement reads, and files that it finds. */
  async function read(
    permissions: readonly Permission[],
    filter: FileFilter,
  ): Promise<{ blocks: number; found: number }> {
    const caller = new Caller(
      { id: guest.userId, email: null, emailVerified: false, displayName: null },
      {
        tenant: { id: tenant.id, slug: tenant.slug, name: 'Large' },
        role: { id: await tenant.roleId('guest'), key: null, name: 'Role' },
        permissions: new Set(permissions),
        version: 1,
        limits: { perMinute: null, burst: null },
      },
      () => Promise.reject(new Error('Nobody asks for the rights')),
    );
    let statement = { text: '', values: [] as readonly unknown[] };
    const tx = {
      tenantId: tenant.id,
      query: (text: string, values: readonly unknown[]) => {
        statement = { text, values };
        return Promise.resolve([]);
      },
    } as unknown as TenantTransaction;
    await new FilesRepository(service.app.get(DataSource)).list(tx, caller, filter, null, 50);
    const values = [...statement.values];
    await client.query('BEGIN');
    await client.query(`SELECT set_config('app.tenant_id', $1, true)`, [tenant.id]);
    const { rowCount } = await client.query(statement.text, values);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`,
      values,
    );
    await client.query('ROLLBACK');
    const { Plan: plan } = rows[0]?.['QUERY PLAN'][0] ?? { Plan: undefined };
    return {
      blocks: (plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN),
      found: rowCount ?? 0,
    };
  }

  it.each<[string, readonly Permission[], () => FileFilter, number]>([
    ['who sees all', ['files.read'], () => ({}), 51],
    ['who sees all, of a type', ['files.read'], () => ({ fileTypeId: rareTypeId }), 51],
    ['who sees granted files', [], () => ({}), 51],
    ['who sees granted files, of a type', [], () => ({ fileTypeId: rareTypeId }), 51],
    ['who sees granted files, none of which is closed', [], () => ({ status: 'Closed' }), 0],
    ['who sees granted files, none of which has such a type', [], () => ({ fileTypeId: newId() }), 0],
  ])('reads no more than it shows, for somebody %s', async (_, permissions, filter, found) => {
    const result = await read(permissions, filter());
    expect(result.found).toBe(found);
    expect(result.blocks).toBeLessThan(400);
  });
});
