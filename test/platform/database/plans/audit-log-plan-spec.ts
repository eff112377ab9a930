import { beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import {
  AuditLogRepository,
  type AuditFilter,
} from '../../../../src/resources/audit-log/audit-log.repository.js';
import { newId } from '../../../../src/common/identifier.js';
import { type TestTenant } from '../../../support/tenant.js';
import { QueryPlans, blocksOf, callerWith, nodesOf } from './query-plans.js';

/** Enough rows for the planner to prefer an index. Set PLAN_ROWS to measure with more. */
const ROWS = Number(process.env.PLAN_ROWS ?? 30_000);

/** The table has tenants of very different sizes. Queries run as the service role, for the largest tenant. */
describe('The query for a page of the audit log of a large tenant', () => {
  const plans = new QueryPlans();
  let tenant: TestTenant;
  const actors = Array.from({ length: 20 }, () => newId());
  const [absent = ''] = actors.splice(0, 1);

  beforeAll(async () => {
    const [large, middle, small] = [
      await plans.service.tenant(),
      await plans.service.tenant(),
      await plans.service.tenant(),
    ];
    await fill(large, ROWS);
    await fill(middle, ROWS / 5);
    await fill(small, 100);
    await plans.service.query('VACUUM ANALYZE audit_entries, documents');
    tenant = large;
  });

  /** Creates entries at intervals of 90 seconds, from the start of 2026. Every third entry has an existing document. */
  async function fill(where: TestTenant, rows: number): Promise<void> {
    const { userId } = await where.as('viewer');
    await plans.service.query(
      `WITH added AS (
         INSERT INTO documents (tenant_id, id, title, status, is_confidential, created_by)
         SELECT $1, gen_random_uuid(), 'Title', 'Active', n % 10 = 0, $3
           FROM generate_series(1, $2::int / 3) n
         RETURNING id
       ), numbered AS (SELECT id, 3 * row_number() OVER () AS n FROM added)
       INSERT INTO audit_entries (tenant_id, id, occurred_at, actor_id, action, subject_type, subject_id, summary)
       SELECT $1, gen_random_uuid(), timestamptz '2026-01-01Z' + n * interval '90 seconds',
              ($4::uuid[])[1 + (n * 7 + n / 13) % 19],
              CASE WHEN n % ($2::int / 10) = 7 THEN 'DocumentRestored'
                   WHEN n % 3 = 0 THEN 'DocumentDownloaded'
                   ELSE 'DocumentUpdated' END,
              'Document', coalesce(d.id, gen_random_uuid()), 'Title'
         FROM generate_series(1, $2::int) n LEFT JOIN numbered d USING (n)`,
      [where.id, rows, userId, actors],
    );
  }

  const explain = (filter: AuditFilter, after: [string, string] | null) =>
    plans.plan(tenant.id, (tx) =>
      new AuditLogRepository(plans.service.app.get(DataSource)).list(
        tx,
        callerWith(tenant, ['auditLog.read']),
        filter,
        after,
        50,
      ),
    );

  const actor = actors[3];
  const from = '2026-01-02T00:00:00.000Z';
  const to = '2026-01-03T00:00:00.000Z';
  it.each<[string, AuditFilter, string]>([
    ['no filter', {}, 'ix_audit_entries_occurred'],
    ['a time', { from, to }, 'ix_audit_entries_occurred'],
    ['a frequent action', { action: 'DocumentUpdated' }, 'ix_audit_entries_action'],
    ['a rare action', { action: 'DocumentRestored' }, 'ix_audit_entries_action'],
    ['an unknown action', { action: 'DocumentEaten' }, 'ix_audit_entries_action'],
    ['an action and a time', { action: 'DocumentUpdated', to }, 'ix_audit_entries_action'],
    ['an actor', { actorId: actor }, 'ix_audit_entries_actor_id'],
    ['an actor and a time', { actorId: actor, from, to }, 'ix_audit_entries_actor_id'],
    ['an unknown actor', { actorId: absent }, 'ix_audit_entries_actor_id'],
    ['a subject', { subjectId: newId() }, 'ix_audit_entries_subject_id'],
    ['a subject and an actor', { subjectId: newId(), actorId: actor }, 'ix_audit_entries_subject_id'],
    ['a frequent action of an actor', { action: 'DocumentUpdated', actorId: actor }, 'ix_audit_entries_'],
    ['a rare action of an actor', { action: 'DocumentRestored', actorId: actor }, 'ix_audit_entries_action'],
    [
      'a frequent action of an unknown actor',
      { action: 'DocumentUpdated', actorId: absent },
      'ix_audit_entries_actor',
    ],
  ])(
    'uses an index for %s, and reads only the entries of the page, on any page',
    async (_, filter, index) => {
      for (const after of [null, ['2026-01-05T00:00:00.000Z', newId()] as [string, string]]) {
        const plan = await explain(filter, after);
        const nodes = nodesOf(plan);
        const kinds = new Set(nodes.map((node) => node['Node Type']));
        expect([...kinds].filter((kind) => /Seq Scan|Sort|Bitmap|Hash/.test(kind))).toEqual([]);
        expect(nodes.find((node) => node['Index Name'])?.['Index Name']).toContain(index);
        // About ten blocks for each of 51 entries: the entry and its document.
        expect(blocksOf(plan)).toBeLessThan(600);
      }
    },
  );
});
