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
  summary: 'Prints an access token of the embedded issuer, and nothing else, to standard output.',
  usage: ['npm run --silent token -- --as <role or e-mail address> [options]'],
  options: {
    as: {
      type: 'string',
      value: '<who>',
      help: `Whose token: a person of the demo tenant by role
(${DEMO_USERS.map(({ roleKey }) => roleKey).join(', ')}),
or any e-mail address, as on the login page.`,
    },
    tenant: {
      type: 'string',
      value: '<slug>',
      default: 'demo',
      help: `The tenant that it is meant for. A token says who its holder is, and is valid in every tenant
of which that person is a member. The people of the demo tenant are members
of no other.`,
    },
    expires: {
      type: 'string',
      value: '<time>',
      help: 'How long it is valid: a number with s, m, h or d, at most 30d; 12h unless given.',
    },
  },
  details: `It takes the same variables as the service (PORT, PUBLIC_URL, DATA_DIR, OIDC_AUDIENCE), and the service need not be
running. It refuses in production and where OIDC_ISSUER names another issuer, and, while the database runs, for a
tenant that does not exist.
(Without --silent, npm prints two lines of its own in front.)`,
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
    throw new UsageError('--expires takes a number with s, m, h or d, from 1s to 30d.');
  }
  return lifetime;
}

/**
 * `npm run token`, but for the process around it.
 *
 * @returns what goes to standard output
 * @throws UsageError, ConfigurationError
 */
export async function tokenCommand(
  { as, tenant, expires }: Arguments<typeof TOKEN>['values'],
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  if (as === undefined) throw new UsageError('--as is missing: whose token is it to be?');
  if (!isSlug(tenant)) throw new UsageError('--tenant is not the slug of a tenant.');
  const lifetime = parseLifetime(expires);
  const person = findIssuerUser(as);
  if (!person) throw new UsageError('--as is neither the role of a demo person nor an e-mail address.');

  const configuration = loadConfiguration(environment);
  if (!configuration.embeddedIssuer) {
    throw new ConfigurationError('OIDC_ISSUER names another issuer: only that one can make tokens.');
  }
  await requireTenant(configuration, tenant);
  return `${await issueDemoToken({ configuration, person, lifetime })}\n`;
}

/** Only where the database can be asked: a token does not need it. */
async function requireTenant(configuration: Configuration, slug: string): Promise<void> {
  const { databaseUrl, dataDirectory } = configuration;
  const url = databaseUrl ?? (await runningEmbeddedPostgres(dataDirectory));
  if (url === undefined) return;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query(
      'SELECT FROM tenant_slugs WHERE slug = $1 AND (expires_at IS NULL OR expires_at > now())',
      [slug],
    );
    if (rowCount === 0) throw new UsageError(`There is no tenant ${slug}.`);
  } catch (error) {
    // A database that cannot be asked is no reason to make no token.
    if (error instanceof UsageError) throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
