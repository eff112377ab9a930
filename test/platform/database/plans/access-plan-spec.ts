import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Position } from '../../../../src/platform/database/paging/cursor-codec.js';
import { AccessRepository, type AccessSubject } from '../../../../src/resources/access/access.repository.js';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocument } from '../../../factories/documents.js';
import { saveFile, saveFileType } from '../../../factories/files.js';
import { saveRole, setMemberRole } from '../../../factories/roles.js';
import { type Actor } from '../../../support/actor.js';
import { type TestTenant } from '../../../support/tenant.js';
import { QueryPlans, blocksOf, callerWith } from './query-plans.js';

/** Number of members. Set PLAN_ROWS to measure with more. */
const ROWS = Number(process.env.PLAN_ROWS ?? 10_000);
const ROLES = 20;
const GRANTS = 1000;

/**
 * Each role has a twentieth of the members. No role but one can see all files; a role has grants on a thousand files;
 * and a tenth of the members have grants on another file.
 */
describe('The query for a page of the members who can read a file or a document', () => {
  const plans = new QueryPlans();
  let tenant: TestTenant;
  let admin: Actor;
  let file: { id: string };
  let document: { id: string };
  beforeAll(async () => {
    tenant = await plans.service.tenant();
    admin = await tenant.as('administrator');
    const grantee = await tenant.as('viewer');
    const roles: string[] = [];
    for (let n = 0; n < ROLES; n += 1)
      roles.push(
        (await saveRole(tenant, n === 0 ? ['documents.read', 'files.read'] : ['documents.read'])).id,
      );
    await setMemberRole(tenant, grantee, roles[1] ?? '');
    await plans.service.query(
      `WITH added AS (
         INSERT INTO users (id, issuer, subject, email, display_name, name_key)
         SELECT gen_random_uuid(), 'https://issuer.example', 'large-' || n, NULL, 'Member ' || md5(n::text), 'member ' || md5(n::text)
           FROM generate_series(1, $3::int) n RETURNING id, substr(subject, 7)::int AS n)
       INSERT INTO members (tenant_id, user_id, role_id, first_called_at)
       SELECT $1, id, ($2::uuid[])[1 + n % ${ROLES}], now() FROM added`,
      [tenant.id, roles, ROWS],
    );
    const fileTypeId = (await saveFileType(tenant)).id;
    file = await saveFile(tenant, admin, { fileTypeId });
    const other = await saveFile(tenant, admin, { fileTypeId });
    document = await saveDocument(tenant, admin, { fileIds: [file.id, other.id] });
    await plans.service.query(
      `WITH added AS (
         INSERT INTO files (tenant_id, id, file_type_id, number, number_key, name, search_text, search_starts, created_by)
         SELECT $1, gen_random_uuid(), $2, 'X-' || n, 'x-' || n, 'File', '', '{}', $3
           FROM generate_series(1, $4::int) n RETURNING id, created_at)
       INSERT INTO access_grants (tenant_id, id, subject_type, subject_id, target_type, target_id, target_created_at,
                                  level, created_by)
       SELECT $1, gen_random_uuid(), 'Role', $5::uuid, 'File', id, created_at, 'Read', $3 FROM added`,
      [tenant.id, fileTypeId, admin.userId, GRANTS - 1, roles[1]],
    );
    await saveAccessGrant(tenant, grantee, { file: file.id }, { toRole: true });
    await plans.service.query(
      `INSERT INTO access_grants (tenant_id, id, subject_type, subject_id, target_type, target_id, target_created_at,
                                  level, created_by)
       SELECT $1, gen_random_uuid(), 'User', m.user_id, 'File', f.id, f.created_at, 'Write', $3
         FROM members m JOIN files f ON f.tenant_id = m.tenant_id AND f.id = $2
        WHERE m.tenant_id = $1 ORDER BY m.user_id LIMIT $4`,
      [tenant.id, other.id, admin.userId, ROWS / 10],
    );
    await plans.service.query(
      'VACUUM ANALYZE users, members, roles, files, documents, document_files, access_grants',
    );
  }, 600_000);

  const explain = (
    subject: AccessSubject,
    after: Position | null,
    planFor: 'these values' | 'all values',
  ) => {
    const permissions = ['files.read', 'documents.read', 'accessGrants.read', 'members.read'] as const;
    const caller = callerWith(tenant, permissions, { userId: admin.userId });
    return plans.plan(
      tenant.id,
      (tx) => plans.service.app.get(AccessRepository).listReaders(tx, caller, subject, after, 50),
      planFor,
    );
  };

  /** Blocks by type of the subject. The names of a twentieth and of a tenth of the members are read by index. */
  const BLOCKS = {
    // Most roles and members have no grant on the file: no query for each of them.
    File: 200 + 0.6 * ROWS,
    // A tenth of the members has a grant: for each of them, membership and role are read by index.
    Document: 2000 + 1.5 * ROWS,
  };

  it.each(['these values', 'all values'] as const)(
    'evaluates the condition for roles and for members with grants only, planned for %s',
    async (planFor) => {
      for (const subject of [
        { type: 'File', id: file.id },
        { type: 'Document', id: document.id },
      ] as const)
        for (const after of [null, ['member 8', admin.userId]]) {
          const plan = await explain(subject, after, planFor);
          expect(plan['Actual Rows']).toBe(51);
          expect(blocksOf(plan)).toBeLessThan(BLOCKS[subject.type]);
        }
    },
  );
});
