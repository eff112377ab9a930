import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type AuditAction } from '../../../../src/common/vocabulary/audit.js';
import { EventLogRepository } from '../../../../src/platform/events/event-log.repository.js';
import { EventsReader } from '../../../../src/platform/events/events.reader.js';
import { SINGLE_SERVER } from '../../../../src/platform/database/transactions/database-layout.js';
import { type Statement } from '../../../../src/platform/database/transactions/tenant-batch.js';
import { type WriteTransaction } from '../../../../src/platform/database/transactions/tenant-transaction.js';
import { newId } from '../../../../src/common/identifier.js';
import { sequenced } from '../../events/event-log.js';
import { type TestTenant } from '../../../support/tenant.js';
import { QueryPlans, blocksOf, nodesOf } from './query-plans.js';

/** Enough rows for the planner to prefer an index. Set PLAN_ROWS to measure with more. */
const ROWS = Number(process.env.PLAN_ROWS ?? 50_000);

/** Queries run as the service role, for the largest tenant. */
describe('The statements on the event log of a large tenant', () => {
  const plans = new QueryPlans();
  let tenant: TestTenant;

  beforeAll(async () => {
    const [large, small] = [await plans.service.tenant(), await plans.service.tenant()];
    await fill(large, ROWS);
    await fill(small, 100);
    await plans.service.query('VACUUM ANALYZE audit_entries, documents, events, event_logs');
    tenant = large;
  });

  /** Every third event is about an existing document. Three events have the rare type. */
  async function fill(where: TestTenant, rows: number): Promise<void> {
    await sequenced(where);
    const { userId } = await where.as('viewer');
    await plans.service.query(
      `WITH added AS (
         INSERT INTO documents (tenant_id, id, title, status, is_confidential, created_by)
         SELECT $1, gen_random_uuid(), 'Title', 'Active', false, $3 FROM generate_series(1, $2::int / 3) n
         RETURNING id
       ), numbered AS (SELECT id, 3 * row_number() OVER () AS n FROM added),
       entries AS (
         INSERT INTO audit_entries (tenant_id, id, action, subject_type, subject_id, summary)
         SELECT $1, gen_random_uuid(), CASE WHEN n % ($2::int / 3) = 7 THEN 'DocumentRestored'
                                            WHEN n % 2 = 0 THEN 'DocumentDownloaded' ELSE 'DocumentUpdated' END,
                'Document', coalesce(d.id, gen_random_uuid()), 'Title'
           FROM generate_series(1, $2::int) n LEFT JOIN numbered d USING (n)
         RETURNING id, action
       )
       INSERT INTO events (tenant_id, sequence, entry_id, type)
       SELECT $1, row_number() OVER (), id, action FROM entries`,
      [where.id, rows, userId],
    );
    await plans.service.query('UPDATE event_logs SET next_sequence = $2 WHERE tenant_id = $1', [
      where.id,
      rows + 1,
    ]);
  }

  it.each<[string, AuditAction[] | null, number, string]>([
    ['no filter', null, 51, 'pk_events'],
    ['a frequent type', ['DocumentUpdated'], 51, 'ix_events_type'],
    ['a rare type', ['DocumentRestored'], 3, 'ix_events_type'],
    ['a type without events', ['TagDeleted'], 0, 'ix_events_type'],
    ['a frequent and a rare type', ['DocumentRestored', 'DocumentUpdated'], 51, 'ix_events_type'],
  ])('uses an index for %s, and reads only the events of the page', async (_, types, found, index) => {
    // The statement with types is planned for its values each time.
    for (const after of types ? [null] : [null, Math.floor(ROWS / 2)])
      for (const planFor of types ? (['these values'] as const) : (['these values', 'all values'] as const)) {
        const plan = await plans.plan(
          tenant.id,
          (tx) => new EventsReader().read(tx, { after, types, limit: 51 }),
          planFor,
        );
        const nodes = nodesOf(plan);
        const kinds = new Set(nodes.map((node) => node['Node Type']));
        expect([...kinds].filter((kind) => /Seq Scan|Hash/.test(kind))).toEqual([]);
        expect(nodes.map((node) => node['Index Name'])).toContain(index);
        expect(plan['Actual Rows']).toBe(found);
        // About ten blocks for each of 51 events: the event, its entry and its document.
        expect(blocksOf(plan)).toBeLessThan(900);
      }
  });

  it.each([
    ['short', 10],
    ['long', 50_000],
  ])('uses the index of the queue for the sequencer with the statistics of a %s one', async (_, rows) => {
    const owner = new pg.Client({ connectionString: plans.service.database.ownerUrl });
    await owner.connect();
    await owner.query('BEGIN');
    await owner.query(`SELECT set_config('app.tenant_id', $1, true)`, [tenant.id]);
    await owner.query(
      `INSERT INTO event_queue (tenant_id, entry_id)
       SELECT $1, gen_random_uuid() FROM generate_series(1, $2::int)`,
      [tenant.id, rows],
    );
    // The number of rows stays in the statistics; the sequencer sees none of them.
    await owner.query('ANALYZE event_queue');
    await owner.query('ROLLBACK');
    await owner.end();
    const sent: Statement[] = [];
    const tx = {
      tenantId: tenant.id,
      layout: SINGLE_SERVER,
      queryAll(statements: readonly Statement[]) {
        sent.push(...statements);
        return Promise.resolve(statements.map(() => []));
      },
    } as unknown as WriteTransaction;
    const log = new EventLogRepository();
    await log.lockHead(tx, 1000);
    const head = { next: 0, backfilledTime: null, backfilledId: null };
    await log.append(tx, head, [{ id: newId(), type: 'TagCreated' }]);
    const settings = sent.filter(({ text }) => text.startsWith('SET LOCAL'));
    const ofQueue = sent.filter(({ text }) => /FROM event_queue/.test(text));
    expect(ofQueue).toHaveLength(2);
    for (const statement of ofQueue) {
      const nodes = nodesOf(await plans.explain(tenant.id, statement, 'all values', '', settings));
      const scans = nodes.filter((node) => node['Relation Name'] === 'event_queue');
      expect(scans.at(-1)).toMatchObject({
        'Node Type': expect.stringMatching(/^Index (Only )?Scan$/),
        'Index Name': 'pk_event_queue',
      });
      // Outermost first. The batch is read in the order of the index, and sorted after the limit.
      const kinds = nodes.map((node) => node['Node Type']).filter((kind) => /^(Sort|Limit)$/.test(kind));
      expect(kinds).toEqual(statement.text.startsWith('SELECT') ? ['Sort', 'Limit'] : []);
    }
  });
});
