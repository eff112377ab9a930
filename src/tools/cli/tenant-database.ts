import { type DataSource, type DataSourceOptions } from 'typeorm';
import { type Configuration } from '../../platform/config/configuration.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Recording } from '../../platform/recording/recording.js';
import { withOwnerDatabase } from '../backup/owner-database.js';
import { UsageError } from './command.js';

/** For `--help`. */
export const DATABASE =
  'Reads the same environment variables as the service (DATABASE_URL, DATA_DIR). The service does not have to run.';

export function withUnitOfWork<T>(
  configuration: Configuration,
  work: (uow: UnitOfWork, dataSource: DataSource) => Promise<T>,
  entities?: DataSourceOptions['entities'],
): Promise<T> {
  return withOwnerDatabase(
    configuration,
    async (dataSource) => work(await UnitOfWork.open(dataSource, new Recording()), dataSource),
    entities,
  );
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
