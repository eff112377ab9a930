import { beforeEach, describe } from '@jest/globals';
import { activationCases } from './activation-cases.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ReactivateDocumentType', () => {
  let tenant: TestTenant;
  beforeEach(async () => {
    tenant = await service.tenant();
  });

  activationCases({ service: () => service, tenant: () => tenant, operation: 'reactivate' });
});
