import path from 'node:path';
import { fileURLToPath } from 'node:url';
import './register-typescript.mjs';
import { compiledCopy, removeOldCopies } from './compiled-source.mjs';

/** globalSetup of jest: starts the servers that all workers use. A JavaScript file, because jest would run a TypeScript file here as CommonJS. */
export default async function globalSetup() {
  globalThis.startedServers = [];
  try {
    await startServers();
  } catch (error) {
    // After an error here, jest does not run the teardown.
    await stopServers();
    throw error;
  }
}

/** In the reverse order of their start. */
export async function stopServers() {
  for (const server of globalThis.startedServers.splice(0).reverse()) await server.stop();
}

async function startServers() {
  // Compiles once for all workers. For processes that run without module hooks (service-process.ts).
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const copy = await compiledCopy(root, ['src', 'clients/typescript']);
  process.env.TEST_COMPILED_SOURCES = path.join(copy, 'src');
  await removeOldCopies();
  const suite = process.env.TEST_SUITE;
  if (suite === 'citus') process.env.TEST_DATABASE_URL = await citusUrl();
  const { startTestServer } = await import('../test-server.ts');
  globalThis.startedServers.push(await startTestServer());
  if (suite === 'citus' && process.env.TEST_DISTRIBUTED !== 'true')
    throw new Error('CITUS_DATABASE_URL is not the URL of a coordinator of Citus with workers.');
  if (suite === 'pgbouncer') await startPgBouncer();
}

async function citusUrl() {
  if (process.env.CITUS_DATABASE_URL) return process.env.CITUS_DATABASE_URL;
  const { CitusCluster } = await import('../servers/citus-cluster.ts');
  const cluster = await CitusCluster.start();
  globalThis.startedServers.push(cluster);
  return cluster.url;
}

async function startPgBouncer() {
  const { PgBouncer, lookupStatements, randomPassword } = await import('../servers/pgbouncer.ts');
  const { runAsAdmin } = await import('../database-nodes.ts');
  const url = process.env.TEST_TEMPLATE_OWNER_URL;
  const password = randomPassword();
  await runAsAdmin(url, ...lookupStatements(password));
  const pooler = await PgBouncer.start(url, { password });
  globalThis.startedServers.push(pooler);
  process.env.TEST_POOLER_PORT = String(pooler.port);
  process.env.TEST_POOLER_PASSWORD = password;
}
