import { type DataSource, type DataSourceOptions } from 'typeorm';
import { type Configuration } from '../../platform/config/configuration.js';
import { ownerDataSource } from '../../platform/database/data-source.js';
import {
  runningEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../platform/database/embedded/embedded-postgres.js';
import { migrateDatabase } from '../../platform/database/schema/migrate.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Recording } from '../../platform/recording/recording.js';
import { UsageError } from './command.js';

/** For `--help`. */
export const DATABASE =
  'Reads the same environment variables as the service (DATABASE_URL, DATA_DIR). The service does not have to run.';

/**
 * Runs `work` as the database owner: of `DATABASE_DIRECT_URL` or `DATABASE_URL`, or else of the embedded PostgreSQL. If
 * no service has started the embedded PostgreSQL, it runs only for this call.
 */
export async function withUnitOfWork<T>(
  { databaseOwnerUrl, dataDirectory }: Configuration,
  work: (uow: UnitOfWork, dataSource: DataSource) => Promise<T>,
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
      return await work(await UnitOfWork.open(dataSource, new Recording()), dataSource);
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await started?.stop();
  }
}

/** @throws UsageError when no tenant has the slug */
export async function tenantIdOf(dataSource: DataSource, slug: string): Promise<string> {
  const [tenant] = await dataSource.query<{ id: string }[]>(
    'SELECT tenant_id AS id FROM tenant_slugs WHERE slug = $1 AND expires_at IS NULL',
    [slug],
  );
  if (!tenant) throw new UsageError(`The tenant ${slug} does not exist.`);
  return tenant.id;
}
