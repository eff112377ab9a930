import { ownerDataSource } from '../data-source.js';
import { unreachableWorkers } from '../distribution/cluster-workers.js';
import { queryOf } from '../distribution/distributed-schema.js';
import { ensureServiceGroup } from '../service-role/service-group.js';
import { DatabaseSetupError, withSetupLock } from '../service-role/service-role.js';
import { layoutOf } from '../transactions/database-layout.js';
import { updateBuiltInRoles } from './built-in-roles.js';
import { checkEventLogOrigin } from './event-log-origin.js';
import { migrateQueue } from './migrate-queue.js';
import { type MigrationWithNotes } from './migration-with-notes.js';

/**
 * Migrates schema, job queue and built-in roles. Instances that start at the same time run this one after another. Succeeds
 * while a worker of a Citus cluster is down if there is nothing to change.
 */
export async function migrateDatabase(
  ownerUrl: string,
  log: (line: string) => void = () => undefined,
): Promise<void> {
  await withSetupLock(ownerUrl, async (client) => {
    await layoutOf(queryOf(client)); // Refuses an interrupted distribution.
    const unreachable = await unreachableWorkers(queryOf(client));
    for (const [node, reason] of unreachable)
      log(
        `Warning: the worker ${node} does not answer (${reason}). Until it does, its tenants get a 503, and so do changes of ` +
          'users and tenants.',
      );
    await ensureServiceGroup(client);
    const dataSource = ownerDataSource(ownerUrl);
    await dataSource.initialize();
    try {
      const done = await dataSource.runMigrations({ transaction: 'each' });
      for (const { name, instance } of done) {
        log(`migrated: ${name}`);
        (instance as Partial<MigrationWithNotes> | undefined)?.notes?.forEach(log);
      }
      await migrateQueue(ownerUrl);
      await updateBuiltInRoles(client);
      await checkEventLogOrigin(client, log);
    } catch (error) {
      const nodes = [...unreachable.keys()].join(', ');
      const advice = nodes && ` It needs all workers. These do not answer: ${nodes}.`;
      throw new DatabaseSetupError(`The schema migration failed: ${(error as Error).message}.${advice}`, {
        cause: error,
      });
    } finally {
      await dataSource.destroy();
    }
  });
}
