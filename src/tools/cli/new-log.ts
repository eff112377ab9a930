import { ConfigurationError, loadConfiguration } from '../../platform/config/configuration.js';
import { beginNewEventLogs } from '../../platform/database/schema/event-log-origin.js';
import { withSetupLock } from '../../platform/database/service-role/service-role.js';
import { command, print, runCommand } from './command.js';

const NEW_LOG = command({
  summary: 'Begins new event logs after the database has lost commits.',
  usage: ['npm run new-log'],
  options: {},
  details: `Run it after a recovery to a point in time, and after a failover that lost commits, before the service starts.
Each event log gets another id: former cursors of GET /events return 400, and checkpoints get another origin. Entries
and sequences stay. DATABASE_URL must be the URL of the owner of the database.`,
  examples: ['DATABASE_URL=postgres://filing:secret@db.example/filing npm run new-log'],
});

await runCommand(NEW_LOG, async () => {
  const { databaseOwnerUrl } = loadConfiguration();
  if (databaseOwnerUrl === undefined)
    throw new ConfigurationError('Set DATABASE_URL to the recovered database.');
  const count = await withSetupLock(databaseOwnerUrl, (client) => beginNewEventLogs(client));
  print(`${count} event logs have a new id.\n`);
});
