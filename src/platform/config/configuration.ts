import path from 'node:path';
import { CONTENT_VARIABLES, contentErrors } from './content-variables.js';
import { DATABASE_VARIABLES, databaseErrors } from './database-variables.js';
import { EXTRACTION_VARIABLES } from './extraction-variables.js';
import { isLoopback } from './loopback.js';
import { MAIL_VARIABLES, mailErrors } from './mail-variables.js';
import {
  type ValuesOf,
  type Variable,
  bytes,
  flag,
  integer,
  networks,
  oneOf,
  origins,
  text,
  timeZone,
  url,
} from './variable.js';

/** The process prints the message and stops. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}

const LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** A test compares docs/configuration.md with this list. */
export const VARIABLES = {
  environment: {
    name: 'NODE_ENV',
    description: '`production` requires `OIDC_ISSUER` and creates no demo tenant.',
    read: oneOf(['development', 'test', 'production'], 'development'),
  },
  host: {
    name: 'HOST',
    description: 'Address of the API listener.',
    read: text('127.0.0.1'),
  },
  allowDemoIssuerOnNetwork: {
    name: 'ALLOW_DEMO_ISSUER_ON_NETWORK',
    description:
      '`true` serves the embedded issuer also if `HOST` is not a loopback address. Anyone can log in there as any user.',
    read: flag(false),
  },
  port: {
    name: 'PORT',
    description: 'Port of the API. `0` selects a free port.',
    read: integer(0, 65_535, 3000),
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    description: 'Base URL of the service for clients, without a trailing slash.',
    defaultText: '`http://127.0.0.1:<PORT>`',
    read: (value: string | undefined) => url(['http:', 'https:'])(value)?.replace(/\/+$/, ''),
  },
  invitationUrl: {
    name: 'INVITATION_URL',
    description:
      'Page for the links in invitations, such as a page of your own front end. Links add `#tenant=<slug>&secret=<secret>`.',
    defaultText: '`<PUBLIC_URL>/invitation`',
    read: (value: string | undefined) => {
      if (value?.includes('#')) throw new Error('must not have a fragment');
      return url(['http:', 'https:'])(value);
    },
  },
  appUrl: {
    name: 'APP_URL',
    description:
      'Address of your front end. The invitation page shows a button to it after the invitation is accepted.',
    read: url(['http:', 'https:']),
  },
  auditSigningKey: {
    name: 'AUDIT_SIGNING_KEY',
    description:
      'Ed25519 key that signs checkpoints of the audit log: 32 random bytes in Base64, as of `openssl rand -base64 32`. See [evidence.md](evidence.md).',
    defaultText: 'a key in `DATA_DIR`; in production, no checkpoints',
    secret: true,
    read: bytes(32),
  },
  timeZone: {
    name: 'TIME_ZONE',
    formerName: 'MAIL_TIME_ZONE',
    description:
      'Time zone of the year and month in file numbers, of the days of retention periods, and of times in mail; the daily digest of notifications is sent at 07:00. Name of the IANA database: `Europe/Berlin`.',
    read: timeZone,
  },
  ...MAIL_VARIABLES,
  metricsHost: {
    name: 'METRICS_HOST',
    description: 'Address of the metrics listener.',
    read: text('127.0.0.1'),
  },
  metricsPort: {
    name: 'METRICS_PORT',
    description:
      'Port of `/metrics` (Prometheus). `0` selects a free port. A worker selects one of the next ports if this one is in use, and a free port if the variable is not set.',
    defaultText: '`PORT` + 6464 (9464)',
    read: (value: string | undefined) => (value === undefined ? undefined : integer(0, 65_535, 0)(value)),
  },
  instances: {
    name: 'INSTANCES',
    description:
      'Number of processes that serve the API on `PORT`, up to 64. The pool of connections is divided among them; one of them runs the jobs. See [deployment.md](deployment.md#several-processes-on-one-machine).',
    read: integer(1, 64, 1),
  },
  dataDirectory: {
    name: 'DATA_DIR',
    description: 'Folder for the embedded database, contents on disk, and the keys of the embedded issuer.',
    defaultText: '`.data`',
    read: (value: string | undefined) => path.resolve(value ?? '.data'),
  },
  ...DATABASE_VARIABLES,
  oidcIssuer: {
    name: 'OIDC_ISSUER',
    description: 'URL of the OpenID Connect issuer of accepted access tokens.',
    defaultText: 'the embedded issuer (not in production)',
    read: url(['http:', 'https:']),
  },
  oidcAudience: {
    name: 'OIDC_AUDIENCE',
    description: 'Audience (`aud`) that access tokens must contain.',
    read: text('filing-service'),
  },
  oidcEmailClaim: {
    name: 'OIDC_EMAIL_CLAIM',
    description: 'Claim with the e-mail address.',
    read: text('email'),
  },
  oidcTrustEmail: {
    name: 'OIDC_TRUST_EMAIL',
    description: '`true` treats the address as verified even if the token does not have `email_verified`.',
    read: flag(false),
  },
  oidcUserinfo: {
    name: 'OIDC_USERINFO',
    description: '`true` calls the userinfo endpoint if a token has no e-mail address.',
    read: flag(false),
  },
  docsClientId: {
    name: 'DOCS_CLIENT_ID',
    description:
      'Public client (authorization code with PKCE) of Swagger UI and the invitation page. Redirect URIs: `<PUBLIC_URL>/docs/oauth2-redirect.html` and `<PUBLIC_URL>/invitation`.',
    defaultText: '`swagger-ui`, a client of the embedded issuer',
    read: text('swagger-ui'),
  },
  rateLimitPerMinute: {
    name: 'RATE_LIMIT_PER_MINUTE',
    description:
      'Requests per minute for each caller and tenant. A JSON body counts as one request per 64 KiB, a bulk change as one per 200 links (at most 50), and ten deliveries to webhooks as one more.',
    read: integer(1, 1_000_000, 600),
  },
  rateLimitBurst: {
    name: 'RATE_LIMIT_BURST',
    description: 'Number of requests that a caller may send at once.',
    read: integer(1, 1_000_000, 100),
  },
  rateLimitReadMs: {
    name: 'RATE_LIMIT_READ_MS',
    description: 'Time of the reading statements of a request, in milliseconds, that costs one request more.',
    read: integer(1, 60_000, 100),
  },
  redisUrl: {
    name: 'REDIS_URL',
    description: 'Redis for limits of requests and streams that several instances share.',
    defaultText: 'each instance counts separately',
    secret: true,
    read: url(['redis:', 'rediss:']),
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    description:
      'Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted: addresses or ranges, separated by commas.',
    // Express has these names for ranges.
    read: (value: string | undefined) => networks(value, ['loopback', 'linklocal', 'uniquelocal']),
  },
  corsOrigins: {
    name: 'CORS_ORIGINS',
    description:
      'Origins of browser scripts that may call the API: `https://app.example.com,https://admin.example.com`, or `*` for all.',
    read: origins,
  },
  ...CONTENT_VARIABLES,
  ...EXTRACTION_VARIABLES,
  webhookAllowedNetworks: {
    name: 'WEBHOOK_ALLOWED_NETWORKS',
    description:
      'Addresses and ranges of webhook receivers that are allowed although they are not public: `10.1.0.0/16,fd00::17`. Every tenant can send requests there.',
    defaultText: 'none; loopback addresses outside production',
    read: networks,
  },
  webhookRatePerSecond: {
    name: 'WEBHOOK_RATE_PER_SECOND',
    description:
      'Requests per second to all webhooks of a tenant, from all processes together. Further deliveries wait.',
    read: integer(1, 1000, 50),
  },
  binRetentionDays: {
    name: 'BIN_RETENTION_DAYS',
    description: 'Days that documents stay in the bin before they are deleted permanently.',
    read: integer(1, 36_500, 30),
  },
  notificationRetentionDays: {
    name: 'NOTIFICATION_RETENTION_DAYS',
    description: 'Days after which notifications are deleted, read or unread.',
    read: integer(1, 36_500, 365),
  },
  shutdownTimeout: {
    name: 'SHUTDOWN_TIMEOUT_MS',
    description:
      'Time that requests and jobs in progress have to finish after SIGTERM or SIGINT. Unfinished jobs return to the queue.',
    read: integer(0, 600_000, 10_000),
  },
  otlpEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    description:
      'OpenTelemetry collector for traces (OTLP over HTTP, protobuf): `http://127.0.0.1:4318`. See [observability.md](observability.md#traces).',
    defaultText: 'no traces are sent',
    read: url(['http:', 'https:']),
  },
  logLevel: {
    name: 'LOG_LEVEL',
    description: `Lowest level that is logged: ${LEVELS.join(', ')}.`,
    read: oneOf(LEVELS, 'info'),
  },
  logFormat: {
    name: 'LOG_FORMAT',
    description: '`json` writes one object per line; `pretty` is for reading on a terminal.',
    defaultText: '`pretty` on a terminal, else `json`',
    read: oneOf(['json', 'pretty'], process.stdout.isTTY ? 'pretty' : 'json'),
  },
} as const satisfies Record<string, Variable<unknown>>;

