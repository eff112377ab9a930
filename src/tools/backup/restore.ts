import { stat } from 'node:fs/promises';
import path from 'node:path';
import { loadConfiguration } from '../../platform/config/configuration.js';
import { copyContents, sizeIn } from '../../platform/content/content-copy.js';
import { openContentStore } from '../../platform/content/content.module.js';
import { DiskContentStore } from '../../platform/content/disk-content-store.js';
import { type Query, queryOf } from '../../platform/database/distribution/distributed-schema.js';
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

/** A table that belongs neither to PostgreSQL nor to an extension. */
const ANY_TABLE = `
  SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
     AND n.nspname NOT LIKE 'pg_toast%'
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
   LIMIT 1`;

/** False for a backup of an earlier release. */
async function hasTable(query: Query, name: 'event_logs' | 'disposals'): Promise<boolean> {
  return (await query('SELECT WHERE to_regclass($1) IS NOT NULL', [`public.${name}`])).length > 0;
}

/** Yields the rows of each tenant `$1`. Row-level security applies to the owner as well. */
async function* rowsOfTenants<R extends object>(
  query: Query,
  text: string,
): AsyncGenerator<R & { tenantId: string }> {
  for (const { tenantId } of await query<{ tenantId: string }>('SELECT id AS "tenantId" FROM tenants')) {
    await query(`SELECT set_config('app.tenant_id', $1, false)`, [tenantId]);
    for (const row of await query<R>(text, [tenantId])) yield { ...row, tenantId };
  }
}

/** Prints the disposals that may have been carried out after the backup: what they destroyed exists again. */
async function listDisposals(query: Query): Promise<void> {
  const disposals = rowsOfTenants<{ id: string; name: string; status: string }>(
    query,
    `SELECT id, name, status FROM disposals WHERE tenant_id = $1 AND status <> 'Completed' ORDER BY created_at`,
  );
  for await (const { id, name, status, tenantId } of disposals)
    print(
      status === 'Approved'
        ? `The disposal "${name}" (${id}) of tenant ${tenantId} continues when the service starts.\n`
        : `Repeat the disposal "${name}" (${id}) of tenant ${tenantId} if it was completed after the backup.\n`,
    );
  print('Repeat also disposals that were made after the backup (docs/operations.md).\n');
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
      const query = queryOf(client);
      if ((await query(ANY_TABLE)).length > 0)
        throw new UsageError('The database of DATABASE_URL is not empty.');
      const backup = new DiskContentStore(path.join(folder, 'content'));
      const { copied, alreadyThere, damaged } = await copyContents(backup, store);
      for (const { tenantId, sha256 } of damaged)
        process.stderr.write(`Damaged content, not copied: ${sha256} of tenant ${tenantId}\n`);
      await ensureServiceGroup(client);
      await runPostgresProgram('pg_restore', databaseOwnerUrl, [
        ...['--exit-on-error', '--single-transaction', '--no-owner'],
        dump,
      ]);
      if (await hasTable(query, 'event_logs')) await beginNewEventLogs(client);
      let [needed, missing] = [0, 0];
      for await (const content of rowsOfTenants<{ sha256: string }>(
        query,
        'SELECT DISTINCT content_sha256 AS sha256 FROM document_versions WHERE tenant_id = $1',
      )) {
        needed += 1;
        if ((await sizeIn(store, content)) !== null) continue;
        missing += 1;
        process.stderr.write(`Missing content: ${content.sha256} of tenant ${content.tenantId}\n`);
      }
      print(
        `Restored the database and ${copied} contents; ${alreadyThere} contents were already in the store. ` +
          `Documents need ${needed} contents; ${missing} of them are missing.\n`,
      );
      if (await hasTable(query, 'disposals')) await listDisposals(query);
      return missing > 0 ? 1 : 0;
    });
  } finally {
    await store.close();
  }
});
