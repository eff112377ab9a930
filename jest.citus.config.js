import base from './jest.config.js';

/**
 * The whole suite on a Citus cluster (jest --config jest.citus.config.js). Starts a coordinator and two workers, which need PostgreSQL of
 * Debian with Citus (test/support/servers/citus-cluster.ts). CITUS_DATABASE_URL uses the cluster of that coordinator instead.
 */
export default {
  ...base,
  testPathIgnorePatterns: base.testPathIgnorePatterns.filter((folder) => !folder.endsWith('/citus/')),
  globalSetup: '<rootDir>/test/support/runner/citus-setup.mjs',
  globalTeardown: '<rootDir>/test/support/runner/citus-teardown.mjs',
};
