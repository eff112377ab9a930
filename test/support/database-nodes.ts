import pg from 'pg';

/** SQLSTATE of a table that does not exist. */
const UNDEFINED_TABLE = '42P01';

export function inDatabase(url: string, database: string): string {
  const result = new URL(url);
  result.pathname = `/${encodeURIComponent(database)}`;
  return result.toString();
}

export async function runAsAdmin<R extends pg.QueryResultRow>(
  url: string,
  ...statements: string[]
): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: R[] = [];
    for (const statement of statements) ({ rows } = await client.query<R>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

/**
 * URLs of the workers, if the URL is that of a coordinator of Citus; otherwise none. They have the same user and
 * password as the coordinator.
 */
export async function workerUrls(url: string): Promise<string[]> {
  try {
    const workers = await runAsAdmin<{ host: string; port: number }>(
      url,
      `SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid > 0 AND noderole = 'primary' ORDER BY nodeid`,
    );
    return workers.map(({ host, port }) => {
      const worker = new URL(url);
      worker.hostname = host;
      worker.port = String(port);
      return worker.toString();
    });
  } catch (error) {
    if ((error as pg.DatabaseError).code === UNDEFINED_TABLE) return [];
    throw error;
  }
}

/** Makes the databases of this name one database of a cluster. */
export async function joinNodes(
  [coordinator = '', ...workers]: readonly string[],
  database: string,
): Promise<void> {
  await Promise.all(
    [coordinator, ...workers].map((node) => runAsAdmin(inDatabase(node, database), 'CREATE EXTENSION citus')),
  );
  const address = (node: string) => {
    const { hostname, port } = new URL(node);
    return `${pg.escapeLiteral(hostname)}, ${port || 5432}`;
  };
  await runAsAdmin(
    inDatabase(coordinator, database),
    `SELECT citus_set_coordinator_host(${address(coordinator)})`,
    ...workers.map((worker) => `SELECT citus_add_node(${address(worker)})`),
  );
}

/** Ends the connections that the nodes hold to each other, and the maintenance daemons. */
export async function disconnectNodes(nodes: readonly string[], database: string): Promise<void> {
  const terminate = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = ${pg.escapeLiteral(database)} AND (application_name LIKE 'citus%' OR backend_type LIKE 'Citus%')`;
  for (const node of nodes) await runAsAdmin(node, terminate);
}

/** Makes a database of a cluster a template: nothing can connect to it, the maintenance daemons included. */
export async function closeTemplate(nodes: readonly string[], database: string): Promise<void> {
  const name = pg.escapeIdentifier(database);
  await Promise.all(nodes.map((node) => runAsAdmin(node, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)));
  await disconnectNodes(nodes, database);
}
