import { ownerDataSource } from '../data-source.js';
import { queryOf } from '../distribution/distributed-schema.js';
import { ensureServiceGroup } from '../service-role/service-group.js';
import { DatabaseSetupError, withSetupLock } from '../service-role/service-role.js';
import { layoutOf } from '../transactions/database-layout.js';
import { updateBuiltInRoles } from './built-in-roles.js';
import { checkEventLogOrigin } from './event-log-origin.js';
import { migrateQueue } from './migrate-queue.js';

/** Migrates schema, job queue and built-in roles. Instances that start at the same time run this one after another. */
export async function migrateDatabase(
  ownerUrl: string,
  log: (line: string) => void = () => undefined,
): Promise<void> {
  await withSetupLock(ownerUrl, async (client) => {
    await layoutOf(queryOf(client)); // Refuses an interrupted distribution.
    await ensureServiceGroup(client);
    const dataSource = ownerDataSource(ownerUrl);
    await dataSource.initialize();
    try {
      const done = await dataSource.runMigrations({ transaction: 'each' });
      for (const migration of done) log(`migrated: ${migration.name}`);
      await migrateQueue(ownerUrl);
      await updateBuiltInRoles(client);
      await checkEventLogOrigin(client, log);
    } catch (error) {
      throw new DatabaseSetupError(`The schema migration failed: ${(error as Error).message}.`, {
        cause: error,
      });
    } finally {
      await dataSource.destroy();
    }
  });
}
