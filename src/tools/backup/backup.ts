import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../common/folder.js';
import { loadConfiguration } from '../../platform/config/configuration.js';
import { copyContents } from '../../platform/content/content-copy.js';
import { openContentStore } from '../../platform/content/content.module.js';
import { DiskContentStore } from '../../platform/content/disk-content-store.js';
import { distributionOf, queryOf } from '../../platform/database/distribution/distributed-schema.js';
import { runningEmbeddedPostgres } from '../../platform/database/embedded/embedded-postgres.js';
import { setupClient } from '../../platform/database/service-role/service-role.js';
import { UsageError, command, print, runCommand } from '../cli/command.js';
import { PostgresProgramFailed, runPostgresProgram } from './postgres-programs.js';

const BACKUP = command({
  summary: 'Backs up the database and the contents into a folder. The service may run meanwhile.',
  usage: ['npm run backup -- <folder>'],
  operand: { name: 'folder' },
  options: {},
  details: `Copies first the database (pg_dump), then the contents from disk or bucket. The backup does not include documents
created in between. Contents that the folder already has are not copied again.

Needs pg_dump in the version of the server or a newer one. The role in DATABASE_URL must bypass row-level security: a
superuser, or a role that has BYPASSRLS and is a member of pg_read_all_data. Reads the same environment variables as
the service (docs/configuration.md). Refuses a database that Citus distributes: docs/deployment.md.`,
  examples: ['DATABASE_URL=postgres://backup:secret@db.example/filing npm run backup -- /var/backups/filing'],
});

const EMBEDDED = 'To back up the embedded database, stop the service and copy the folder DATA_DIR.';

await runCommand(BACKUP, async ({ operands: [folder] }) => {
  // A backup contains the data of all tenants: files get mode 0600 and folders 0700, also those that pg_dump creates.
  process.umask(0o077);
  const configuration = loadConfiguration();
  const url = configuration.databaseOwnerUrl ?? (await runningEmbeddedPostgres(configuration.dataDirectory));
  if (url === undefined) throw new UsageError(`Set DATABASE_URL. ${EMBEDDED}`);
  await refuseCluster(url);
  const store = await openContentStore(configuration);
  try {
    await makeFolder(folder, 0o700);
    const dump = path.join(folder, 'database.dump');
    // Replace the previous dump only after the contents are copied: until then the previous backup stays complete.
    const unfinished = `${dump}.new`;
    await rm(unfinished, { force: true });
    await runPostgresProgram('pg_dump', url, [
      '--format=custom',
      `--file=${unfinished}`,
      // Previews are rendered again when needed.
      '--exclude-table-data=document_previews',
    ]).catch(async (error: unknown) => {
      await rm(unfinished, { force: true });
      throw error instanceof PostgresProgramFailed && configuration.databaseOwnerUrl === undefined
        ? new PostgresProgramFailed(`${error.message} ${EMBEDDED}`)
        : error;
    });
    const contents = new DiskContentStore(path.join(folder, 'content'));
    const { copied, alreadyThere, damaged } = await copyContents(store, contents);
    await rename(unfinished, dump);
    print(
      `Backed up the database and ${copied} contents; ${alreadyThere} contents were already in the folder.\n`,
    );
    for (const { tenantId, sha256 } of damaged)
      process.stderr.write(`Damaged content, not copied: ${sha256} of tenant ${tenantId}\n`);
    return damaged.length > 0 ? 1 : 0;
  } finally {
    await store.close();
  }
});

/**
 * pg_dump reads the shards of a Citus cluster at different times, so the dump would not be consistent. Ignores a
 * connection error, because pg_dump reports it.
 */
async function refuseCluster(url: string): Promise<void> {
  const client = setupClient(url);
  const connected = client.connect().then(() => distributionOf(queryOf(client)));
  const distribution = await connected.catch(() => 'none');
  await client.end().catch(() => undefined);
  if (distribution !== 'none')
    throw new UsageError(
      'Citus distributes the database, so pg_dump cannot read a consistent state. Back up all nodes as described in ' +
        'docs/deployment.md.',
    );
}
