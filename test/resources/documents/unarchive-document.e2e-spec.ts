import { beforeEach, describe } from '@jest/globals';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { archivingCases } from './archiving-cases.js';

describe('UnarchiveDocument', () => {
  let tenant: TestTenant;
  beforeEach(async () => {
    tenant = await service.tenant();
  });

  archivingCases({
    service: () => service,
    tenant: () => tenant,
    operation: 'unarchive',
    conflicts: [
      ['Active', 'document.not-archived'],
      ['Processing', 'document.not-archived'],
      ['Deleted', 'document.deleted'],
    ],
  });
});
