import { describe } from '@jest/globals';
import { defineIsolationTests } from './support/isolation-tests.js';
import {
  startRewritingFixture,
  startServiceTrustingLoopback,
  withOwnService,
} from './support/isolation-fixtures.js';

/** The other half of tenant-isolation-row-level-security-spec.ts: either isolation stands without the other. */
describe('The isolation between two tenants before a role that passes row level security by', () => {
  defineIsolationTests(
    async () =>
      withOwnService(
        await startRewritingFixture(await startServiceTrustingLoopback(), 'ownerUrl', (sql) => sql),
      ),
    { withTokens: false, step: 4 },
  );
});
