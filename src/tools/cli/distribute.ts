import { ConfigurationError, loadConfiguration } from '../../platform/config/configuration.js';
import { distributeDatabase } from '../../platform/database/distribution/distribute.js';
import { command, print, runCommand, wholeNumber } from './command.js';

/** Each shard is a table of its own on its node, for each of about 25 tables. */
const MAX_SHARDS = 1024;

const DISTRIBUTE = command({
  summary: 'Distributes the database over the nodes of a Citus cluster, by tenant.',
  usage: ['npm run distribute -- [--shards <number>]'],
  options: {
    shards: {
      type: 'string',
      value: '<number>',
      default: '32',
      help: `Number of parts that the tenants are divided into, 1 to ${MAX_SHARDS}. Whole parts move between
nodes: choose several for each node that the cluster may get. A later run does not
change the number.`,
    },
  },
  details: `DATABASE_URL must be the URL of the owner on the coordinator of the cluster. Migrates the schema, then distributes
each table with its rows. Back up, and stop the service and its workers first. After an interruption, run the command
again: it continues. In a distributed database, it changes nothing. Reads the same environment variables as the
service (docs/configuration.md).`,
  examples: [
    'DATABASE_URL=postgres://filing:secret@coordinator.example/filing npm run distribute',
    'npm run distribute -- --shards 128',
  ],
});

await runCommand(DISTRIBUTE, async ({ values }) => {
  const shards = wholeNumber('shards', values.shards, MAX_SHARDS);
  const { databaseOwnerUrl } = loadConfiguration();
  if (databaseOwnerUrl === undefined)
    throw new ConfigurationError(
      'Set DATABASE_URL to the coordinator of a Citus cluster. The embedded database cannot be distributed.',
    );
  await distributeDatabase(databaseOwnerUrl, shards, (line) => print(`${line}\n`));
});
