import { describe } from '@jest/globals';
import { defineIsolationTests } from './support/isolation-tests.js';
import {
  startRewritingFixture,
  startServiceTrustingLoopback,
  withOwnService,
} from './support/isolation-fixtures.js';

/**
 * Tests the conditions on the tenant alone: the owner of the tables is not subject to row-level security.
 * tenant-isolation-row-level-security-spec.ts tests row-level security alone.
 */
describe('Tenant isolation under a role that bypasses row-level security', () => {
  defineIsolationTests(
    async () =>
      withOwnService(
        await startRewritingFixture(await startServiceTrustingLoopback(), 'ownerUrl', (sql) => sql),
      ),
    { withTokens: false, step: 4 },
  );
});
