import { loadConfiguration } from '../../platform/config/configuration.js';
import { serviceContext } from '../../platform/tenancy/access/access.directory.js';
import { tenantIdOf, withUnitOfWork } from '../cli/tenant-database.js';

// For the story: changes the time at which a closed file was closed to 40 years before, as the owner of the database. The
// API has no times in the past. Arguments: slug of the tenant, id of the file.

const [slug = '', fileId] = process.argv.slice(2);
await withUnitOfWork(loadConfiguration(), async (uow, dataSource) =>
  uow.write(serviceContext(await tenantIdOf(dataSource, slug)), (tx) =>
    tx.query(
      `UPDATE files SET closed_at = closed_at - interval '40 years' WHERE tenant_id = $1 AND id = $2`,
      [tx.tenantId, fileId],
    ),
  ),
);
