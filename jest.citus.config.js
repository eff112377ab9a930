import base from './jest.config.js';
import { NOT_ON_CITUS } from './test/support/runner/citus-specs.mjs';

/**
 * The whole suite on a Citus cluster (jest --config jest.citus.config.js). Starts a coordinator and two workers, which need PostgreSQL of
 * Debian with Citus (test/support/servers/citus-installation.ts). CITUS_DATABASE_URL uses the cluster of that coordinator instead.
 */
export default {
  ...base,
  testPathIgnorePatterns: [
    ...base.testPathIgnorePatterns.filter((folder) => !folder.endsWith('/citus/')),
    ...NOT_ON_CITUS,
  ],
  globalSetup: '<rootDir>/test/support/runner/citus-setup.mjs',
  globalTeardown: '<rootDir>/test/support/runner/citus-teardown.mjs',
};
