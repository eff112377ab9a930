import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../src/platform/database/embedded/embedded-postgres.js';

/**
 * A minimal service for tests that kill it. Arguments: `<folder> [--unfinished]`. Prints the database's URL when the
 * server runs. On SIGINT it finishes a query of half a second, then stops the database. With `--unfinished` it never
 * renames the folder of the new cluster, so the start never ends.
 */
const [directory = '', option] = process.argv.slice(2);
if (option === '--unfinished') {
  const { rename } = fs;
  fs.rename = (from, to) => (String(to).endsWith('/postgres') ? sleep(2 ** 31 - 1) : rename(from, to));
  syncBuiltinESMExports();
}
const log = (line: string) => process.stderr.write(`${line}\n`);

try {
  const database = await startEmbeddedPostgres({ directory, log });
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', (error) => log(`connection lost: ${error.message}`));
  await client.connect();
  process.once('SIGINT', () => {
    void (async () => {
      const { rows } = await client.query<{ answer: string }>(
        `SELECT 'answered' AS answer FROM pg_sleep(0.5)`,
      );
      await client.end();
      await database.stop();
      process.stdout.write(`${rows[0]?.answer}\n`);
    })();
  });
  process.stdout.write(`${database.url}\n`);
} catch (error) {
  log(`${(error as Error).name}: ${(error as Error).message}`);
  process.exitCode = 1;
}
