import { beforeAll, beforeEach, describe } from '@jest/globals';
import { activationCases } from './activation-cases.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ReactivateDocumentType', () => {
  let service: TestService;
  let tenant: TestTenant;
  beforeAll(async () => {
    service = await TestService.shared();
  });
  beforeEach(async () => {
    tenant = await service.tenant();
  });

  activationCases({ service: () => service, tenant: () => tenant, operation: 'reactivate' });
});
