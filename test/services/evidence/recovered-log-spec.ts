import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordTags } from '../../platform/events/event-log.js';
import { treeComplete, verified } from '../../resources/audit-log/evidence/evidence-fixture.js';
import { ServiceProcess } from '../../support/service/service-process.js';
import { TestTenant } from '../../support/tenant.js';
import { waitUntil } from '../../support/wait-until.js';
import { ReplicatedDatabase } from '../replicas/replicated-database.js';

const KEY = { AUDIT_SIGNING_KEY: Buffer.alloc(32, 5).toString('base64') };

describe('The audit log after a recovery to a point in time and npm run new-log', () => {
  let database: ReplicatedDatabase;

  beforeAll(async () => {
    database = await ReplicatedDatabase.start();
  });
  afterAll(() => database.stop());

  it('continues the checkpoints of before that point only', async () => {
    const running = await database.service([], KEY);
    let tenant = await running.service.tenant();
    let auditor = await tenant.as('auditor');
    const keep = async (name: string, count: number) => {
      await recordTags(tenant, count);
      await treeComplete(tenant);
      return { name, note: (await auditor.get('/audit-log/checkpoint').expect(200)).text };
    };
    const backup = await keep('backup.txt', 9);
    const replica = await database.replica('recovery_target_name=accident');
    const point = await keep('point.txt', 9);
    await database.primary.server.runAsSuperuser(`SELECT pg_create_restore_point('accident')`);
    const lost = await keep('lost.txt', 5);
    await waitUntil(async () => {
      const [row] = await replica.server.queryAsSuperuser<{ state: string }>(
        'SELECT pg_get_wal_replay_pause_state() AS state',
      );
      return row?.state === 'paused';
    }, 'the recovery up to the point');
    await running.stop();
    await database.primary.server.interrupt();
    const recovered = await database.promote(replica);
    const { code, output } = await ServiceProcess.run(recovered.database.environment, 'tools/cli/new-log');
    expect([code, output]).toEqual([0, '1 event logs have a new id.\n']);

    const { service } = await recovered.service([], KEY);
    tenant = new TestTenant(service, tenant.id, tenant.slug);
    auditor = auditor.inTenant(tenant);
    const continues = [point.note.split('\n')[0] ?? ''];
    const say = (...earlier: (typeof lost)[]) => verified(auditor, { earlier, continues });
    expect(await say(backup, point)).toEqual([]);
    expect(await say(point, lost)).toEqual([
      'lost.txt states 24 entries, but the log has 19: the newest were cut off.',
    ]);
    const later = await keep('later.txt', 10);
    expect(await say(backup, point, later)).toEqual([]);
    expect(await say(point, lost, later)).toEqual([
      'The log does not continue lost.txt: it was rebuilt between point.txt (size 19) and size 24.',
    ]);
    expect(await verified(auditor, { earlier: [point, later] })).toEqual([
      `point.txt is of another log, ${continues[0]}. If this one continues it, use --continues.`,
    ]);
  }, 300_000);
});
