import { stat } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { loadConfiguration } from '../../platform/config/configuration.js';
import { copyContents, sizeIn } from '../../platform/content/content-copy.js';
import { type ContentStore } from '../../platform/content/content-store.js';
import { openContentStore } from '../../platform/content/content.module.js';
import { DiskContentStore } from '../../platform/content/disk-content-store.js';
import { ensureServiceGroup, withSetupLock } from '../../platform/database/service-role/service-role.js';
import { UsageError, command, print, runCommand } from '../cli/command.js';
import { runPostgresProgram } from './postgres-programs.js';

const RESTORE = command({
  summary: 'Restores what npm run backup has put into a folder, into an empty database.',
  usage: ['npm run restore -- <folder>'],
  operand: { name: 'folder' },
  options: {},
  details: `The contents come first, to where the configuration keeps them (disk or bucket, whichever they come from), then the
database of DATABASE_URL, as its owner. At the end the command counts whether every document has its content. Needs
pg_restore. The service must not run on that database meanwhile; it can be started afterwards.`,
  examples: [
    'DATABASE_URL=postgres://filing:secret@db.example/filing npm run restore -- /var/backups/filing',
  ],
});

/** Whether something is in the database already. */
async function isEmpty(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
        AND n.nspname NOT LIKE 'pg_toast%' LIMIT 1`,
  );
  return rowCount === 0;
}

/** Looks for the content of every version of every document, and gives those that are missing. */
async function checkContents(
  client: pg.Client,
  store: ContentStore,
): Promise<{ found: number; missing: string[] }> {
  let found = 0;
  const missing: string[] = [];
  const tenants = await client.query<{ id: string }>('SELECT id FROM tenants');
  for (const { id: tenantId } of tenants.rows) {
    // The wall holds for the owner, too.
    await client.query(`SELECT set_config('app.tenant_id', $1, false)`, [tenantId]);
    const { rows } = await client.query<{ sha256: string }>(
      'SELECT DISTINCT content_sha256 AS sha256 FROM document_versions WHERE tenant_id = $1',
      [tenantId],
    );
    for (const { sha256 } of rows) {
      if ((await sizeIn(store, { tenantId, sha256 })) === null)
        missing.push(`${sha256} of tenant ${tenantId}`);
      else found += 1;
    }
  }
  return { found, missing };
}

await runCommand(RESTORE, async ({ operands: [folder] }) => {
  const dump = path.join(folder, 'database.dump');
  if (!(await stat(dump).catch(() => null))) throw new UsageError(`There is no ${dump}.`);
  const configuration = loadConfiguration();
  const { databaseUrl } = configuration;
  if (databaseUrl === undefined) throw new UsageError('Set DATABASE_URL to an empty database.');

  const store = await openContentStore(configuration);
  try {
    return await withSetupLock(databaseUrl, async (client) => {
      if (!(await isEmpty(client))) throw new UsageError('The database of DATABASE_URL is not empty.');
      const {
        copied,
        alreadyThere: there,
        damaged,
      } = await copyContents(new DiskContentStore(path.join(folder, 'content')), store);
      for (const { tenantId, sha256 } of damaged)
        process.stderr.write(`Damaged, and not copied: ${sha256} of tenant ${tenantId}\n`);
      await ensureServiceGroup(client);
      await runPostgresProgram('pg_restore', databaseUrl, [
        ...['--exit-on-error', '--single-transaction', '--no-owner'],
        dump,
      ]);
      const { found, missing } = await checkContents(client, store);
      for (const content of missing) process.stderr.write(`Missing: ${content}\n`);
      print(
        `The database, and ${copied} contents; ${there} were there already. ` +
          `Documents refer to ${found + missing.length}, and ${missing.length} of these are missing.\n`,
      );
      return missing.length > 0 ? 1 : 0;
    });
  } finally {
    await store.close();
  }
});
