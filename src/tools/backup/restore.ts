import { stat } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { loadConfiguration } from '../../platform/config/configuration.js';
import { copyContents, sizeIn } from '../../platform/content/content-copy.js';
import { type ContentStore } from '../../platform/content/content-store.js';
import { openContentStore } from '../../platform/content/content.module.js';
import { DiskContentStore } from '../../platform/content/disk-content-store.js';
import { beginNewEventLogs } from '../../platform/database/schema/event-log-origin.js';
import { ensureServiceGroup } from '../../platform/database/service-role/service-group.js';
import { withSetupLock } from '../../platform/database/service-role/service-role.js';
import { UsageError, command, print, runCommand } from '../cli/command.js';
import { runPostgresProgram } from './postgres-programs.js';

const RESTORE = command({
  summary: 'Restores a backup that was created with npm run backup.',
  usage: ['npm run restore -- <folder>'],
  operand: { name: 'folder' },
  options: {},
  details: `Restores first the contents to the configured content store (disk or bucket, independent of the source), then the
database in DATABASE_URL, which must be empty. The user in DATABASE_URL must own the database. Finally checks that the
content of every document exists, and lists disposals that must be repeated. Begins new event logs: former cursors of
GET /events then return 400. Needs pg_restore. Start the service only after the command has finished.`,
  examples: [
    'DATABASE_URL=postgres://filing:secret@db.example/filing npm run restore -- /var/backups/filing',
  ],
});

async function isEmpty(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
        AND n.nspname NOT LIKE 'pg_toast%'
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e') -- of an extension
      LIMIT 1`,
  );
  return rowCount === 0;
}

/** False for a backup of an earlier release. */
async function hasTable(client: pg.Client, name: 'event_logs' | 'disposals'): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
    `public.${name}`,
  ]);
  return rows[0]?.exists === true;
}

/** Prints the disposals that may have been carried out after the backup: what they destroyed exists again. */
async function listDisposals(client: pg.Client): Promise<void> {
  if (!(await hasTable(client, 'disposals'))) return;
  const tenants = await client.query<{ id: string }>('SELECT id FROM tenants');
  for (const { id: tenantId } of tenants.rows) {
    // Row-level security applies to the owner as well.
    await client.query(`SELECT set_config('app.tenant_id', $1, false)`, [tenantId]);
    const { rows } = await client.query<{ id: string; name: string; status: string }>(
      `SELECT id, name, status FROM disposals WHERE tenant_id = $1 AND status <> 'Completed' ORDER BY created_at`,
      [tenantId],
    );
    for (const { id, name, status } of rows)
      print(
        status === 'Approved'
          ? `The disposal "${name}" (${id}) of tenant ${tenantId} continues when the service starts.\n`
          : `Repeat the disposal "${name}" (${id}) of tenant ${tenantId} if it was completed after the backup.\n`,
      );
  }
  print('Repeat also disposals that were made after the backup (docs/operations.md).\n');
}

async function checkContents(
  client: pg.Client,
  store: ContentStore,
): Promise<{ found: number; missing: string[] }> {
  let found = 0;
  const missing: string[] = [];
  const tenants = await client.query<{ id: string }>('SELECT id FROM tenants');
  for (const { id: tenantId } of tenants.rows) {
    // Row-level security applies to the owner as well.
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
  if (!(await stat(dump).catch(() => null))) throw new UsageError(`${dump} does not exist.`);
  const configuration = loadConfiguration();
  const { databaseOwnerUrl } = configuration;
  if (databaseOwnerUrl === undefined)
    throw new UsageError('Set DATABASE_URL to the URL of an empty database.');

  const store = await openContentStore(configuration);
  try {
    return await withSetupLock(databaseOwnerUrl, async (client) => {
      if (!(await isEmpty(client))) throw new UsageError('The database of DATABASE_URL is not empty.');
      const { copied, alreadyThere, damaged } = await copyContents(
        new DiskContentStore(path.join(folder, 'content')),
        store,
      );
      for (const { tenantId, sha256 } of damaged)
        process.stderr.write(`Damaged content, not copied: ${sha256} of tenant ${tenantId}\n`);
      await ensureServiceGroup(client);
      await runPostgresProgram('pg_restore', databaseOwnerUrl, [
        ...['--exit-on-error', '--single-transaction', '--no-owner'],
        dump,
      ]);
      if (await hasTable(client, 'event_logs')) await beginNewEventLogs(client);
      const { found, missing } = await checkContents(client, store);
      for (const content of missing) process.stderr.write(`Missing content: ${content}\n`);
      print(
        `Restored the database and ${copied} contents; ${alreadyThere} contents were already in the store. ` +
          `Documents need ${found + missing.length} contents; ${missing.length} of them are missing.\n`,
      );
      await listDisposals(client);
      return missing.length > 0 ? 1 : 0;
    });
  } finally {
    await store.close();
  }
});
