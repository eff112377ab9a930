import { serviceSettings } from '../../src/platform/database/connections/session-limits.js';
import { loginOf } from '../../src/platform/database/connections/connection-urls.js';
import { ensureRoleSettings } from '../../src/platform/database/pooling/role-settings.js';

/** Port of the PgBouncer in front of the test server, if the test run has one. */
const port = process.env['TEST_POOLER_PORT'];

export function isPooled(): boolean {
  return port !== undefined;
}

export function pooledUrl(directUrl: string): string {
  if (port === undefined) return directUrl;
  const url = new URL(directUrl);
  url.port = port;
  return url.toString();
}

/** The settings of a service on a database of the test server. */
export function databaseEnvironment(ownerUrl: string, pooled = pooledUrl(ownerUrl)): NodeJS.ProcessEnv {
  if (pooled === ownerUrl) return { DATABASE_URL: ownerUrl };
  return {
    DATABASE_URL: pooled,
    DATABASE_DIRECT_URL: ownerUrl,
    DATABASE_PREPARED: 'false',
  };
}

/** With a pooler: gives the service role the settings that the start of the service sets. */
export async function setRoleSettings(
  { ownerUrl, serviceUrl }: { readonly ownerUrl: string; readonly serviceUrl: string },
  statementTimeoutMs: number,
): Promise<void> {
  if (isPooled())
    await ensureRoleSettings(ownerUrl, loginOf(serviceUrl).user, serviceSettings(statementTimeoutMs));
}

/** Whether PgBouncer can track prepared statements (test/jest.config.js). */
const TRACKS_STATEMENTS = process.env['TEST_POOLER_TRACKS_STATEMENTS'] === 'true';

/** Settings of a PgBouncer that does not track prepared statements. Older versions do not know the setting. */
export const UNTRACKED: Readonly<Record<string, string>> = TRACKS_STATEMENTS
  ? { max_prepared_statements: '0' }
  : {};

/** Password of the role that PgBouncer looks up passwords with, on the test server. */
export function lookupPassword(): string {
  return process.env['TEST_POOLER_PASSWORD'] ?? '';
}
