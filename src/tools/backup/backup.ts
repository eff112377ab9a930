import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../common/folder.js';
import { loadConfiguration } from '../../platform/config/configuration.js';
import { copyContents } from '../../platform/content/content-copy.js';
import { openContentStore } from '../../platform/content/content.module.js';
import { DiskContentStore } from '../../platform/content/disk-content-store.js';
import { runningEmbeddedPostgres } from '../../platform/database/embedded/embedded-postgres.js';
import { UsageError, command, print, runCommand } from '../cli/command.js';
import { runPostgresProgram } from './postgres-programs.js';

const BACKUP = command({
  summary: 'Backs up database and contents into a folder, while the service runs.',
  usage: ['npm run backup -- <folder>'],
  operand: { name: 'folder' },
  options: {},
  details: `The database comes first (pg_dump), then the contents, from disk or bucket. Documents that are filed between the two
are not in the backup. Contents that the folder already has are not copied again. Needs pg_dump of the server's
version or a newer one, and in DATABASE_URL a role that reads past row level security: a superuser, or one with
BYPASSRLS that is a member of pg_read_all_data. Takes the same variables as the service (docs/configuration.md).`,
  examples: ['DATABASE_URL=postgres://backup:secret@db.example/filing npm run backup -- /var/backups/filing'],
});

await runCommand(BACKUP, async ({ operands: [folder] }) => {
  // A backup is all data of all tenants: files are 0600 and folders 0700 from the moment they exist, those of pg_dump too.
  process.umask(0o077);
  const configuration = loadConfiguration();
  const url = configuration.databaseUrl ?? (await runningEmbeddedPostgres(configuration.dataDirectory));
  if (url === undefined) {
    throw new UsageError(
      'Set DATABASE_URL. (The embedded database is backed up by a copy of DATA_DIR while the service is stopped.)',
    );
  }
  const store = await openContentStore(configuration);
  try {
    await makeFolder(folder, 0o700);
    const dump = path.join(folder, 'database.dump');
    // Not in its place before the contents that it refers to are there: a former backup stays good until then.
    const unfinished = `${dump}.new`;
    await rm(unfinished, { force: true });
    await runPostgresProgram('pg_dump', url, ['--format=custom', `--file=${unfinished}`]);
    const {
      copied,
      alreadyThere: there,
      damaged,
    } = await copyContents(store, new DiskContentStore(path.join(folder, 'content')));
    await rename(unfinished, dump);
    print(`The database, and ${copied} contents; ${there} were there already.\n`);
    for (const { tenantId, sha256 } of damaged)
      process.stderr.write(`Damaged, and not copied: ${sha256} of tenant ${tenantId}\n`);
    return damaged.length > 0 ? 1 : 0;
  } finally {
    await store.close();
  }
});
