import { beforeAll, beforeEach, describe } from '@jest/globals';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';
import { archivingCases } from './archiving-cases.js';

describe('UnarchiveDocument', () => {
  let service: TestService;
  let tenant: TestTenant;
  beforeAll(async () => {
    service = await TestService.shared();
  });
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
