import path from 'node:path';
import { CONTENT_VARIABLES, contentErrors } from './content-variables.js';
import { EXTRACTION_VARIABLES } from './extraction-variables.js';
import { isLoopback } from './loopback.js';
import { addressRanges, flag, integer, mailbox, oneOf, origins, text, url } from './variable-readers.js';
import { type Variable } from './variable.js';

/** A configuration that cannot be used; the process stops with its message. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}

type Level = 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

const LEVELS: readonly Level[] = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'];

/** Every variable there is. The table in docs/configuration.md is checked against it; adding one is adding an entry here. */
export const VARIABLES = {
  environment: {
    name: 'NODE_ENV',
    description: 'With `production` the embedded issuer refuses to start and there is no demo tenant.',
    defaultText: '`development`',
    read: oneOf(['development', 'test', 'production'], 'development'),
  },
  host: {
    name: 'HOST',
    description: 'Address that the service listens on.',
    defaultText: '`127.0.0.1`',
    read: text('127.0.0.1'),
  },
  allowDemoIssuerOnNetwork: {
    name: 'ALLOW_DEMO_ISSUER_ON_NETWORK',
    description:
      '`true` serves the embedded issuer, at which anyone can log in as any user, also where `HOST` is not a loopback address.',
    defaultText: '`false`',
    read: flag(false),
  },
  port: {
    name: 'PORT',
    description: 'Port of the API. `0` takes any free one.',
    defaultText: '`3000`',
    read: integer(0, 65_535, 3000),
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    description: 'Base URL under which clients reach the service, without a slash at its end.',
    defaultText: '`http://127.0.0.1:<PORT>`',
    read: (value: string | undefined) => url(['http:', 'https:'])(value)?.replace(/\/+$/, ''),
  },
  invitationUrl: {
    name: 'INVITATION_URL',
    description:
      'Page that the links of invitations lead to; it gets `#tenant=<slug>&secret=<secret>`. For a front end of your own.',
    defaultText: '`<PUBLIC_URL>/invitation`',
    read: (value: string | undefined) => {
      if (value?.includes('#')) throw new Error('must not have a fragment');
      return url(['http:', 'https:'])(value);
    },
  },
  smtpUrl: {
    name: 'SMTP_URL',
    description:
      'Mail server that sends invitations: `smtps://user:password@mail.example`, or `smtp://…` with STARTTLS where the server offers it (`?requireTLS=true` insists).',
    defaultText: 'nothing is mailed',
    secret: true,
    read: url(['smtp:', 'smtps:']),
  },
  mailFrom: {
    name: 'MAIL_FROM',
    description:
      'Sender of mail: `filing@example.com` or `Filing <filing@example.com>`. Needed with `SMTP_URL`.',
    defaultText: 'none',
    read: mailbox,
  },
  metricsHost: {
    name: 'METRICS_HOST',
    description: 'Address that the metrics listener listens on.',
    defaultText: '`127.0.0.1`',
    read: text('127.0.0.1'),
  },
  metricsPort: {
    name: 'METRICS_PORT',
    description:
      'Port of `/metrics` (Prometheus). `0` takes any free one. A worker takes one of the next ports where it is in use, and any free one where it is not set.',
    defaultText: '`PORT` + 6464 (9464)',
    read: (value: string | undefined) => (value === undefined ? undefined : integer(0, 65_535, 0)(value)),
  },
  dataDirectory: {
    name: 'DATA_DIR',
    description: 'Folder of the embedded database, of stored content and of the embedded issuer’s keys.',
    defaultText: '`.data`',
    read: (value: string | undefined) => path.resolve(value ?? '.data'),
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    description:
      'PostgreSQL 15 to 18 of the role that owns the schema and runs migrations. When set, no embedded server starts.',
    defaultText: 'embedded PostgreSQL',
    secret: true,
    read: url(['postgres:', 'postgresql:']),
  },
  databaseServiceUrl: {
    name: 'DATABASE_SERVICE_URL',
    description:
      'The login role that serves requests: owns nothing, bypasses no row level security. When unset, it is derived from `DATABASE_URL`, which then needs a password, its own or that of `PGPASSWORD`.',
    defaultText: 'derived',
    secret: true,
    read: url(['postgres:', 'postgresql:']),
  },
  databasePoolSize: {
    name: 'DATABASE_POOL_SIZE',
    description: 'Connections of one instance to the database.',
    defaultText: '`20`',
    read: integer(1, 1000, 20),
  },
  databaseAcquireTimeout: {
    name: 'DATABASE_ACQUIRE_TIMEOUT_MS',
    description: 'How long a request waits for a free connection before it is answered 503.',
    defaultText: '`5000`',
    read: integer(1, 600_000, 5000),
  },
  databaseStatementTimeout: {
    name: 'DATABASE_STATEMENT_TIMEOUT_MS',
    description:
      'How long one statement may take. It waits for a lock for at most a tenth of that, or 3 s where that is longer.',
    defaultText: '`30000`',
    read: integer(1, 3_600_000, 30_000),
  },
  oidcIssuer: {
    name: 'OIDC_ISSUER',
    description: 'URL of the OpenID Connect issuer whose access tokens are accepted.',
    defaultText: 'the embedded issuer (not in production)',
    read: url(['http:', 'https:']),
  },
  oidcAudience: {
    name: 'OIDC_AUDIENCE',
    description: 'Audience (`aud`) that access tokens must name.',
    defaultText: '`filing-service`',
    read: text('filing-service'),
  },
  oidcEmailClaim: {
    name: 'OIDC_EMAIL_CLAIM',
    description: 'Claim that holds the e-mail address.',
    defaultText: '`email`',
    read: text('email'),
  },
  oidcTrustEmail: {
    name: 'OIDC_TRUST_EMAIL',
    description: '`true` treats the address as verified even when the token does not say `email_verified`.',
    defaultText: '`false`',
    read: flag(false),
  },
  oidcUserinfo: {
    name: 'OIDC_USERINFO',
    description: '`true` asks the userinfo endpoint when a token carries no e-mail address.',
    defaultText: '`false`',
    read: flag(false),
  },
  docsClientId: {
    name: 'DOCS_CLIENT_ID',
    description:
      'Public client (authorization code with PKCE) that Swagger UI and the invitation page log in as; its redirect URIs are `<PUBLIC_URL>/docs/oauth2-redirect.html` and `<PUBLIC_URL>/invitation`.',
    defaultText: '`swagger-ui`, which the embedded issuer knows',
    read: text('swagger-ui'),
  },
  rateLimitPerMinute: {
    name: 'RATE_LIMIT_PER_MINUTE',
    description:
      'Requests a minute for each caller and tenant. A JSON body counts as one for each 64 KiB, a bulk change as one for each 200 links (at most 50).',
    defaultText: '`600`',
    read: integer(1, 1_000_000, 600),
  },
  rateLimitBurst: {
    name: 'RATE_LIMIT_BURST',
    description: 'Requests that a caller may send at once.',
    defaultText: '`100`',
    read: integer(1, 1_000_000, 100),
  },
  redisUrl: {
    name: 'REDIS_URL',
    description: 'Redis that several instances share their rate limits in.',
    defaultText: 'each instance counts for itself',
    secret: true,
    read: url(['redis:', 'rediss:']),
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    description:
      'Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed: addresses or ranges, comma-separated.',
    defaultText: 'none',
    read: addressRanges,
  },
  corsOrigins: {
    name: 'CORS_ORIGINS',
    description:
      'Origins whose scripts may use the API from a browser: `https://app.example.com,https://admin.example.com`, or `*` for all.',
    defaultText: 'none',
    read: origins,
  },
  ...CONTENT_VARIABLES,
  ...EXTRACTION_VARIABLES,
  binRetentionDays: {
    name: 'BIN_RETENTION_DAYS',
    description: 'How long documents stay in the bin before they are removed for good.',
    defaultText: '`30`',
    read: integer(1, 36_500, 30),
  },
  notificationRetentionDays: {
    name: 'NOTIFICATION_RETENTION_DAYS',
    description: 'How long notifications are kept, read or not.',
    defaultText: '`365`',
    read: integer(1, 36_500, 365),
  },
  shutdownTimeout: {
    name: 'SHUTDOWN_TIMEOUT_MS',
    description:
      'How long requests in flight, and jobs under way, may take to finish after SIGTERM or SIGINT. Jobs that do not are done anew by others.',
    defaultText: '`10000`',
    read: integer(0, 600_000, 10_000),
  },
  otlpEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    description:
      'OpenTelemetry collector that gets traces (OTLP over HTTP, protobuf): `http://127.0.0.1:4318`. See [observability.md](observability.md#traces).',
    defaultText: 'no traces are sent',
    read: url(['http:', 'https:']),
  },
  logLevel: {
    name: 'LOG_LEVEL',
    description: `Least level that is logged: ${LEVELS.join(', ')}.`,
    defaultText: '`info`',
    read: oneOf(LEVELS, 'info'),
  },
  logFormat: {
    name: 'LOG_FORMAT',
    description: '`json` writes one object a line; `pretty` is for people.',
    defaultText: '`pretty` on a terminal, else `json`',
    read: (value: string | undefined) =>
      value === undefined
        ? process.stdout.isTTY
          ? 'pretty'
          : 'json'
        : oneOf(['json', 'pretty'], 'json')(value),
  },
} as const satisfies Record<string, Variable<unknown>>;