type Values = ValuesOf<typeof VARIABLES>;

/** Read and validated once, at the start. */
export interface Configuration extends Values {
  readonly metricsPort: number;
  readonly publicUrl: string;
  /** Whether `publicUrl` is configured. */
  readonly hasPublicUrl: boolean;
  readonly invitationUrl: string;
  /** URL of the owner role on the server itself; undefined for the embedded server. */
  readonly databaseOwnerUrl: string | undefined;
  /** True when no other issuer is configured. */
  readonly embeddedIssuer: boolean;
}

export const CONFIGURATION = Symbol('CONFIGURATION');

/** Whether the embedded issuer would be reachable over the network, or from other containers. */
export function isDemoIssuerOnNetwork({
  oidcIssuer,
  environment,
  host,
}: Pick<Values, 'oidcIssuer' | 'environment' | 'host'>): boolean {
  return !oidcIssuer && environment !== 'production' && !isLoopback(host);
}

/** The error lists all invalid variables, so that they can be corrected together. */
export function loadConfiguration(environment: NodeJS.ProcessEnv = process.env): Configuration {
  const values: Record<string, unknown> = {};
  const errors: string[] = [];
  for (const [key, variable] of Object.entries<Variable<unknown>>(VARIABLES)) {
    const { name, formerName = name } = variable;
    const raw = environment[name]?.trim() || environment[formerName]?.trim();
    try {
      values[key] = variable.read(raw === '' ? undefined : raw);
    } catch (error) {
      errors.push(`${variable.name} ${(error as Error).message}`);
    }
  }
  const configuration = values as unknown as Values;
  if (errors.length === 0) errors.push(...combinationErrors(configuration));
  if (errors.length > 0)
    throw new ConfigurationError(`The configuration cannot be used: ${errors.join('; ')}.`);
  const { port } = configuration;
  const publicUrl = configuration.publicUrl ?? `http://127.0.0.1:${port}`;
  return {
    ...configuration,
    metricsPort:
      configuration.metricsPort ?? (port === 0 ? 0 : port + 6464 <= 65_535 ? port + 6464 : port - 6464),
    publicUrl,
    hasPublicUrl: configuration.publicUrl !== undefined,
    invitationUrl: configuration.invitationUrl ?? `${publicUrl}/invitation`,
    databaseOwnerUrl: configuration.databaseDirectUrl ?? configuration.databaseUrl,
    embeddedIssuer: configuration.oidcIssuer === undefined,
  };
}

/** Messages for invalid combinations of valid values. */
function combinationErrors(values: Values): string[] {
  const errors: string[] = [];
  if (values.environment === 'production' && !values.oidcIssuer)
    errors.push('OIDC_ISSUER must be set in production: the embedded issuer is for demonstration only');
  if (isDemoIssuerOnNetwork(values) && !values.allowDemoIssuerOnNetwork)
    errors.push(
      `With HOST=${values.host}, anyone in the network could log in as any user at the embedded issuer: ` +
        'set OIDC_ISSUER, HOST=127.0.0.1 or ALLOW_DEMO_ISSUER_ON_NETWORK=true',
    );
  return [...errors, ...mailErrors(values), ...databaseErrors(values), ...contentErrors(values)];
}
