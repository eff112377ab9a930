import { leftOutOnGivenServer } from './test/support/runner/citus-specs.mjs';

const RUNNER = '<rootDir>/test/support/runner';

/** Runs the TypeScript sources as ES modules, in processes that load each module once (docs/adr/0002-esm-and-jest.md). */
export default {
  testEnvironment: 'node',
  rootDir: '.',
  runner: 'jest-light-runner/child-process',
  testMatch: ['<rootDir>/test/**/*-spec.ts'],
  // These folders have their own configurations: jest.<name>.config.js.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/browser/',
    '<rootDir>/test/citus/',
    '<rootDir>/test/clients/',
    '<rootDir>/test/faults/',
    '<rootDir>/test/pgbouncer/',
    '<rootDir>/test/services/',
    ...(await leftOutOnGivenServer()),
  ],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  setupFilesAfterEnv: [`${RUNNER}/worker-setup.mjs`],
  globalSetup: `${RUNNER}/global-setup.mjs`,
  globalTeardown: `${RUNNER}/global-teardown.mjs`,
  maxWorkers: 2,
};
