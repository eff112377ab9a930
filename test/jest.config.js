import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The suites of tests: `npm test` runs the suite `default`, `npm run test:<suite>` another one (scripts/test.mjs).
 * CONTRIBUTING.md says which suite a spec belongs to.
 */
const suite = process.env.TEST_SUITE ?? 'default';

/** Folders below test/ with the specs of the suite of the same name. */
const FOLDERS = ['browser', 'citus', 'clients', 'faults', 'pgbouncer', 'processes', 'services'];

/** Specs of what differs on Citus, with the reason. */
const NOT_ON_CITUS = [
  // The embedded server has no Citus.
  'processes/embedded/',
  // The plans of a single PostgreSQL. Citus plans each statement for its values and one shard.
  'platform/database/plans/',
  // These migrations run before the schema is distributed.
  String.raw`platform/database/schema/[\w-]+-migration-spec.ts`,
  // The distribution adds a table and changes policies and privileges: test/citus/row-level-security-spec.ts
  'architecture/(constraints|database-catalog|entities)-spec.ts',
  // The nodes of the cluster connect to each other, and to the tests, without passwords.
  'wrong-password-spec.ts',
  // Without the condition on the tenant, a statement has no shard: test/citus/tenant-isolation-on-workers-spec.ts
  'security/tenant-isolation/tenant-isolation-row-level-security-spec.ts',
  // The service role may read a user's memberships itself (docs/adr/0035): test/citus/row-level-security-spec.ts
  'resources/own-tenants/own-tenants-view-spec.ts',
];

/** Specs that do not run through PgBouncer, with the reason. */
const NOT_THROUGH_PGBOUNCER = [
  // Use no connection of the service to the database.
  'architecture/',
  'common/',
  'platform/config/',
  'platform/extraction/',
  'typescript-client/',
  'processes/extraction/',
  // Start the embedded server, which has no pooler.
  'processes/(embedded/|(lifecycle|start-checks)-spec.ts)',
  // Explains plans on a direct connection.
  'platform/database/plans/',
  // Checks the limits in the start parameters of direct connections.
  'security/limits/session-limits-spec.ts',
];

/** Run in the exhaustive suite only, with the reason. */
const EXHAUSTIVE_ONLY = [
  // npm test has the same cases without conditions, and without row-level security.
  'security/tenant-isolation/tenant-isolation-(one-connection-)?spec.ts',
  // 21,600 documents. npm test compares the same model with fewer.
  'resources/documents/search/search-frequent-terms-spec.ts',
  // Plans with many rows. npm test explains the statements of all operations with pages.
  'platform/database/plans/(?!paged-statements-plan-spec)',
];

const inTest = (names) => names.map((name) => `<rootDir>/test/${name}`);
const ofFolder = (name) => ({ testMatch: inTest([`${name}/**/*-spec.ts`]), maxWorkers: 1 });
/** All specs but those of the folders of other suites, and those left out. */
const allBut = (otherFolders, leftOut = []) => ({
  testMatch: inTest(['**/*-spec.ts']),
  testPathIgnorePatterns: inTest([...otherFolders.map((name) => `${name}/`), ...leftOut]),
});
const others = (...folders) => FOLDERS.filter((name) => !folders.includes(name));

const SUITES = {
  default: async () => allBut(FOLDERS, [...EXHAUSTIVE_ONLY, ...(await leftOutOnGivenServer())]),
  processes: async () => ({
    ...ofFolder('processes'),
    testPathIgnorePatterns: inTest(await leftOutOnGivenServer()),
    maxWorkers: 2,
  }),
  exhaustive: () => ({
    testMatch: inTest([
      ...specsWithSizes(),
      'platform/database/plans/*-spec.ts',
      'resources/documents/search/search-frequent-terms-spec.ts',
    ]),
    testPathIgnorePatterns: inTest(['citus/']),
  }),
  browser: () => ofFolder('browser'),
  clients: () => ofFolder('clients'),
  faults: () => ofFolder('faults'),
  services: () => ofFolder('services'),
  // On a cluster that global-setup.mjs starts, or on that of CITUS_DATABASE_URL.
  citus: () => allBut(others('citus', 'processes'), NOT_ON_CITUS),
  // With PgBouncer in transaction mode between the service and the database.
  pgbouncer: async () => {
    const { tracksStatements } = await import('./support/servers/pgbouncer.ts');
    const isTracked = tracksStatements();
    process.env.TEST_POOLER_TRACKS_STATEMENTS = String(isTracked);
    const tested = isTracked ? 'tested, too' : 'not tested (from PgBouncer 1.21)';
    process.stderr.write(`Prepared statements through PgBouncer are ${tested}.\n`);
    return allBut(others('faults', 'pgbouncer', 'processes'), [
      ...NOT_THROUGH_PGBOUNCER,
      ...(isTracked ? [] : ['pgbouncer/prepared-statements-spec.ts']),
      ...(await leftOutOnGivenServer()),
    ]);
  },
};

/** What a given server does not have, if it is the coordinator of a Citus cluster (test-server.ts). */
async function leftOutOnGivenServer() {
  const url = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL;
  if (!url) return [];
  const { workerUrls } = await import('./support/database-nodes.ts');
  return (await workerUrls(url)).length > 0 ? NOT_ON_CITUS : [];
}

/** Specs that use `sized` (test/support/exhaustive.ts), themselves or through another module. */
function specsWithSizes() {
  const usesSizes = /\/(exhaustive|case-selection|isolation-tests|foreign-identifier-tests)\.js'/;
  return readdirSync(import.meta.dirname, { recursive: true }).filter(
    (name) =>
      name.endsWith('-spec.ts') && usesSizes.test(readFileSync(join(import.meta.dirname, name), 'utf8')),
  );
}

if (!Object.hasOwn(SUITES, suite)) throw new Error(`There is no suite ${suite}.`);
const RUNNER = '<rootDir>/test/support/runner';

/** Runs the TypeScript sources as ES modules, in processes that load each module once (docs/adr/0002-esm-and-jest.md). */
export default {
  rootDir: '..',
  testEnvironment: 'node',
  runner: 'jest-light-runner/child-process',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  setupFilesAfterEnv: [`${RUNNER}/worker-setup.mjs`],
  globalSetup: `${RUNNER}/global-setup.mjs`,
  globalTeardown: `${RUNNER}/global-teardown.mjs`,
  maxWorkers: 2,
  ...(await SUITES[suite]()),
};
