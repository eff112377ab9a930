import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NIL_ID } from '../../../../src/common/identifier.js';
import { MigratedDatabase } from './migration.js';

/** The sequencer does the rest in the background: test/platform/events/event-sequencer-spec.ts */
describe('The migration of the event log', () => {
  let database: MigratedDatabase;
  beforeAll(async () => {
    database = await MigratedDatabase.create();
    await database.undo('Events1795478500000');
  });
  afterAll(() => database.drop());

  it('gives each existing tenant an empty log, and marks its entries as without sequence', async () => {
    const { owner } = database;
    const tenants = [await database.insertTenant(), await database.insertTenant()];
    for (const id of tenants) {
      await owner.transaction(async (manager) => {
        await manager.query(`SELECT set_config('app.tenant_id', $1, true)`, [id]);
        await manager.query(
          `INSERT INTO audit_entries (tenant_id, id, action, subject_type, subject_id)
           VALUES ($1, gen_random_uuid(), 'TagCreated', 'Tag', gen_random_uuid())`,
          [id],
        );
      });
    }

    await owner.runMigrations({ transaction: 'each' });

    const rows = await owner.transaction(async (manager) => {
      const all = [];
      for (const id of tenants) {
        await manager.query(`SELECT set_config('app.tenant_id', $1, true)`, [id]);
        all.push(
          ...(await manager.query<object[]>(
            `SELECT l.tenant_id, l.next_sequence::int, l.backfilled_id, q.entry_id, e.related
               FROM event_logs l JOIN event_queue q USING (tenant_id) JOIN audit_entries e USING (tenant_id)
              WHERE l.tenant_id = $1`,
            [id],
          )),
        );
      }
      return all;
    });
    expect(rows).toEqual(
      tenants.map((tenant_id) => ({
        tenant_id,
        next_sequence: 0,
        backfilled_id: null,
        entry_id: NIL_ID,
        related: {},
      })),
    );
  });
});
