import { expect, it } from '@jest/globals';
import { NIL_ID } from '../../../../src/common/identifier.js';
import { describeMigration } from './migration.js';

/** The sequencer does the rest in the background: test/platform/events/event-sequencer-spec.ts */
describeMigration('Events1795478500000', (database) => {
  it('gives each existing tenant an empty log, and marks its entries as without sequence', async () => {
    const tenants = [await database.insertTenant(), await database.insertTenant()];
    for (const id of tenants)
      await database.query(
        `INSERT INTO audit_entries (tenant_id, id, action, subject_type, subject_id)
         VALUES ($1, gen_random_uuid(), 'TagCreated', 'Tag', gen_random_uuid())`,
        [id],
      );

    await database.migrate();

    const rows = await database.query(
      `SELECT tenant_id, l.next_sequence::int, l.backfilled_id, q.entry_id, e.related
         FROM event_logs l JOIN event_queue q USING (tenant_id) JOIN audit_entries e USING (tenant_id)
        ORDER BY tenant_id`,
    );
    expect(rows).toEqual(
      tenants.sort().map((tenant_id) => ({
        tenant_id,
        next_sequence: 0,
        backfilled_id: null,
        entry_id: NIL_ID,
        related: {},
      })),
    );
  });
});
