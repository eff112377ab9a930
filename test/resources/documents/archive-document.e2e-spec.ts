import { beforeEach, describe } from '@jest/globals';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { archivingCases } from './archiving-cases.js';

describe('ArchiveDocument', () => {
  let tenant: TestTenant;
  beforeEach(async () => {
    tenant = await service.tenant();
  });

  archivingCases({
    service: () => service,
    tenant: () => tenant,
    operation: 'archive',
    conflicts: [
      ['Archived', 'document.archived'],
      ['Processing', 'document.processing'],
      ['Deleted', 'document.deleted'],
    ],
  });
});
