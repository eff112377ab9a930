import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrateDatabase } from '../../../../src/platform/database/schema/migrate.js';
import { TestService } from '../../../support/service/service.js';

const MESSAGE =
  'The database was copied or restored: new event logs, which refuse the cursors of the former ones.';

describe('The event logs at the start of the service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
    for (let i = 0; i < 3; i += 1) await service.tenant();
    // The database of the test is a copy.
    await migrateDatabase(service.database.ownerUrl);
  });
  afterAll(() => service.stop());

  const start = async () => {
    const lines: string[] = [];
    await migrateDatabase(service.database.ownerUrl, (line) => lines.push(line));
    return lines;
  };
  const ids = async () => {
    const logs = await service.query<{ id: string }>('SELECT id FROM event_logs ORDER BY tenant_id');
    return logs.map(({ id }) => id);
  };

  it('stay the same in the same database', async () => {
    const before = await ids();
    expect(await start()).toEqual([]);
    expect(await ids()).toEqual(before);
  });

  it.each([
    ['server', `UPDATE event_log_origin SET system_identifier = '1'`],
    ['database', 'UPDATE event_log_origin SET database_oid = database_oid + 1'],
  ])('get new ids, different for each tenant, once in another %s', async (_, change) => {
    const before = await ids();
    await service.query(change);
    expect(await start()).toEqual([MESSAGE]);
    const after = await ids();
    expect(new Set([...before, ...after]).size).toBe(before.length * 2);
    expect(await start()).toEqual([]);
    expect(await ids()).toEqual(after);
  });

  it('stay the same when the origin was not stored yet', async () => {
    const before = await ids();
    await service.query('DELETE FROM event_log_origin');
    expect(await start()).toEqual([]);
    expect(await ids()).toEqual(before);
    expect(await service.query('SELECT count(*)::int AS count FROM event_log_origin')).toEqual([
      { count: 1 },
    ]);
  });
});
