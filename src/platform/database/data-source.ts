import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { timestampFromPostgres } from '../../common/timestamps.js';
import { type Configuration } from '../config/configuration.js';
import { loginOf, withLogin } from './connections/connection-urls.js';
import { OWNER_SETTINGS, serviceSettings, startOptions } from './connections/session-limits.js';
import { traceConnection } from './connections/traced-connection.js';
import { handleConnectionLoss } from './connections/connection-loss.js';
import { MIGRATIONS } from './schema/migrations.js';
import { useUnnamedStatements } from './transactions/tenant-batch.js';

/**
 * How result columns become JavaScript values. Timestamps become ISO 8601 text (docs/adr/0005). Values of type bigint
 * become numbers, which are exact up to 2^53. Dates stay text, because they have no time zone.
 */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, timestampFromPostgres);
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.DATE, (text) => text);

type Settings = Pick<
  Configuration,
  | 'databaseAcquireTimeout'
  | 'databaseDirectUrl'
  | 'databasePoolSize'
  | 'databasePrepared'
  | 'databaseStatementTimeout'
  | 'otlpEndpoint'
>;

/**
 * The data source for requests and jobs.
 *
 * @param url with a login role that owns no database objects; may lead through a pooler in transaction mode if
 *   `databaseDirectUrl` is set
 */
export function serviceDataSource(
  url: string,
  settings: Settings,
  entities: DataSourceOptions['entities'],
): DataSource {
  const { databaseDirectUrl, databaseStatementTimeout } = settings;
  return new DataSource({
    type: 'postgres',
    url,
    entities,
    poolSize: settings.databasePoolSize,
    applicationName: 'filing-service',
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    extra: {
      types,
      connectionTimeoutMillis: settings.databaseAcquireTimeout,
      onConnect: (client: pg.Client) => {
        handleConnectionLoss(client, databaseStatementTimeout);
        if (!settings.databasePrepared) useUnnamedStatements(client);
        if (settings.otlpEndpoint !== undefined) traceConnection(client);
      },
      directUrl: databaseDirectUrl && withLogin(databaseDirectUrl, loginOf(url)),
      // A pooler refuses the parameter `options`. The settings then belong to the role (ALTER ROLE).
      ...(databaseDirectUrl === undefined && {
        options: startOptions(serviceSettings(databaseStatementTimeout)),
      }),
    },
  });
}

/** URL of the role of a data source on the server itself, for what needs a session: advisory locks and LISTEN. */
export function directUrlOf(dataSource: DataSource): string {
  const { url, extra } = dataSource.options as { url: string; extra: { directUrl?: string } };
  return extra.directUrl ?? url;
}

/** The data source of the database owner, for migrations and the command line. Requests never use it. */
export function ownerDataSource(url: string, entities: DataSourceOptions['entities'] = []): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    entities,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'each',
    migrationsTableName: 'migrations',
    applicationName: 'filing-service owner',
    poolSize: 2,
    extra: { types, options: startOptions(OWNER_SETTINGS) },
  });
}
