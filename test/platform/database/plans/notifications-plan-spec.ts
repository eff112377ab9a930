import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../../../src/common/identifier.js';
import { NotificationsRepository } from '../../../../src/resources/notifications/notifications.repository.js';
import { type Permission } from '../../../../src/common/vocabulary/permissions.js';
import { type TestTenant } from '../../../support/tenant.js';
import { QueryPlans, type PlanFor, blocksOf, callerWith, nodesOf } from './query-plans.js';

/** Enough rows for the planner to prefer an index. Set PLAN_ROWS to measure with more. */
const ROWS = Number(process.env.PLAN_ROWS ?? 30_000);

interface Reading {
  readonly permissions: readonly Permission[];
  readonly unreadOnly: boolean;
  readonly after: [string, string] | null;
  readonly planFor: PlanFor;
}

/** One user has nearly all notifications of a tenant with equally many documents. Queries run as the service role. */
describe('The query for a page of notifications of a user with very many', () => {
  const plans = new QueryPlans();
  let tenant: TestTenant;
  let userId: string;
  beforeAll(async () => {
    tenant = await plans.service.tenant();
    userId = (await tenant.as('guest')).userId;
    await fill(tenant, userId, ROWS);
    const small = await plans.service.tenant();
    await fill(small, (await small.as('guest')).userId, 100);
    await fill(tenant, (await tenant.as('guest')).userId, 100);
    await plans.service.query(
      'VACUUM ANALYZE notifications, documents, document_files, files, access_grants',
    );
  }, 600_000);

  /**
   * Half of the notifications are about documents in files, a quarter about files, a quarter about neither. The user
   * has a grant on four fifths of the files, and has read four fifths of the notifications.
   */
  async function fill(where: TestTenant, user: string, rows: number): Promise<void> {
    const fileTypeId = newId();
    await plans.service.query(
      `INSERT INTO file_types (tenant_id, id, key, name_de, name_en, sort_key) VALUES ($1, $2, $3, 'Akte', 'Case', 'akte')`,
      [where.id, fileTypeId, `case-${fileTypeId}`],
    );
    await plans.service.query(
      `WITH numbered AS (SELECT n, gen_random_uuid() AS document_id, gen_random_uuid() AS file_id
                           FROM generate_series(1, $4::int) n),
            added_files AS (
         INSERT INTO files (tenant_id, id, file_type_id, number, number_key, name, status, search_text, search_starts, created_by)
         SELECT $1, file_id, $3, n::text || file_id, n::text || file_id, 'File', 'Open', '', '{}', $2
           FROM numbered WHERE n <= 100),
            added_grants AS (
         INSERT INTO access_grants (tenant_id, id, subject_type, subject_id, target_type, target_id, target_created_at,
                                    level, created_by)
         SELECT $1, gen_random_uuid(), 'User', $2, 'File', file_id, now(), 'Read', $2
           FROM numbered WHERE n <= 100 AND n % 5 > 0),
            added_documents AS (
         INSERT INTO documents (tenant_id, id, title, status, is_confidential, created_by)
         SELECT $1, document_id, 'Title', 'Active', false, $5 FROM numbered),
            added_links AS (
         INSERT INTO document_files (tenant_id, document_id, file_id, created_at, file_type_id)
         SELECT $1, d.document_id, f.file_id, now(), $3 FROM numbered d JOIN numbered f ON f.n = 1 + d.n % 100)
       INSERT INTO notifications (tenant_id, id, user_id, type, parameters, document_id, file_id, created_at, read_at)
       SELECT $1, gen_random_uuid(), $2, CASE WHEN d.n % 4 > 1 THEN 'DocumentFiled' WHEN d.n % 4 > 0 THEN 'FileClosed' ELSE 'RoleChanged' END,
              '{}', CASE WHEN d.n % 4 > 1 THEN d.document_id END, CASE WHEN d.n % 4 > 0 THEN f.file_id END,
              timestamptz '2026-01-01Z' + d.n * interval '90 seconds', CASE WHEN d.n % 5 > 0 THEN now() END
         FROM numbered d JOIN numbered f ON f.n = 1 + d.n % 100`,
      [where.id, user, fileTypeId, rows, (await where.as('viewer')).userId],
    );
  }

  const explain = ({ permissions, unreadOnly, after, planFor }: Reading) =>
    plans.plan(
      tenant.id,
      (tx) =>
        plans.service.app
          .get(NotificationsRepository)
          .list(tx, callerWith(tenant, permissions, { userId }), unreadOnly, after, 50),
      planFor,
    );

  const cases = (['these values', 'all values'] as const).flatMap((planFor) =>
    [true, false].flatMap((unreadOnly) =>
      [null, ['2026-01-08T00:00:00.000Z', newId()] as [string, string]].map((after) => ({
        planFor,
        unreadOnly,
        after,
      })),
    ),
  );

  it.each<[string, Reading['permissions']]>([
    ['with files.read', ['files.read', 'documents.read']],
    ['with grants only', ['documents.read']],
    ['without any permission', []],
  ])('uses an index, and reads few additional rows, on any page: %s', async (_, permissions) => {
    for (const reading of cases) {
      const plan = await explain({ permissions, ...reading });
      const nodes = nodesOf(plan);
      const found = nodes
        .filter((node) => /Seq Scan|Sort|Bitmap Heap|Hash/.test(node['Node Type']))
        // A user has few grants, in few blocks.
        .filter((node) => node['Relation Name'] !== 'access_grants');
      expect(found.map((node) => node['Node Type'])).toEqual([]);
      const index = reading.unreadOnly ? 'ix_notifications_unread' : 'ix_notifications_user';
      expect(nodes.find((node) => node['Index Name'])?.['Index Name']).toBe(index);
      // About ten blocks for each of 51 rows, and as many for each grant that is checked.
      expect(blocksOf(plan)).toBeLessThan(1500);
    }
  });
});
