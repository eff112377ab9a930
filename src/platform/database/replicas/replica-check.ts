import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Configuration } from '../../config/configuration.js';
import { loginOf, withLogin } from '../connections/connection-urls.js';
import { distributionOf, queryOf } from '../distribution/distributed-schema.js';
import { DatabaseSetupError, setupClient } from '../service-role/service-role.js';
import { replicaName, serviceUrlOn } from './replica-url.js';

const LIMITS: pg.ClientConfig = { connectionTimeoutMillis: 5000, query_timeout: 5000 };
/** Time that a new role or password needs at most to reach a replica. */
const ROLE_LIMIT_MS = 10_000;
const RETRY_MS = 200;

/** SQLSTATEs: invalid login, no such database, no privilege to connect. */
const REFUSED = /^(28...|3D000|42501)$/;

interface Server {
  readonly system: string;
  readonly isReplica: boolean;
}

/**
 * Throws when the database is distributed, when a replica belongs to another database server, or when it refuses the
 * service role. A replica that cannot be reached, or that has been promoted, is only a warning: the service must be able
 * to start during a failover.
 */
export async function checkReplicas(
  ownerUrl: string,
  serviceUrl: string,
  {
    databaseReplicaUrls,
    databaseDirectUrl,
  }: Pick<Configuration, 'databaseReplicaUrls' | 'databaseDirectUrl'>,
  warn: (line: string) => void,
): Promise<void> {
  if (databaseReplicaUrls.length === 0) return;
  const directUrl = databaseDirectUrl ? withLogin(databaseDirectUrl, loginOf(serviceUrl)) : serviceUrl;
  const primary = await withClient(setupClient(ownerUrl), async (client) => {
    if ((await distributionOf(queryOf(client))) !== 'none')
      throw new DatabaseSetupError(
        'DATABASE_REPLICA_URLS cannot be used with a distributed database: remove it, and add workers instead.',
      );
    return serverOf(client);
  });
  await Promise.all(
    databaseReplicaUrls.map(async (url) => {
      const name = replicaName(url);
      const replica = await connectTo(name, serviceUrlOn(url, directUrl)).catch((error: unknown) => {
        if (error instanceof DatabaseSetupError) throw error;
        warn(`Warning: the replica ${name} is not available (${(error as Error).message}).`);
        return undefined;
      });
      if (replica && replica.system !== primary.system)
        throw new DatabaseSetupError(
          `The server ${name} in DATABASE_REPLICA_URLS is not a replica of the server of DATABASE_URL.`,
        );
      if (replica && !replica.isReplica)
        warn(`Warning: the server ${name} in DATABASE_REPLICA_URLS is a primary server, and is not used.`);
    }),
  );
}

async function connectTo(name: string, connectionString: string): Promise<Server> {
  for (const begin = performance.now(); ; await sleep(RETRY_MS)) {
    try {
      return await withClient(setupClient(connectionString, LIMITS), serverOf);
    } catch (error) {
      if (!REFUSED.test((error as pg.DatabaseError).code ?? '')) throw error;
      if (performance.now() - begin > ROLE_LIMIT_MS)
        throw new DatabaseSetupError(
          `The service role cannot log in to the replica ${name}: ${(error as Error).message}. ` +
            'Allow it there as on the primary (pg_hba.conf), and make sure that the replica is not far behind.',
          { cause: error },
        );
    }
  }
}

async function withClient<T>(client: pg.Client, work: (client: pg.Client) => Promise<T>): Promise<T> {
  try {
    await client.connect();
    return await work(client);
  } finally {
    // Without waiting: a server that does not answer would not close the connection either.
    void client.end().catch(() => undefined);
  }
}

async function serverOf(client: pg.Client): Promise<Server> {
  const { rows } = await client.query<Server>(
    `SELECT system_identifier::text AS system, pg_is_in_recovery() AS "isReplica" FROM pg_control_system()`,
  );
  if (!rows[0]) throw new Error('The server has not returned its identifier');
  return rows[0];
}
