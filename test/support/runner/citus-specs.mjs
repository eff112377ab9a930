/** Specs of what differs on Citus, with the reason. */
export const NOT_ON_CITUS = [
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
].map((file) => `<rootDir>/${file}`);

/** The specs above if the test run uses the coordinator of a Citus cluster (test-server.ts), otherwise none. */
export async function leftOutOnGivenServer() {
  const url = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL;
  if (!url) return [];
  const { workerUrls } = await import('../database-nodes.ts');
  return (await workerUrls(url)).length > 0 ? NOT_ON_CITUS : [];
}
