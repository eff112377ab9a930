import { type DataSource } from 'typeorm';
import { type Configuration } from '../../platform/config/configuration.js';
import { ownerDataSource } from '../../platform/database/data-source.js';
import {
  runningEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../platform/database/embedded/embedded-postgres.js';
import { migrateDatabase } from '../../platform/database/schema/migrate.js';

/**
 * Runs `work` with the owner's data source: of `DATABASE_URL`, of the embedded PostgreSQL that the running service
 * has started, or of one that is started for the purpose and stopped again.
 */
export async function withOwnerDatabase<T>(
  { databaseUrl, dataDirectory }: Configuration,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const running = databaseUrl ?? (await runningEmbeddedPostgres(dataDirectory));
  const started = running
    ? undefined
    : await startEmbeddedPostgres({
        directory: dataDirectory,
        log: (line) => process.stderr.write(`${line}\n`),
      });
  const url = running ?? started?.url ?? '';
  try {
    await migrateDatabase(url);
    const dataSource = await ownerDataSource(url).initialize();
    try {
      return await work(dataSource);
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await started?.stop();
  }
}
