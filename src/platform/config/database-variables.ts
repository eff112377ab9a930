import { type ValuesOf, type Variable, flag, integer, serverUrls, url } from './variable.js';

export const DATABASE_VARIABLES = {
  databaseUrl: {
    name: 'DATABASE_URL',
    description:
      'URL of PostgreSQL 15 to 18 for the owner role, which owns the schema and runs migrations. If set, the embedded server does not start.',
    defaultText: 'embedded PostgreSQL',
    secret: true,
    read: url(['postgres:', 'postgresql:']),
  },
  databaseServiceUrl: {
    name: 'DATABASE_SERVICE_URL',
    description:
      'URL for the login role that serves requests. It must own nothing and be subject to row-level security. If not set, the role is derived from `DATABASE_URL`, which then needs a password in the URL or in `PGPASSWORD`.',
    defaultText: 'derived',
    secret: true,
    read: url(['postgres:', 'postgresql:']),
  },
  databaseDirectUrl: {
    name: 'DATABASE_DIRECT_URL',
    description:
      'URL for the owner role on the server itself. Required if `DATABASE_URL` or `DATABASE_SERVICE_URL` leads through a connection pooler. Migrations, locks, the job queue and the commands use it. See [deployment.md](deployment.md#pgbouncer).',
    defaultText: '`DATABASE_URL`',
    secret: true,
    read: url(['postgres:', 'postgresql:']),
  },
  databaseReplicaUrls: {
    name: 'DATABASE_REPLICA_URLS',
    description:
      'Read replicas that answer searches and long lists: URLs without a login, comma-separated, at most 8. Login, database and parameters that a URL does not have are those of the service on the primary. See [deployment.md](deployment.md#read-replicas).',
    read: serverUrls(['postgres:', 'postgresql:'], 5432, 8),
  },
  databasePrepared: {
    name: 'DATABASE_PREPARED',
    description:
      '`false` uses no prepared statements. Required behind a pooler that does not track them, such as PgBouncer before 1.21.',
    read: flag(true),
  },
  databasePoolSize: {
    name: 'DATABASE_POOL_SIZE',
    description:
      'Connections of the service to the database for requests. With `INSTANCES`, they are divided among its processes.',
    read: integer(1, 1000, 20),
  },
  databaseAcquireTimeout: {
    name: 'DATABASE_ACQUIRE_TIMEOUT_MS',
    description: 'Longest time that a request waits for a free connection. Then it is answered 503.',
    read: integer(1, 600_000, 5000),
  },
  databaseStatementTimeout: {
    name: 'DATABASE_STATEMENT_TIMEOUT_MS',
    description:
      'Time limit of one SQL statement. It waits for a lock for at most a tenth of this time, but at least 3 s.',
    read: integer(1, 3_600_000, 30_000),
  },
} as const satisfies Record<string, Variable<unknown>>;

/** Connections that each of several processes needs at least. */
const MIN_CONNECTIONS = 2;

/** Messages for invalid combinations of these settings. */
export function databaseErrors({
  databaseUrl,
  databaseDirectUrl,
  databaseReplicaUrls,
  databasePoolSize,
  instances,
}: ValuesOf<typeof DATABASE_VARIABLES> & { readonly instances: number }): string[] {
  const errors: string[] = [];
  if (databaseDirectUrl && !databaseUrl) errors.push('DATABASE_URL must be set with DATABASE_DIRECT_URL');
  const connections = MIN_CONNECTIONS * instances;
  if (instances > 1 && databasePoolSize < connections)
    errors.push(
      `DATABASE_POOL_SIZE must be at least ${connections} with INSTANCES=${instances}: each process needs ${MIN_CONNECTIONS} connections`,
    );
  if (databaseReplicaUrls.length === 0) return errors;
  if (databaseUrl === undefined)
    errors.push('DATABASE_REPLICA_URLS requires DATABASE_URL: the embedded PostgreSQL has no replicas');
  if (databasePoolSize < 2)
    errors.push(
      'DATABASE_POOL_SIZE must be at least 2 with DATABASE_REPLICA_URLS: one connection checks the replica',
    );
  return errors;
}
