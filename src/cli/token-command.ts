import { ConfigurationError, loadConfiguration } from '../config/configuration.js';
import { DEMO_PEOPLE, findPerson } from '../identity/demo-people.js';
import { DEMO_TOKEN_LIFETIME, issueDemoToken } from '../identity/demo-token.js';
import { isSlug } from '../tenancy/slug.js';
import { readArguments, UsageError } from './command.js';

const HELP = `Prints an access token of the embedded issuer, and nothing else, to standard output.

  npm run --silent token -- --tenant <slug> --as <role or e-mail address> [--expires <time>]

  --as       Whose token: a person of the demo tenant by role (${DEMO_PEOPLE.map(({ roleKey }) => roleKey).join(', ')}),
             or any e-mail address, as on the login page.
  --tenant   The tenant that it is meant for, "demo" by default. Tokens say who somebody is and hold in every
             tenant of which that person is a member; the people of the demo tenant are members of no other.
  --expires  How long it holds: a number with s, m, h or d, at most 30d; 12h by default.
  --help     Shows this.

It takes the same variables as the service (PORT, PUBLIC_URL, DATA_DIR, OIDC_AUDIENCE), and the service need
not be running. It refuses in production and where OIDC_ISSUER names another issuer.
(Without --silent, npm itself prints lines of its own in front.)
`;

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const MAX_LIFETIME = 30 * 86_400;

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
export async function tokenCommand(args: string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const { values } = readArguments({
    args,
    options: {
      as: { type: 'string' },
      tenant: { type: 'string', default: 'demo' },
      expires: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { as, tenant, expires, help } = values;
  if (help) return HELP;
  if (as === undefined) throw new UsageError('--as is missing: whose token is it to be?');
  if (!isSlug(tenant)) throw new UsageError('--tenant is not the slug of a tenant.');
  const lifetime = parseLifetime(expires);
  const person = findPerson(as);
  if (!person) throw new UsageError('--as is neither the role of a demo person nor an e-mail address.');

  const configuration = loadConfiguration(environment);
  if (!configuration.embeddedIssuer) {
    throw new ConfigurationError('OIDC_ISSUER names another issuer: only that one can make tokens.');
  }
  return `${await issueDemoToken({ configuration, person, lifetime })}\n`;
}
