import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import pg from 'pg';
import { distributeDatabase } from '../../src/platform/database/distribution/distribute.js';
import { ensureServiceRole } from '../../src/platform/database/service-role/derived-service-role.js';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { migrateDatabase } from '../../src/platform/database/schema/migrate.js';
import {
  closeTemplate,
  disconnectNodes,
  inDatabase,
  joinNodes,
  runAsAdmin,
  workerUrls,
} from './database-nodes.js';
import { startCleanupProcess } from './cleanup-process.js';
import { postgresFolder } from './postgres-folder.js';

/** The PostgreSQL server of a test run, with the migrated template database that every spec clones. */
export interface TestServer {
  stop(): Promise<void>;
}

interface Server extends TestServer {
  readonly url: string;
}

/** Few: each test database on Citus has this number of tables for each distributed one. */
const SHARDS = 4;

/**
 * Test data needs no durability; `max_connections` covers the pools of several workers. Hashing a password thousands of
 * times would take milliseconds for each connection.
 */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  scram_iterations: '1',
};

async function embeddedServer(): Promise<Server> {
  const directory = await postgresFolder('filing-test-');
  const endCleanupProcess = startCleanupProcess(directory, 'postgres/postmaster.pid');
  const lines: string[] = [];
  try {
    const database = await startEmbeddedPostgres({
      directory,
      settings: SETTINGS,
      log: (line) => lines.push(line),
    });
    return {
      url: database.url,
      async stop() {
        await database.stop();
        await endCleanupProcess();
        await rm(directory, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await endCleanupProcess();
    await rm(directory, { recursive: true, force: true });
    throw new Error(`The test database did not start. ${lines.join('; ')}`, { cause: error });
  }
}

/**
 * Starts an embedded server, or uses that of TEST_DATABASE_URL or DATABASE_URL. On a coordinator of Citus, the template is
 * distributed. Stores the URLs of nodes and template in the environment, which the jest workers inherit.
 */
export async function startTestServer(): Promise<TestServer> {
  const given = process.env['TEST_DATABASE_URL'] ?? process.env['DATABASE_URL'];
  const server = given ? { url: given, stop: async () => undefined } : await embeddedServer();
  const template = `filing_template_${randomBytes(4).toString('hex')}`;
  const name = pg.escapeIdentifier(template);
  const workers = given ? await workerUrls(given) : [];
  const isDistributed = workers.length > 0;
  const nodes = [server.url, ...workers];
  const stop = async () => {
    try {
      if (given) {
        if (isDistributed) await disconnectNodes(nodes, template);
        await Promise.all(
          nodes.map((node) => runAsAdmin(node, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
        );
        await runAsAdmin(server.url, `DROP ROLE IF EXISTS ${pg.escapeIdentifier(`${template}_service`)}`);
      }
    } finally {
      await server.stop();
    }
  };
  try {
    await Promise.all(nodes.map((node) => runAsAdmin(node, `CREATE DATABASE ${name}`)));
    if (isDistributed) await joinNodes(nodes, template);
    const ownerUrl = inDatabase(server.url, template);
    await migrateDatabase(ownerUrl);
    if (isDistributed) await distributeDatabase(ownerUrl, SHARDS, () => undefined);
    process.env['TEST_TEMPLATE_SERVICE_URL'] = await ensureServiceRole(ownerUrl);
    process.env['TEST_TEMPLATE_OWNER_URL'] = ownerUrl;
    process.env['TEST_NODE_URLS'] = nodes.join(' ');
    if (isDistributed) {
      process.env['TEST_DISTRIBUTED'] = 'true';
      // Every statement of the service that needs more than one shard fails, unless its transaction allows it.
      await runAsAdmin(
        ownerUrl,
        `ALTER ROLE ${pg.escapeIdentifier(`${template}_service`)} SET citus.multi_task_query_log_level = 'error'`,
      );
      await closeTemplate(nodes, template);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}