type Values = { -readonly [K in keyof typeof VARIABLES]: ReturnType<(typeof VARIABLES)[K]['read']> };

/** What the service runs with, read and checked once at start. */
export interface Configuration extends Readonly<Values> {
  readonly metricsPort: number;
  readonly publicUrl: string;
  readonly invitationUrl: string;
  /** True when no other issuer is configured. */
  readonly embeddedIssuer: boolean;
}

export const CONFIGURATION = Symbol('CONFIGURATION');

/** Whether people of the network, or of other containers, can log in at the embedded issuer. */
export function isDemoIssuerOnNetwork({
  oidcIssuer,
  environment,
  host,
}: Pick<Values, 'oidcIssuer' | 'environment' | 'host'>): boolean {
  return !oidcIssuer && environment !== 'production' && !isLoopback(host);
}

/** Reads and checks everything at once, so that a person mends all faults in one go. */
export function loadConfiguration(environment: NodeJS.ProcessEnv = process.env): Configuration {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [key, variable] of Object.entries<Variable<unknown>>(VARIABLES)) {
    const raw = environment[variable.name]?.trim();
    try {
      values[key] = variable.read(raw === '' ? undefined : raw);
    } catch (error) {
      faults.push(`${variable.name} ${(error as Error).message}`);
    }
  }
  const configuration = values as unknown as Values;
  const readable = faults.length === 0;
  if (readable && configuration.environment === 'production' && !configuration.oidcIssuer) {
    faults.push('OIDC_ISSUER must be set in production: the embedded issuer is for demonstration only');
  }
  if (readable && isDemoIssuerOnNetwork(configuration) && !configuration.allowDemoIssuerOnNetwork) {
    faults.push(
      `HOST=${configuration.host} would serve the embedded issuer, at which anyone can log in as any user, to the network: ` +
        'set OIDC_ISSUER, HOST=127.0.0.1 or ALLOW_DEMO_ISSUER_ON_NETWORK=true',
    );
  }
  if (readable && configuration.smtpUrl && !configuration.mailFrom) {
    faults.push('MAIL_FROM must be set with SMTP_URL: mail needs a sender');
  }
  if (readable) faults.push(...contentErrors(configuration));
  if (faults.length > 0)
    throw new ConfigurationError(`The configuration cannot be used: ${faults.join('; ')}.`);
  const { port } = configuration;
  const publicUrl = configuration.publicUrl ?? `http://127.0.0.1:${port}`;
  return {
    ...configuration,
    metricsPort:
      configuration.metricsPort ?? (port === 0 ? 0 : port + 6464 <= 65_535 ? port + 6464 : port - 6464),
    publicUrl,
    invitationUrl: configuration.invitationUrl ?? `${publicUrl}/invitation`,
    embeddedIssuer: configuration.oidcIssuer === undefined,
  };
}
