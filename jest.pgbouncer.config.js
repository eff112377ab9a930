import { execFileSync } from 'node:child_process';
import base from './jest.config.js';
import { leftOutOnGivenServer } from './test/support/runner/citus-specs.mjs';

const [, major, minor] = /(\d+)\.(\d+)/.exec(version()) ?? [];
const tracksStatements = Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 21);
process.env.TEST_POOLER_TRACKS_STATEMENTS = String(tracksStatements);
process.stderr.write(
  `PgBouncer ${major}.${minor}: prepared statements are ${tracksStatements ? 'tested, too' : 'not tested (from 1.21)'}.\n`,
);

/** Specs that do not run through the pooler. */
const LEFT_OUT = [
  // Need further programs, and run by their own configurations.
  ...['browser', 'citus', 'clients', 'services'].map((folder) => `<rootDir>/test/${folder}/`),
  // Use no connection of the service to the database.
  '<rootDir>/test/architecture/',
  '<rootDir>/test/common/',
  '<rootDir>/test/platform/config/',
  '<rootDir>/test/platform/extraction/',
  '<rootDir>/test/typescript-client/',
  // Start the embedded server, which has no pooler.
  '<rootDir>/test/platform/database/embedded/',
  '<rootDir>/test/lifecycle-spec.ts',
  '<rootDir>/test/start-checks-spec.ts',
  // Explains plans on a direct connection.
  '<rootDir>/test/platform/database/plans/',
  // Checks the limits in the start parameters of direct connections.
  '<rootDir>/test/security/limits/session-limits-spec.ts',
];

/**
 * The suite with PgBouncer in transaction mode between service and database: `npm run test:pgbouncer`. Needs the program
 * `pgbouncer` on the PATH or in /usr/sbin, or its path in PGBOUNCER_PATH. FAULT_ROUNDS is the number of rounds of
 * test/faults.
 */
export default {
  ...base,
  globalSetup: '<rootDir>/test/support/runner/pgbouncer-setup.mjs',
  globalTeardown: '<rootDir>/test/support/runner/pgbouncer-teardown.mjs',
  testMatch: ['<rootDir>/test/**/*-spec.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    ...LEFT_OUT,
    ...(await leftOutOnGivenServer()),
    ...(tracksStatements ? [] : ['<rootDir>/test/pgbouncer/prepared-statements-spec.ts']),
  ],
};

function version() {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  try {
    return execFileSync(process.env.PGBOUNCER_PATH ?? 'pgbouncer', ['--version'], { encoding: 'utf8', env });
  } catch (error) {
    throw new Error(
      'These tests need PgBouncer: apt-get install pgbouncer, or set PGBOUNCER_PATH to the program.',
      { cause: error },
    );
  }
}
