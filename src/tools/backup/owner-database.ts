import { type DataSource, type DataSourceOptions } from 'typeorm';
import { type Configuration } from '../../platform/config/configuration.js';
import { ownerDataSource } from '../../platform/database/data-source.js';
import {
  runningEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../platform/database/embedded/embedded-postgres.js';
import { migrateDatabase } from '../../platform/database/schema/migrate.js';

/**
 * Runs `work` with a data source of the database owner: of `DATABASE_DIRECT_URL` or `DATABASE_URL`, or else of the
 * embedded PostgreSQL. If no service has started the embedded PostgreSQL, it runs only for this call.
 */
export async function withOwnerDatabase<T>(
  { databaseOwnerUrl, dataDirectory }: Configuration,
  work: (dataSource: DataSource) => Promise<T>,
  entities: DataSourceOptions['entities'] = [],
): Promise<T> {
  const running = databaseOwnerUrl ?? (await runningEmbeddedPostgres(dataDirectory));
  const started = running
    ? undefined
    : await startEmbeddedPostgres({
        directory: dataDirectory,
        log: (line) => process.stderr.write(`${line}\n`),
      });
  const url = running ?? started?.url ?? '';
  try {
    await migrateDatabase(url);
    const dataSource = await ownerDataSource(url, entities).initialize();
    try {
      return await work(dataSource);
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await started?.stop();
  }
}
