import pg from 'pg';
import { type TestDatabase, dropDatabase, newDatabaseName, nodeUrls } from '../support/database.js';
import { inDatabase, joinNodes, runAsAdmin } from '../support/database-nodes.js';

/** Role of the databases of this folder: as in production, it has CREATEROLE and no other attribute. */
const OWNER = 'filing';
const PASSWORD = 'of-the-owner';

/** A database on the nodes of the test cluster. It is not distributed yet. */
export interface ClusterDatabase extends Pick<TestDatabase, 'ownerUrl' | 'drop'> {
  readonly name: string;
  /** URL with the superuser, which reads the rows of all tenants. */
  readonly superuserUrl: string;
}

/** Creates the roles that the data of releases refer to. Citus creates them on the other nodes, too. */
export async function createOwner(): Promise<void> {
  const [coordinator = ''] = nodeUrls();
  const roles = [
    ['filing_service_role', 'NOLOGIN'],
    [OWNER, `LOGIN CREATEROLE PASSWORD '${PASSWORD}'`],
    ['filing_service', 'LOGIN IN ROLE filing_service_role'],
  ] as const;
  for (const [name, options] of roles) {
    const [existing] = await runAsAdmin(coordinator, `SELECT FROM pg_roles WHERE rolname = '${name}'`);
    if (!existing) await runAsAdmin(coordinator, `CREATE ROLE ${name} ${options}`);
  }
}

/**
 * @param kind `cluster`: with the extension on all nodes; `without nodes`: with the extension on the coordinator only;
 *   `plain`: without the extension
 */
export async function createClusterDatabase(
  kind: 'cluster' | 'without nodes' | 'plain' = 'cluster',
): Promise<ClusterDatabase> {
  const database = named(newDatabaseName());
  await create(database.name, '');
  const [coordinator = ''] = nodeUrls();
  if (kind === 'cluster') await joinNodes(nodeUrls(), database.name);
  if (kind === 'without nodes')
    await runAsAdmin(inDatabase(coordinator, database.name), 'CREATE EXTENSION citus');
  return database;
}

/** A copy of a database that is not in use. */
export async function cloneClusterDatabase(original: ClusterDatabase): Promise<ClusterDatabase> {
  const database = named(newDatabaseName());
  await create(database.name, `TEMPLATE ${pg.escapeIdentifier(original.name)}`);
  return database;
}

async function create(name: string, template: string): Promise<void> {
  const statement = `CREATE DATABASE ${pg.escapeIdentifier(name)} OWNER ${OWNER} ${template}`;
  await Promise.all(nodeUrls().map((node) => runAsAdmin(node, statement)));
}

function named(name: string): ClusterDatabase {
  const [coordinator = ''] = nodeUrls();
  const ownerUrl = new URL(inDatabase(coordinator, name));
  ownerUrl.username = OWNER;
  ownerUrl.password = PASSWORD;
  return {
    name,
    ownerUrl: ownerUrl.toString(),
    superuserUrl: inDatabase(coordinator, name),
    drop: () => dropDatabase(name),
  };
}
