import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/common/identifier.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { serviceContext } from '../../src/platform/tenancy/access/access.directory.js';
import { attemptProcessing, uploadDocument } from '../resources/documents/processing/processing-support.js';
import { service } from '../support/service/shared-service.js';
import { type TestTenant } from '../support/tenant.js';
import { waitUntilProcessed } from '../support/wait-until-processed.js';

describe('On the workers of Citus', () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await service.tenant();
  });

  it('statements of the service have its time limit for locks', async () => {
    const setting = `SELECT current_setting('lock_timeout') AS limit`;
    const [ofWorker, ofCoordinator] = await service.app
      .get(UnitOfWork)
      .read(serviceContext(tenant.id), async (tx) => {
        const [worker] = await tx.query(`${setting} FROM access_versions WHERE tenant_id = $1`, [
          tx.tenantId,
        ]);
        const [coordinator] = await tx.query(setting);
        return [worker?.limit, coordinator?.limit];
      });
    expect(ofWorker).toMatch(/^[1-9]\d*m?s$/);
    expect(ofWorker).toBe(ofCoordinator);
  });

  it('a document that is not committed yet makes its job fail, so that it is repeated', async () => {
    const unknown = newId();
    const attempt = (documentId: string, n: number) => attemptProcessing(tenant, documentId, { attempt: n });
    for (const n of [1, 2, 3, 4]) await expect(attempt(unknown, n)).rejects.toThrow('not committed yet');
    await attempt(unknown, 5);

    const editor = await tenant.as('editor');
    const processed = await uploadDocument(editor);
    await waitUntilProcessed(tenant, processed);
    await attempt(processed, 1);
  });
});
