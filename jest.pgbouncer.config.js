import base from './jest.config.js';

/** The suite with PgBouncer in transaction mode between service and database: `npm run test:pgbouncer`. */
export default {
  ...base,
  globalSetup: '<rootDir>/test/support/runner/pgbouncer-setup.mjs',
  globalTeardown: '<rootDir>/test/support/runner/pgbouncer-teardown.mjs',
  testMatch: ['<rootDir>/test/{pgbouncer,resources}/**/*-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
