import pg from 'pg';
import {
  type Configuration,
  ConfigurationError,
  loadConfiguration,
} from '../../platform/config/configuration.js';
import { runningEmbeddedPostgres } from '../../platform/database/embedded/embedded-postgres.js';
import { DEMO_USERS, findIssuerUser } from '../../platform/identity/embedded/demo-users.js';
import { DEMO_TOKEN_LIFETIME, issueDemoToken } from '../../platform/identity/embedded/demo-token.js';
import { isSlug } from '../../platform/tenancy/tenants/slug.js';
import { type Arguments, UsageError, command } from './command.js';

export const TOKEN = command({
  summary: 'Prints an access token of the embedded issuer to standard output.',
  usage: ['npm run --silent token -- --as <role or e-mail address> [options]'],
  options: {
    as: {
      type: 'string',
      value: '<user>',
      help: `The user of the token: a user of the demo tenant by role
(${DEMO_USERS.map(({ roleKey }) => roleKey).join(', ')}),
or any e-mail address, as on the login page. Required.`,
    },
    tenant: {
      type: 'string',
      value: '<slug>',
      default: 'demo',
      help: `Checked for existence only. A token is valid in every tenant of which its user is a member.
The users of the demo tenant are members of no other tenant.`,
    },
    expires: {
      type: 'string',
      value: '<time>',
      help: 'Lifetime of the token: a number with s, m, h or d; at most 30d. Default: 12h.',
    },
  },
  details: `Reads the same environment variables as the service (PORT, PUBLIC_URL, DATA_DIR, OIDC_AUDIENCE). The service does not
have to run. Fails in production, with OIDC_ISSUER set, and, if the database runs, for a tenant that does not exist.
Without --silent, npm prints two additional lines before the token.`,
  examples: [
    'npm run --silent token -- --as editor',
    'npm run --silent token -- --tenant acme --as alice@example.com --expires 7d',
  ],
});

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const MAX_LIFETIME = 30 * 86_400;
const CONNECT_TIMEOUT_MS = 5_000;

function parseLifetime(text: string | undefined): number {
  if (text === undefined) return DEMO_TOKEN_LIFETIME;
  const [, number = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const lifetime = Number(number) * (SECONDS[unit] ?? 0);
  if (lifetime < 1 || lifetime > MAX_LIFETIME) {
    throw new UsageError('--expires must be a number with s, m, h or d, from 1s to 30d.');
  }
  return lifetime;
}

/**
 * @returns the output of `npm run token`
 * @throws UsageError, ConfigurationError
 */
export async function tokenCommand(
  { as, tenant, expires }: Arguments<typeof TOKEN>['values'],
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  if (as === undefined) throw new UsageError('--as is missing.');
  if (!isSlug(tenant)) throw new UsageError('--tenant is not a valid slug.');
  const lifetime = parseLifetime(expires);
  const user = findIssuerUser(as);
  if (!user) throw new UsageError('--as is neither the role of a demo user nor an e-mail address.');

  const configuration = loadConfiguration(environment);
  if (!configuration.embeddedIssuer) {
    throw new ConfigurationError(
      'OIDC_ISSUER is set: only that issuer can create tokens. This command works only with the embedded issuer.',
    );
  }
  await requireTenant(configuration, tenant);
  return `${await issueDemoToken({ configuration, user, lifetime })}\n`;
}

/** Checks nothing if the database is not running. */
async function requireTenant(configuration: Configuration, slug: string): Promise<void> {
  const { databaseOwnerUrl, dataDirectory } = configuration;
  const url = databaseOwnerUrl ?? (await runningEmbeddedPostgres(dataDirectory));
  if (url === undefined) return;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query(
      'SELECT FROM tenant_slugs WHERE slug = $1 AND (expires_at IS NULL OR expires_at > now())',
      [slug],
    );
    if (rowCount === 0) throw new UsageError(`The tenant ${slug} does not exist.`);
  } catch (error) {
    // Ignore database errors: a token can be created without the database.
    if (error instanceof UsageError) throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
