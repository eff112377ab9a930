import pg from 'pg';
import { loadConfiguration } from '../../platform/config/configuration.js';
import { runningEmbeddedPostgres } from '../../platform/database/embedded/embedded-postgres.js';

// For the story: changes the time at which a closed file was closed to 40 years before, as the owner of the database. The
// API has no times in the past. Arguments: slug of the tenant, id of the file.

const [slug, fileId] = process.argv.slice(2);
const { databaseOwnerUrl, dataDirectory } = loadConfiguration();
const client = new pg.Client({
  connectionString: databaseOwnerUrl ?? (await runningEmbeddedPostgres(dataDirectory)),
});
await client.connect();
try {
  const { rows } = await client.query<{ id: string }>(
    'SELECT tenant_id AS id FROM tenant_slugs WHERE slug = $1',
    [slug],
  );
  const tenantId = rows[0]?.id;
  await client.query(`SELECT set_config('app.tenant_id', $1, false)`, [tenantId]);
  await client.query(
    `UPDATE files SET closed_at = closed_at - interval '40 years' WHERE tenant_id = $1 AND id = $2`,
    [tenantId, fileId],
  );
} finally {
  await client.end();
}
