import base from './jest.config.js';

/** Specs of what differs on Citus, with the reason. */
const NOT_ON_CITUS = [
  // The embedded server has no Citus.
  'test/platform/database/embedded/',
  // The plans of a single PostgreSQL. Citus plans each statement for its values and one shard.
  'test/platform/database/plans/',
  // These migrations run before the schema is distributed.
  'test/platform/database/schema/[\\w-]+-migration-spec.ts',
  // The distribution adds a table and changes policies and privileges: test/citus/row-level-security-spec.ts
  'test/architecture/(constraints|database-catalog|entities)-spec.ts',
  // The nodes of the cluster connect to each other, and to the tests, without passwords.
  'test/wrong-password-spec.ts',
  // Without the condition on the tenant, a statement has no shard: test/citus/tenant-isolation-on-workers-spec.ts
  'test/security/tenant-isolation/tenant-isolation-row-level-security-spec.ts',
  // The service role may read a user's memberships itself (docs/adr/0035): test/citus/row-level-security-spec.ts
  'test/resources/own-tenants/own-tenants-view-spec.ts',
];

/**
 * The whole suite on a Citus cluster (jest --config jest.citus.config.js). Starts a coordinator and two workers, which need PostgreSQL of
 * Debian with Citus (test/support/servers/citus-cluster.ts). CITUS_DATABASE_URL uses the cluster of that coordinator instead.
 */
export default {
  ...base,
  testPathIgnorePatterns: [
    ...base.testPathIgnorePatterns.filter((folder) => !folder.endsWith('/citus/')),
    ...NOT_ON_CITUS.map((file) => `<rootDir>/${file}`),
  ],
  globalSetup: '<rootDir>/test/support/runner/citus-setup.mjs',
  globalTeardown: '<rootDir>/test/support/runner/citus-teardown.mjs',
};
