import { ownerDataSource } from '../../src/platform/database/data-source.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { Recording } from '../../src/platform/recording/recording.js';
import { TenantsService } from '../../src/platform/tenancy/tenants/tenants.service.js';

/** Creates a tenant without a running service, as `npm run tenant -- create` does. */
export async function createTenant(
  ownerUrl: string,
  ...tenant: Parameters<TenantsService['create']>
): Promise<void> {
  const dataSource = await ownerDataSource(ownerUrl).initialize();
  try {
    await new TenantsService(await UnitOfWork.open(dataSource, new Recording())).create(...tenant);
  } finally {
    await dataSource.destroy();
  }
}
